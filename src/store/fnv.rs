use std::fmt;

/// The hash of Fowler, Noll and Vo (FNV-1a) of 128 bits: by it games, jobs and tunings are known, the same wherever and
/// whenever it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(pub u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62272e07bb014262b821756295c58d)
    }
}

impl Fnv {
    /// Of a text.
    pub fn of(text: &str) -> Fnv {
        let mut hash = Fnv::default();
        hash.eat(text.as_bytes());
        hash
    }

    /// Goes on with these bytes.
    pub fn eat(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000000001000000000000000000013b);
        }
    }
}

impl fmt::Display for Fnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
