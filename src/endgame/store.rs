//! Tables on disk: one file a material and metric, compressed in blocks.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `errareT\n` |
//! | 2 | version |
//! | 1 | metric |
//! | 1 | length of the material's name |
//! | 8 | the material's name |
//! | 2 × 2 | depth of the deepest win of White and of Black |
//! | 4 | number of blocks of each side |
//! | 8 | length of the whole file |
//! | 16 a block | offset (8), length (4), checksum of the packed bytes (4); White to move, then Black |
//! | 4 | checksum of all the above |
//!
//! All numbers are little-endian, all checksums CRC-32. The packed blocks follow, one after the other.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use parking_lot::Mutex;
use rayon::prelude::*;
use shakmaty::Color;

use super::{cell::Cell, material::Material, table::Table};
use crate::{
    directories,
    model::{Depth, Metric},
};

const MAGIC: &[u8; 8] = b"errareT\n";
const VERSION: u16 = 1;
const FIXED: usize = 36;
const ENTRY: usize = 16;
/// Speed over size: higher levels take much longer and save little.
const LEVEL: u8 = 3;

/// Why a table can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
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
    #[error("{path} is damaged ({what}): move it away, and 'errare tables build {table}' makes it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// The words that build it again.
        table: String,
    },
    /// The file was written by another version of this program.
    #[error(
        "{path} has format version {found}, this program reads {VERSION}: move it away, and it is made again"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
    },
    /// A table that was never stored lacks a block.
    #[error("a table in memory is incomplete: this is a fault of the program")]
    NoSource,
}

impl StoreError {
    /// Whether the file is not what it should be, so that only another will do.
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged { .. } | StoreError::Version { .. })
    }
}

fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_owned();
    move |source| StoreError::Io { doing, path, source }
}

/// The name of a table's file.
pub fn file_name(material: Material, metric: Metric) -> String {
    format!("{material}.{}", metric.name())
}

/// Where the packed blocks of a table lie.
pub struct TableFile {
    path: PathBuf,
    file: Mutex<File>,
    blocks: [Vec<BlockEntry>; 2],
    table: String,
}

#[derive(Clone, Copy)]
struct BlockEntry {
    offset: u64,
    length: u32,
    checksum: u32,
}

impl TableFile {
    /// Reads and checks one block of so many positions.
    pub(super) fn read(
        &self,
        side: usize,
        number: usize,
        positions: usize,
    ) -> Result<Box<[Cell]>, StoreError> {
        let block = self.blocks[side][number];
        let packed = self.packed(block)?;
        let damaged = |what| self.damaged(what);
        let cells = decompress_to_vec_with_limit(&packed, positions).map_err(|error| {
            damaged(format!("the block at byte {} does not unpack: {error}", block.offset))
        })?;
        if cells.len() != positions {
            return Err(damaged(format!("the block at byte {} is too short", block.offset)));
        }
        Ok(cells.into_boxed_slice())
    }

    /// The bytes of a block as they lie in the file, if they are what was written.
    fn packed(&self, block: BlockEntry) -> Result<Vec<u8>, StoreError> {
        let mut packed = vec![0; block.length as usize];
        {
            let mut file = self.file.lock();
            file.seek(SeekFrom::Start(block.offset)).map_err(io_error("read", &self.path))?;
            file.read_exact(&mut packed).map_err(io_error("read", &self.path))?;
        }
        match crc32fast::hash(&packed) == block.checksum {
            true => Ok(packed),
            false => Err(self.damaged(format!("wrong checksum of the block at byte {}", block.offset))),
        }
    }

    fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what, table: self.table.clone() }
    }

    /// Compares the checksums of all blocks.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.blocks.iter().flatten().try_for_each(|&block| self.packed(block).map(drop))
    }
}

/// Writes a table to its file in `folder`, the whole of it or nothing. Returns the length of the file.
pub fn write(table: &Table, folder: &Path) -> Result<u64, StoreError> {
    fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
    let path = folder.join(file_name(table.material(), table.metric()));
    directories::write_whole_with(&path, |file| write_file(table, file)).map_err(io_error("write", &path))
}

