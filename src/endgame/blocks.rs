//! Files of packed blocks: a head, an index, and blocks that are read and checked one at a time.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic |
//! | 2 | version |
//! | as many as its kind has | head |
//! | 4 | number of blocks of each part |
//! | 8 | length of the whole file |
//! | 16 a block | offset (8), length (4), checksum of the packed bytes (4); part by part |
//! | 4 | checksum of all the above |
//!
//! All numbers are little-endian, all checksums CRC-32. The blocks, packed by Deflate, follow one after the other.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use parking_lot::Mutex;
use rayon::prelude::*;

use crate::directories;

/// What one kind of file looks like.
pub struct BlockFormat {
    /// How it begins.
    pub magic: &'static [u8; 8],
    /// Which version is written and read.
    pub version: u16,
    /// Bytes of the head.
    pub head: usize,
    /// Parts, each with as many blocks as another.
    pub parts: usize,
}

/// Why a file of blocks can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BlockFileError {
    /// The system said no.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is not what it should be.
    #[error("{path} is damaged ({what}): move it away, and {remedy}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// What makes it again.
        remedy: String,
    },
    /// The file was written by another version of this program.
    #[error(
        "{path} has format version {found}, this program reads {reads}: move it away, and it is made again"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// The version that can be read.
        reads: u16,
    },
    /// What was never stored lacks a block.
    #[error("a table in memory is incomplete: this is a fault of the program")]
    NoSource,
}

impl BlockFileError {
    /// Whether the file is not what it should be, so that only another will do.
    pub fn is_damage(&self) -> bool {
        matches!(self, BlockFileError::Damaged { .. } | BlockFileError::Version { .. })
    }
}

pub(super) fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BlockFileError + use<> {
    let path = path.to_owned();
    move |source| BlockFileError::Io { doing, path, source }
}

#[derive(Clone, Copy)]
struct BlockEntry {
    offset: u64,
    length: u32,
    checksum: u32,
}

/// Magic and version.
const FRONT: usize = 10;
/// Number of blocks and length of the file.
const COUNTS: usize = 12;
const ENTRY: usize = 16;
/// Speed over size: higher levels take much longer and save little.
const LEVEL: u8 = 3;

/// A file whose head and index have been read and found sound.
pub struct BlockFile {
    path: PathBuf,
    file: Mutex<File>,
    head: Vec<u8>,
    /// In each part.
    blocks: usize,
    entries: Vec<BlockEntry>,
    remedy: String,
}

impl BlockFile {
    /// Opens a file. None if there is none. Head and index are checked at once, each block when it is read. `remedy`
    /// says what makes it again.
    pub fn open(
        path: &Path,
        format: &BlockFormat,
        remedy: &str,
    ) -> Result<Option<BlockFile>, BlockFileError> {
        let mut file = match directories::open_regular(path) {
            Ok(file) => file,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(io_error("open", path)(error)),
        };
        let damaged =
            |what: String| BlockFileError::Damaged { path: path.to_owned(), what, remedy: remedy.to_owned() };
        let length = file.metadata().map_err(io_error("read", path))?.len();
        let fixed_length = FRONT + format.head + COUNTS;
        if length < fixed_length as u64 {
            return Err(damaged("it is too short".to_owned()));
        }
        let mut fixed = vec![0; fixed_length];
        file.read_exact(&mut fixed).map_err(io_error("read", path))?;
        if &fixed[..8] != format.magic {
            return Err(damaged("it does not begin as it should".to_owned()));
        }
        let found = u16::from_le_bytes([fixed[8], fixed[9]]);
        if found != format.version {
            return Err(BlockFileError::Version { path: path.to_owned(), found, reads: format.version });
        }
        let mut numbers = Numbers(&fixed[FRONT + format.head..]);
        let blocks = numbers.u32() as usize;
        let stated = numbers.u64();
        let rest = ENTRY * format.parts * blocks + 4;
        if stated != length || length < (fixed_length + rest) as u64 {
            return Err(damaged(format!("it has {length} bytes, and should have {stated}")));
        }
        let mut index = vec![0; rest];
        file.read_exact(&mut index).map_err(io_error("read", path))?;
        let (index, checksum) = index.split_at(rest - 4);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&fixed);
        hasher.update(index);
        if hasher.finalize().to_le_bytes() != checksum {
            return Err(damaged("wrong checksum of the header".to_owned()));
        }
        let mut numbers = Numbers(index);
        let entries = (0..format.parts * blocks)
            .map(|_| BlockEntry { offset: numbers.u64(), length: numbers.u32(), checksum: numbers.u32() })
            .collect();
        let head = fixed[FRONT..FRONT + format.head].to_vec();
        let (path, remedy) = (path.to_owned(), remedy.to_owned());
        Ok(Some(BlockFile { path, file: Mutex::new(file), head, blocks, entries, remedy }))
    }

    /// What its kind keeps in front.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The number of blocks of each part.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The file is sound, but not what was looked for.
    pub fn unfit(&self, what: &str) -> BlockFileError {
        BlockFileError::Damaged {
            path: self.path.clone(),
            what: what.to_owned(),
            remedy: self.remedy.clone(),
        }
    }

    /// The bytes of a block as they lie in the file, if they are what was written.
    fn packed(&self, block: BlockEntry) -> Result<Vec<u8>, BlockFileError> {
        let mut packed = vec![0; block.length as usize];
        {
            let mut file = self.file.lock();
            file.seek(SeekFrom::Start(block.offset)).map_err(io_error("read", &self.path))?;
            file.read_exact(&mut packed).map_err(io_error("read", &self.path))?;
        }
        match crc32fast::hash(&packed) == block.checksum {
            true => Ok(packed),
            false => Err(self.unfit(&format!("wrong checksum of the block at byte {}", block.offset))),
        }
    }

    /// Compares the checksums of all blocks.
    pub fn check(&self) -> Result<(), BlockFileError> {
        self.entries.iter().try_for_each(|&block| self.packed(block).map(drop))
    }

    /// Reads and checks one block of so many bytes.
    pub fn read(&self, part: usize, number: usize, bytes: usize) -> Result<Box<[u8]>, BlockFileError> {
        let block = self.entries[part * self.blocks + number];
        let packed = self.packed(block)?;
        let unpacked = decompress_to_vec_with_limit(&packed, bytes).map_err(|error| {
            self.unfit(&format!("the block at byte {} does not unpack: {error}", block.offset))
        })?;
        if unpacked.len() != bytes {
            return Err(self.unfit(&format!("the block at byte {} is too short", block.offset)));
        }
        Ok(unpacked.into_boxed_slice())
    }
}

