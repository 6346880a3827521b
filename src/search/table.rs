//! The transposition table: what was found out about positions, shared by all threads without locks.
//!
//! An entry is two words. The first is the key xored with the second, so that an entry torn by two threads
//! that write at once no longer fits its key and is not found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::{Bound, packed::Packed};

/// What the table knows of a position. Values count mates from the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub best: Packed,
    pub value: i16,
    pub eval: i16,
    pub depth: u8,
    pub bound: Bound,
    /// Whether the position has been on a principal variation.
    pub pv: bool,
}

/// Stands for a static evaluation that is not known.
pub(super) const NO_EVAL: i16 = i16::MIN;

const SLOTS: usize = 4;
const AGES: u8 = 32;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

pub(super) struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// A table of about this size.
    pub fn new(megabytes: usize) -> Table {
        let count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        Table { buckets: (0..count).map(|_| Bucket::default()).collect(), age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.age = AtomicU8::new(0);
    }

    /// Entries of earlier searches go first from now on.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product spreads keys over any number of buckets, not only powers of two.
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        let slots = &self.bucket(key).0;
        slots
            .iter()
            .map(Slot::load)
            .find(|&(found, data)| found == key && data != 0)
            .map(|(_, data)| unpack(data))
    }

    pub fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = &self.bucket(key).0;
        let mut worst = (&slots[0], i32::MAX);
        for slot in slots {
            let (found, data) = slot.load();
            if data == 0 || found == key {
                if data != 0 {
                    let old = unpack(data);
                    // A deeper result of this search is worth more than a new shallow bound.
                    if entry.bound != Bound::Exact
                        && age_of(data) == age
                        && i32::from(entry.depth) + 3 < i32::from(old.depth)
                    {
                        return;
                    }
                    if entry.best == Packed::NONE {
                        entry.best = old.best;
                    }
                }
                worst = (slot, i32::MIN);
                break;
            }
            let years = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = i32::from(unpack(data).depth) - 8 * years;
            if worth < worst.1 {
                worst = (slot, worth);
            }
        }
        worst.0.store(key, pack(entry, age));
    }

    /// How full the table is with results of this search, in thousandths.
    pub fn permille(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let (_, data) = slot.load();
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample.len() * SLOTS)) as u32
    }
}

fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.best.0)
        | u64::from(entry.value as u16) << 16
        | u64::from(entry.eval as u16) << 32
        | u64::from(entry.depth) << 48
        | (bound | u64::from(entry.pv) << 2 | u64::from(age) << 3) << 56
}

fn unpack(data: u64) -> Entry {
    let flags = data >> 56;
    Entry {
        best: Packed(data as u16),
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

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry { best: Packed(77), value: -31_990, eval: NO_EVAL, depth, bound: Bound::Upper, pv: true }
    }

    #[test]
    fn what_is_put_in_is_found_again() {
        let table = Table::new(1);
        table.put(0x1234_5678_9abc_def0, entry(9));
        assert_eq!(table.get(0x1234_5678_9abc_def0), Some(entry(9)));
        assert_eq!(table.get(0x1234_5678_9abc_def1), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::new(1);
        table.put(42, entry(9));
        table.bucket(42).0[0].data.fetch_xor(1 << 20, Ordering::Relaxed);
        assert_eq!(table.get(42), None);
    }

    #[test]
    fn old_entries_go_before_shallow_new_ones() {
        let table = Table::new(1);
        table.put(1, entry(10));
        table.grow_older();
        for key in 2..=4 {
            table.put(key, entry(3));
        }
        table.put(5, entry(1));
        assert_eq!(table.get(1), None);
        assert!((2..=5).all(|key| table.get(key).is_some()));
    }
}
