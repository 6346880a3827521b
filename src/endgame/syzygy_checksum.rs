//! The checksum that a Syzygy file carries in its last 16 bytes, as its generator computes it: CityHashCrc256 of each piece of
//! 16 MiB, and CityHashCrc128 of all those. (CityHash 1.0 by G. Pike and J. Alakuijala; R. de Man's `tbcheck`.)

use std::io::{self, Read};

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;
const HASH_MUL: u64 = 0x9ddf_ea08_eb38_2d69;

/// What is hashed at once.
const PIECE: usize = 1 << 24;
/// Files are so many bytes, times any number, and a checksum.
const UNIT: u64 = 64;
/// Bytes of the checksum.
const LENGTH: u64 = 16;

/// Whether a file of so many bytes ends in the checksum of what stands before it.
pub(super) fn is_sound(mut file: impl Read, length: u64) -> io::Result<bool> {
    if length % UNIT != LENGTH {
        return Ok(false);
    }
    let mut left = length - LENGTH;
    let mut hashes = Vec::new();
    let mut piece = Vec::new();
    while left > 0 {
        piece.clear();
        let wanted = left.min(PIECE as u64);
        if file.by_ref().take(wanted).read_to_end(&mut piece)? as u64 != wanted {
            return Ok(false);
        }
        hashes.extend(city_crc_256(&piece).into_iter().flat_map(u64::to_le_bytes));
        left -= wanted;
    }
    let mut stated = [0; LENGTH as usize];
    file.read_exact(&mut stated)?;
    let computed: Vec<u8> = city_crc_128(&hashes).into_iter().flat_map(u64::to_le_bytes).collect();
    Ok(computed == stated)
}

/// Eight bytes from a place on; none of the callers asks beyond the end.
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.iter_mut().zip(bytes.iter().skip(at)).for_each(|(byte, &from)| *byte = from);
    u64::from_le_bytes(word)
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

/// Two words in one.
fn mix(low: u64, high: u64) -> u64 {
    let a = shift_mix((low ^ high).wrapping_mul(HASH_MUL));
    shift_mix((high ^ a).wrapping_mul(HASH_MUL)).wrapping_mul(HASH_MUL)
}

/// A step of CRC-32C over eight bytes, without the complements that are usual at both ends.
fn crc(state: u64, value: u64) -> u64 {
    u64::from(!crc32c::crc32c_append(!(state as u32), &value.to_le_bytes()))
}

/// The state of CityHashCrc256.
struct CrcState {
    words: [u64; 5],
    last: u64,
    sums: [u64; 5],
}

impl CrcState {
    /// Takes in 40 bytes.
    fn take(&mut self, bytes: &[u8], multiplier: u64, turn: u32) {
        let [a, b, c, d, e] = self.words;
        let next = |from: u64, by: u32, at: usize| {
            from.rotate_right(by ^ turn).wrapping_mul(multiplier).wrapping_add(word(bytes, at))
        };
        self.words =
            [next(b, 41, 0), next(c, 27, 8), next(d, 41, 16), next(e, 33, 24), next(self.last, 25, 32)];
        self.last = a;
        self.sums.iter_mut().zip(self.words).for_each(|(sum, value)| *sum = crc(*sum, value));
    }
}

const STEP: usize = 40;
const ROUND: usize = 6 * STEP;

fn city_crc_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= ROUND {
        return long_city_crc_256(bytes, 0);
    }
    let mut padded = bytes.to_vec();
    padded.resize(ROUND, 0);
    long_city_crc_256(&padded, !(bytes.len() as u32))
}

fn long_city_crc_256(bytes: &[u8], seed: u32) -> [u64; 4] {
    let (length, seed) = (bytes.len() as u64, u64::from(seed));
    let b = word(bytes, 96).wrapping_add(K0);
    let first = mix(b, length);
    let second = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let mut state = CrcState {
        words: [word(bytes, 56).wrapping_add(K0), b, first, second, word(bytes, 184).wrapping_add(seed)],
        last: first.wrapping_add(second),
        sums: [seed, 0, 0, 0, 0],
    };
    let rounds = bytes.len() / ROUND * ROUND;
    for (number, step) in bytes[..rounds].chunks_exact(STEP).enumerate() {
        match number % 2 {
            0 => state.take(step, 1, 1),
            _ => state.take(step, K0, 0),
        }
    }
    let rest = bytes[rounds..].chunks_exact(STEP);
    let uneven = !rest.remainder().is_empty();
    rest.for_each(|step| state.take(step, K0, 0));
    if uneven {
        state.take(&bytes[bytes.len() - STEP..], K0, 0);
    }
    let CrcState {
        words: [mut a, mut b, mut c, mut d, mut e],
        last: t,
        sums: [mut f, mut g, mut h, mut i, mut j],
    } = state;
    j = j.wrapping_add(i << 32);
    a = mix(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = mix(c, f).wrapping_add(i);
    d = mix(d, e.wrapping_add(first));
    j = j.wrapping_add(e);
    i = i.wrapping_add(mix(h, t));
    e = mix(a, d).wrapping_add(j);
    f = mix(b, c).wrapping_add(a);
    g = mix(j, i).wrapping_add(c);
    let folded = |value: u64| shift_mix(value.wrapping_mul(K0)).wrapping_mul(K0);
    let r0 = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    a = folded(a.wrapping_add(g)).wrapping_add(b);
    let r1 = second.wrapping_add(a).wrapping_add(r0);
    a = folded(a).wrapping_add(c);
    let r2 = a.wrapping_add(r1);
    a = folded(a.wrapping_add(e));
    [r0, r1, r2, a.wrapping_add(r2)]
}

/// Up to so many bytes CityHashCrc128 is CityHash128.
const SHORT: usize = 900;

/// Of at least 32 bytes: hashes of pieces are never fewer.
fn city_crc_128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() > SHORT {
        let [_, _, low, high] = city_crc_256(bytes);
        return [low, high];
    }
    let (seed, rest) = bytes.split_at(bytes.len().min(16));
    city_128(rest, [word(seed, 0) ^ K3, word(seed, 8)])
}