/// Writes a file of blocks, the whole of it or nothing. `block` gives the bytes of a block by part and number. Returns the length of the file.
pub fn write_blocks<'a>(
    path: &Path,
    format: &BlockFormat,
    head: &[u8],
    blocks: usize,
    block: impl Fn(usize, usize) -> Result<&'a [u8], BlockFileError> + Sync,
) -> Result<u64, BlockFileError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
    }
    directories::write_whole_with(path, |file| write_file(file, format, head, blocks, block))
        .map_err(io_error("write", path))
}

fn write_file<'a>(
    file: &mut File,
    format: &BlockFormat,
    head: &[u8],
    blocks: usize,
    block: impl Fn(usize, usize) -> Result<&'a [u8], BlockFileError> + Sync,
) -> io::Result<u64> {
    let all: Vec<(usize, usize)> =
        (0..format.parts).flat_map(|part| (0..blocks).map(move |number| (part, number))).collect();
    let header_length = FRONT + format.head + COUNTS + ENTRY * all.len() + 4;
    file.write_all(&vec![0; header_length])?;
    let mut entries = Vec::with_capacity(all.len());
    let mut offset = header_length as u64;
    // A bounded number of blocks is packed at once, so that little memory is needed beside them.
    for batch in all.chunks(64) {
        let packed: Vec<_> = batch
            .par_iter()
            .map(|&(part, number)| Ok(compress_to_vec(block(part, number)?, LEVEL)))
            .collect::<Result<_, BlockFileError>>()
            .map_err(io::Error::other)?;
        for bytes in packed {
            file.write_all(&bytes)?;
            let (length, checksum) = (bytes.len() as u32, crc32fast::hash(&bytes));
            entries.push(BlockEntry { offset, length, checksum });
            offset += bytes.len() as u64;
        }
    }
    let mut header = Vec::with_capacity(header_length);
    header.extend(format.magic);
    header.extend(format.version.to_le_bytes());
    header.extend(head.iter().copied().chain(std::iter::repeat(0)).take(format.head));
    header.extend((blocks as u32).to_le_bytes());
    header.extend(offset.to_le_bytes());
    for entry in &entries {
        header.extend(entry.offset.to_le_bytes());
        header.extend(entry.length.to_le_bytes());
        header.extend(entry.checksum.to_le_bytes());
    }
    let checksum = crc32fast::hash(&header);
    header.extend(checksum.to_le_bytes());
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)?;
    Ok(offset)
}

/// The bytes of a file with all checksums that fit, as far as it has a place for them: to test what stands behind the
/// checksums.
pub(super) fn resign(bytes: &[u8], format: &BlockFormat) -> Vec<u8> {
    let mut signed = bytes.to_vec();
    let (length, counts) = (signed.len() as u64, FRONT + format.head);
    let (fixed, blocks) =
        (counts + COUNTS, bytes.get(counts..).map_or(0, |rest| Numbers(rest).u32()) as usize);
    let entries = blocks.checked_mul(format.parts * ENTRY);
    let Some(end) = entries.and_then(|entries| entries.checked_add(fixed)) else { return signed };
    if signed.len() < end.saturating_add(4) {
        return signed;
    }
    signed[counts + 4..fixed].copy_from_slice(&length.to_le_bytes());
    for entry in (fixed..end).step_by(ENTRY) {
        let mut numbers = Numbers(&bytes[entry..]);
        let (offset, length) = (numbers.u64() as usize, numbers.u32() as usize);
        if let Some(block) = offset.checked_add(length).and_then(|end| bytes.get(offset..end)) {
            signed[entry + 12..entry + 16].copy_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
    }
    let checksum = crc32fast::hash(&signed[..end]);
    signed[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
    signed
}

/// Little-endian numbers off the front of a slice; 0 past its end.
pub struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = N.min(self.0.len());
        bytes[..taken].copy_from_slice(&self.0[..taken]);
        self.0 = &self.0[taken..];
        bytes
    }

    /// The next two bytes.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    /// The next four bytes.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    /// The next eight bytes.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }
}
