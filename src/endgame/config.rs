use std::ops::RangeInclusive;

use serde::Deserialize;

/// Which tables there are and may be: section `[tables]` of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// Where generated tables are kept; empty for the default place.
    pub path: String,
    /// Folders with Syzygy tables.
    pub syzygy: String,
    /// Syzygy tables of more men are not used.
    pub syzygy_men: usize,
    /// Whether Syzygy files are compared with the checksum that they carry.
    pub syzygy_check: bool,
    /// Whether wins that take too long under the 50-move rule count as draws.
    pub fifty: bool,
    /// Tables of up to this many men are generated when needed.
    pub build_men: usize,
    /// Memory that one generation may take, in MiB.
    pub memory: u64,
}

impl TableConfig {
    /// What [`TableConfig::syzygy_men`] may be.
    pub const SYZYGY_MEN: RangeInclusive<i64> = 0..=7;
    /// What [`TableConfig::build_men`] may be.
    pub const BUILD_MEN: RangeInclusive<i64> = 0..=5;
    /// What [`TableConfig::memory`] may be.
    pub const MEMORY: RangeInclusive<i64> = 1..=1 << 24;
}