/// CityHash128WithSeed.
fn city_128(bytes: &[u8], [low, high]: [u64; 2]) -> [u64; 2] {
    if bytes.len() < 128 {
        return murmur(bytes, [low, high]);
    }
    let (mut x, mut y, mut z) = (low, high, (bytes.len() as u64).wrapping_mul(K1));
    let v0 = (y ^ K1).rotate_right(49).wrapping_mul(K1).wrapping_add(word(bytes, 0));
    let mut v = [v0, v0.rotate_right(42).wrapping_mul(K1).wrapping_add(word(bytes, 8))];
    let mut w = [
        y.wrapping_add(z).rotate_right(35).wrapping_mul(K1).wrapping_add(x),
        x.wrapping_add(word(bytes, 88)).rotate_right(53).wrapping_mul(K1),
    ];
    let even = bytes.len() / 128 * 128;
    for step in bytes[..even].chunks_exact(64) {
        x = x
            .wrapping_add(y)
            .wrapping_add(v[0])
            .wrapping_add(word(step, 8))
            .rotate_right(37)
            .wrapping_mul(K1);
        y = y.wrapping_add(v[1]).wrapping_add(word(step, 48)).rotate_right(42).wrapping_mul(K1);
        x ^= w[1];
        y = y.wrapping_add(v[0]).wrapping_add(word(step, 40));
        z = z.wrapping_add(w[0]).rotate_right(33).wrapping_mul(K1);
        v = weak(step, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = weak(&step[32..], z.wrapping_add(w[1]), y.wrapping_add(word(step, 16)));
        (x, z) = (z, x);
    }
    x = x.wrapping_add(v[0].wrapping_add(z).rotate_right(49).wrapping_mul(K0));
    z = z.wrapping_add(w[0].rotate_right(37).wrapping_mul(K0));
    // What is left over is hashed from its end, 32 bytes at a time, and may reach back into what was hashed before.
    let left = bytes.len() - even;
    for back in (0..left).step_by(32).map(|done| done + 32) {
        let step = &bytes[bytes.len() - back..];
        y = x.wrapping_add(y).rotate_right(42).wrapping_mul(K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(step, 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(step, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak(step, v[0].wrapping_add(z), v[1]);
    }
    x = mix(x, v[0]);
    y = mix(y.wrapping_add(z), w[0]);
    [mix(x.wrapping_add(v[1]), w[1]).wrapping_add(y), mix(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

/// 32 bytes and two seeds in two words.
fn weak(bytes: &[u8], a: u64, b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|at| word(bytes, at));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let sum = a.wrapping_add(x).wrapping_add(y);
    [sum.wrapping_add(z), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a)]
}

/// CityMurmur, of at least 16 bytes.
fn murmur(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let (mut c, mut d);
    let step = |value: u64| shift_mix(value.wrapping_mul(K1)).wrapping_mul(K1);
    if length <= 16 {
        a = step(a);
        let (first, last) = (word(bytes, 0), word(bytes, length.saturating_sub(8)));
        let turned = last.wrapping_add(length as u64).rotate_right(length as u32);
        c = b.wrapping_mul(K1).wrapping_add(mix(first, turned) ^ last);
        d = shift_mix(a.wrapping_add(first));
    } else {
        c = mix(word(bytes, length - 8).wrapping_add(K1), a);
        d = mix(b.wrapping_add(length as u64), c.wrapping_add(word(bytes, length - 16)));
        a = a.wrapping_add(d);
        for at in (0..length - 16).step_by(16) {
            a = (a ^ step(word(bytes, at))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ step(word(bytes, at + 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = mix(a, c);
    b = mix(d, b);
    [a ^ b, mix(b, a)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KQVK: &[u8] = include_bytes!("../../tests/corpus/syzygy/KQvK.rtbw");

    fn sound(bytes: &[u8]) -> bool {
        is_sound(bytes, bytes.len() as u64).unwrap()
    }

    #[test]
    fn a_file_of_the_generator_fits_its_checksum_and_with_any_bit_flipped_does_not() {
        assert!(sound(KQVK));
        for bit in 0..8 * KQVK.len() {
            let mut bytes = KQVK.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!sound(&bytes), "bit {bit}");
        }
        assert!(!sound(&KQVK[..KQVK.len() - 64]) && !sound(b""));
    }
}
