//! The network as a file: small integers, each row with its own scale.

use super::{
    features::{MOVE_FEATURES, POSITION_FEATURES},
    network::{
        HALF, HIDDEN, INPUT, MOVES, NARROW, NARROW_BIAS, Network, OUTPUT, PARAMETERS, WIDE, WIDE_BIAS,
    },
};

const MAGIC: &[u8; 16] = b"errare prior 1\n\0";

/// A file that is no network, or one of another make.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Something else.
    #[error("it is no prior of this version; learn one with 'errare calibrate GAMES --learn-prior FILE'")]
    Foreign,
    /// Bytes were lost or changed.
    #[error("it is damaged; learn it again with 'errare calibrate GAMES --learn-prior FILE'")]
    Damaged,
}

/// Where each matrix begins, how many rows it has and how wide they are.
const MATRICES: [(usize, usize, usize); 6] = [
    (INPUT, POSITION_FEATURES, WIDE),
    (WIDE_BIAS, 1, WIDE),
    (HIDDEN, WIDE, NARROW),
    (NARROW_BIAS, 1, NARROW),
    (MOVES, MOVE_FEATURES, NARROW),
    (OUTPUT, 1, HALF),
];

fn rows() -> impl Iterator<Item = std::ops::Range<usize>> {
    MATRICES.into_iter().flat_map(|(start, count, width)| {
        (0..count).map(move |number| start + number * width..start + (number + 1) * width)
    })
}

impl Network {
    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for range in rows() {
            let row = &self.parameters[range];
            let greatest = row.iter().fold(0.0f32, |most, value| most.max(value.abs()));
            let scale = greatest / f32::from(i8::MAX);
            bytes.extend(scale.to_le_bytes());
            let quantum = |value: &f32| if scale > 0.0 { (value / scale).round() as i8 } else { 0 };
            bytes.extend(row.iter().map(quantum).map(|value| value as u8));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// What tells one network from another.
    pub fn checksum(&self) -> String {
        let bytes = self.to_bytes();
        bytes[bytes.len() - 4..].iter().rev().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The reverse of [`Network::to_bytes`], up to rounding.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(NetworkError::Foreign)?;
        let mut rest = body.strip_prefix(MAGIC).ok_or(NetworkError::Foreign)?;
        if rest.len() != PARAMETERS + 4 * rows().count() {
            return Err(NetworkError::Foreign);
        }
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(NetworkError::Damaged);
        }
        let mut parameters = Vec::with_capacity(PARAMETERS);
        for range in rows() {
            let (scale, after) = rest.split_first_chunk::<4>().ok_or(NetworkError::Damaged)?;
            let (row, after) = after.split_at_checked(range.len()).ok_or(NetworkError::Damaged)?;
            let scale = f32::from_le_bytes(*scale);
            parameters.extend(row.iter().map(|&value| f32::from(value as i8) * scale));
            rest = after;
        }
        Ok(Network { parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::HumanModel;

    #[test]
    fn what_is_stored_is_read_back_and_damage_is_noticed() {
        let network = HumanModel::built_in().prior();
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).unwrap();
        let far = |(one, two): (&f32, &f32)| (one - two).abs() > 1e-6;
        assert!(!read.parameters.iter().zip(&network.parameters).any(far));
        let mut damaged = bytes.clone();
        damaged[1000] ^= 4;
        assert_eq!(Network::from_bytes(&damaged), Err(NetworkError::Damaged));
        assert_eq!(Network::from_bytes(&bytes[..1000]), Err(NetworkError::Foreign));
        assert_eq!(Network::from_bytes(b"x"), Err(NetworkError::Foreign));
    }
}
