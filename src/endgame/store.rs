//! Tables on disk: a file of blocks for each material and metric, White to move first, then Black. The head:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | metric |
//! | 1 | length of the material's name |
//! | 8 | the material's name |
//! | 2 × 2 | depth of the deepest win of White and of Black |

use std::{
    fs,
    path::{Path, PathBuf},
};

use shakmaty::Color;

use super::{
    blocks::{BlockFile, BlockFileError, BlockFormat, Numbers, io_error, resign, write_blocks},
    material::Material,
    table::Table,
};
use crate::model::{Depth, Metric};

const FORMAT: BlockFormat = BlockFormat { magic: b"errareT\n", version: 1, head: 14, parts: 2 };

/// The name of a table's file.
pub fn file_name(material: Material, metric: Metric) -> String {
    format!("{material}.{}", metric.name())
}

/// Writes a table to its file in `folder`, whole or not at all. Returns the length of the file.
pub fn write(table: &Table, folder: &Path) -> Result<u64, BlockFileError> {
    let path = folder.join(file_name(table.material(), table.metric()));
    let name = table.material().to_string();
    let mut head = vec![table.metric() as u8, name.len() as u8];
    head.extend(name.bytes().chain(std::iter::repeat(0)).take(8));
    for color in Color::ALL {
        head.extend(table.deepest(color).0.to_le_bytes());
    }
    let side = |part| if part == 0 { Color::White } else { Color::Black };
    write_blocks(&path, &FORMAT, &head, table.blocks(), |part, number| table.block(side(part), number))
}

/// The bytes of a table's file with all checksums that fit: to test what stands behind them.
#[doc(hidden)]
pub fn resign_table(bytes: &[u8]) -> Vec<u8> {
    resign(bytes, &FORMAT)
}

/// Renames a table's file so that it is not found any more, and says what it is called now.
pub fn set_aside(folder: &Path, material: Material, metric: Metric) -> Result<PathBuf, BlockFileError> {
    let path = folder.join(file_name(material, metric));
    let free =
        |number: &u32| !folder.join(format!("{}.damaged-{number}", file_name(material, metric))).exists();
    let number = (1..).find(free).unwrap_or_default();
    let aside = folder.join(format!("{}.damaged-{number}", file_name(material, metric)));
    fs::rename(&path, &aside).map_err(io_error("set aside", &path))?;
    Ok(aside)
}

/// Opens a table's file in `folder`. None if there is none.
pub fn open(folder: &Path, material: Material, metric: Metric) -> Result<Option<Table>, BlockFileError> {
    let path = folder.join(file_name(material, metric));
    let remedy = format!("'errare tables build {material} --metric {}' makes it again", metric.name());
    let Some(source) = BlockFile::open(&path, &FORMAT, &remedy)? else { return Ok(None) };
    let (name, head) = (material.to_string(), source.head());
    if head[0] != metric as u8
        || head[1] as usize != name.len()
        || &head[2..2 + name.len()] != name.as_bytes()
    {
        return Err(source.unfit("it holds another table than its name says"));
    }
    let mut numbers = Numbers(&head[10..]);
    let deepest = [Depth(numbers.u16()), Depth(numbers.u16())];
    let (blocks, unfit) =
        (source.blocks(), source.unfit("it has another number of blocks than its material needs"));
    let table = Table::from_source(material, metric, deepest, source);
    if table.blocks() == blocks { Ok(Some(table)) } else { Err(unfit) }
}
