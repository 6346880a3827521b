//! The transposition table (TT), shared by all threads without locks.
//!
//! An entry is two words. The first is the key xored with the second, so that an entry torn by two threads
//! that write at once no longer fits its key and is not found (Hyatt & Mann 2002, *A lockless
//! transposition-table implementation for parallel search*).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use kevy_madvise::advise_hugepage;
use prefetch_index::prefetch_index;

use super::{Bound, packed_move::PackedMove};

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    pub best: PackedMove,
    /// Mates are counted from the position itself, not from the root.
    pub value: i16,
    /// Static evaluation, not corrected.
    pub eval: i16,
    pub depth: u8,
    pub bound: Bound,
    /// Whether the position has been on a principal variation.
    pub pv: bool,
}

/// Stands for a static evaluation that is not known.
pub(super) const NO_EVAL: i16 = i16::MIN;

/// Entries in a bucket: four fill a cache line.
const BUCKET_SIZE: usize = 4;
/// Searches are numbered modulo this: five bits of an entry.
const GENERATIONS: u8 = 32;
/// An older entry of the same position is kept if it is deeper than the new one by more than this.
const DEPTH_TOLERANCE: i32 = 3;
/// Plies of depth that an entry's age of one search outweighs when a victim is chosen.
const AGE_WEIGHT: i32 = 8;
/// Buckets that are looked at to tell how full the table is.
const HASHFULL_SAMPLE: usize = 250;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicEntry; BUCKET_SIZE]);

#[derive(Default)]
struct AtomicEntry {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

impl AtomicEntry {
    /// Key and data; data is 0 in an empty entry.
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.key_xor_data.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.key_xor_data.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

impl TranspositionTable {
    pub fn new(megabytes: usize) -> TranspositionTable {
        let count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let mut buckets: Vec<Bucket> = Vec::with_capacity(count);
        // Probes are scattered all over the table: large pages save most of the address translation. The system has
        // to be asked before it hands out the memory.
        advise_hugepage(buckets.as_ptr().cast(), count * size_of::<Bucket>());
        buckets.resize_with(count, Bucket::default);
        TranspositionTable { buckets, generation: AtomicU8::new(0) }
    }

    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.generation = AtomicU8::new(0);
    }

    /// Begins a new generation: entries of earlier searches are now replaced first.
    pub fn new_search(&self) {
        self.generation.store((self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// The high half of the product spreads keys over any number of buckets, not only powers of two.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    /// Asks the processor to fetch what [`probe`](Self::probe) will soon want.
    pub fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.index(key));
    }

    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let entries = &self.bucket(key).0;
        entries
            .iter()
            .map(AtomicEntry::load)
            .find(|&(found, data)| found == key && data != 0)
            .map(|(_, data)| unpack(data))
    }

    /// Stores what was found out, over what is known of the position, an empty entry, or the oldest and
    /// shallowest of the bucket.
    pub fn store(&self, key: u64, mut new: TtEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = &self.bucket(key).0;
        let mut victim = (&bucket[0], i32::MAX);
        for entry in bucket {
            let (found, data) = entry.load();
            if data == 0 || found == key {
                if data != 0 {
                    let old = unpack(data);
                    // A much deeper result of this search is worth more than a new shallow bound.
                    if new.bound != Bound::Exact
                        && generation_of(data) == generation
                        && i32::from(new.depth) + DEPTH_TOLERANCE < i32::from(old.depth)
                    {
                        return;
                    }
                    if new.best == PackedMove::NONE {
                        new.best = old.best;
                    }
                }
                victim = (entry, i32::MIN);
                break;
            }
            let age = i32::from((generation + GENERATIONS - generation_of(data)) % GENERATIONS);
            let worth = i32::from(unpack(data).depth) - AGE_WEIGHT * age;
            if worth < victim.1 {
                victim = (entry, worth);
            }
        }
        victim.0.store(key, pack(new, generation));
    }

    /// How full the table is with results of this search, in permille, by a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(HASHFULL_SAMPLE)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|entry| {
            let (_, data) = entry.load();
            data != 0 && generation_of(data) == generation
        });
        (used.count() * 1000 / (sample.len() * BUCKET_SIZE)) as u32
    }
}

fn pack(entry: TtEntry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.best.0)
        | u64::from(entry.value as u16) << 16
        | u64::from(entry.eval as u16) << 32
        | u64::from(entry.depth) << 48
        | (bound | u64::from(entry.pv) << 2 | u64::from(generation) << 3) << 56
}

fn unpack(data: u64) -> TtEntry {
    let flags = data >> 56;
    TtEntry {
        best: PackedMove(data as u16),
        value: (data >> 16) as i16,
        eval: (data >> 32) as i16,
        depth: (data >> 48) as u8,
        bound: match flags & 3 {
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => Bound::Exact,
        },
        pv: flags & 4 != 0,
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> TtEntry {
        TtEntry { best: PackedMove(77), value: -31_990, eval: NO_EVAL, depth, bound: Bound::Upper, pv: true }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = TranspositionTable::new(1);
        table.store(0x1234_5678_9abc_def0, entry(9));
        assert_eq!(table.probe(0x1234_5678_9abc_def0), Some(entry(9)));
        assert_eq!(table.probe(0x1234_5678_9abc_def1), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = TranspositionTable::new(1);
        table.store(42, entry(9));
        table.bucket(42).0[0].data.fetch_xor(1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn old_entries_go_before_shallow_new_ones() {
        let table = TranspositionTable::new(1);
        table.store(1, entry(10));
        table.new_search();
        for key in 2..=4 {
            table.store(key, entry(3));
        }
        table.store(5, entry(1));
        assert_eq!(table.probe(1), None);
        assert!((2..=5).all(|key| table.probe(key).is_some()));
    }
}