fn write_file(table: &Table, file: &mut File) -> io::Result<u64> {
    let blocks: Vec<(Color, usize)> = [Color::White, Color::Black]
        .into_iter()
        .flat_map(|color| (0..table.blocks()).map(move |number| (color, number)))
        .collect();
    let header_length = FIXED + ENTRY * blocks.len() + 4;
    file.write_all(&vec![0; header_length])?;
    let mut entries = Vec::with_capacity(blocks.len());
    let mut offset = header_length as u64;
    // A bounded number of blocks is packed at once, so that little memory is needed beside the table.
    for batch in blocks.chunks(64) {
        let packed: Vec<_> = batch
            .par_iter()
            .map(|&(color, number)| Ok(compress_to_vec(table.block(color, number)?, LEVEL)))
            .collect::<Result<_, StoreError>>()
            .map_err(io::Error::other)?;
        for bytes in packed {
            file.write_all(&bytes)?;
            entries.push(BlockEntry {
                offset,
                length: bytes.len() as u32,
                checksum: crc32fast::hash(&bytes),
            });
            offset += bytes.len() as u64;
        }
    }
    let mut header = Vec::with_capacity(header_length);
    let name = table.material().to_string();
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.push(table.metric() as u8);
    header.push(name.len() as u8);
    header.extend(name.bytes().chain(std::iter::repeat(0)).take(8));
    for color in [Color::White, Color::Black] {
        header.extend(table.deepest(color).0.to_le_bytes());
    }
    header.extend((table.blocks() as u32).to_le_bytes());
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

/// Renames a table's file so that it is not found any more, and says what it is called now.
pub fn set_aside(folder: &Path, material: Material, metric: Metric) -> Result<PathBuf, StoreError> {
    let path = folder.join(file_name(material, metric));
    let free =
        |number: &u32| !folder.join(format!("{}.damaged-{number}", file_name(material, metric))).exists();
    let number = (1..).find(free).unwrap_or_default();
    let aside = folder.join(format!("{}.damaged-{number}", file_name(material, metric)));
    fs::rename(&path, &aside).map_err(io_error("set aside", &path))?;
    Ok(aside)
}

/// Opens a table's file in `folder`. None if there is none. The header is checked at once, each block when it is
/// first read.
pub fn open(folder: &Path, material: Material, metric: Metric) -> Result<Option<Table>, StoreError> {
    let path = folder.join(file_name(material, metric));
    let mut file = match directories::open_regular(&path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(io_error("open", &path)(error)),
    };
    let words = format!("{material} --metric {}", metric.name());
    let damaged =
        |what: &str| StoreError::Damaged { path: path.clone(), what: what.to_owned(), table: words.clone() };
    let length = file.metadata().map_err(io_error("read", &path))?.len();
    let mut fixed = [0; FIXED];
    if length < FIXED as u64 {
        return Err(damaged("it is too short for a table"));
    }
    file.read_exact(&mut fixed).map_err(io_error("read", &path))?;
    if &fixed[..8] != MAGIC {
        return Err(damaged("it does not begin as a table does"));
    }
    let version = u16::from_le_bytes([fixed[8], fixed[9]]);
    if version != VERSION {
        return Err(StoreError::Version { path, found: version });
    }
    let mut numbers = Numbers(&fixed[20..]);
    let deepest = [Depth(numbers.u16()), Depth(numbers.u16())];
    let blocks = numbers.u32() as usize;
    let stated = numbers.u64();
    let rest = ENTRY * 2 * blocks + 4;
    if stated != length || length < (FIXED + rest) as u64 {
        return Err(damaged(&format!("it has {length} bytes, and should have {stated}")));
    }
    let mut entries = vec![0; rest];
    file.read_exact(&mut entries).map_err(io_error("read", &path))?;
    let (entries, checksum) = entries.split_at(rest - 4);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&fixed);
    hasher.update(entries);
    if hasher.finalize().to_le_bytes() != checksum {
        return Err(damaged("wrong checksum of the header"));
    }
    let name = material.to_string();
    if fixed[10] != metric as u8
        || &fixed[12..12 + name.len()] != name.as_bytes()
        || fixed[11] as usize != name.len()
    {
        return Err(damaged("it holds another table than its name says"));
    }
    let mut numbers = Numbers(entries);
    let mut side = || {
        (0..blocks)
            .map(|_| BlockEntry { offset: numbers.u64(), length: numbers.u32(), checksum: numbers.u32() })
            .collect::<Vec<_>>()
    };
    let sides = [side(), side()];
    let source =
        TableFile { path: path.clone(), file: Mutex::new(file), blocks: sides, table: words.clone() };
    let table = Table::from_source(material, metric, deepest, source);
    if table.blocks() != blocks {
        return Err(damaged("it has another number of blocks than its material needs"));
    }
    Ok(Some(table))
}

/// The bytes of a table's file with all checksums that fit, as far as it has a place for them: to test what stands behind
/// the checksums.
#[doc(hidden)]
pub fn resign_table(bytes: &[u8]) -> Vec<u8> {
    let mut signed = bytes.to_vec();
    let length = signed.len() as u64;
    let blocks = bytes.get(24..).map_or(0, |rest| Numbers(rest).u32()) as usize;
    let Some(end) = blocks.checked_mul(2 * ENTRY).and_then(|entries| entries.checked_add(FIXED)) else {
        return signed;
    };
    if signed.len() < end.saturating_add(4) {
        return signed;
    }
    signed[28..36].copy_from_slice(&length.to_le_bytes());
    for entry in (FIXED..end).step_by(ENTRY) {
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
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let taken = N.min(self.0.len());
        bytes[..taken].copy_from_slice(&self.0[..taken]);
        self.0 = &self.0[taken..];
        bytes
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }
}
