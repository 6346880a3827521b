//! The network as a file.

use std::{path::Path, sync::Arc};

use super::network::{EvalNetwork, MEN, STAGES, WIDTH};

const MAGIC: &[u8; 16] = b"errare eval 1\n\0\0";
const NUMBERS: usize = (MEN + 1) * WIDTH + STAGES * 2 * WIDTH;

/// A file that is no network, or one of another make.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalNetworkError {
    /// Something else.
    #[error("it is no network of this version; learn one with 'errare tune network'")]
    Foreign,
    /// Bytes were lost or changed.
    #[error("it is damaged; learn it again with 'errare tune network'")]
    Damaged,
}

impl EvalNetwork {
    /// From a file.
    pub fn read(name: &str) -> Result<Arc<EvalNetwork>, String> {
        let bytes = crate::directories::read_regular_bytes(Path::new(name))
            .map_err(|error| format!("cannot read {name}: {error}"))?;
        let network = EvalNetwork::from_bytes(&bytes, name.to_owned());
        network.map(Arc::new).map_err(|error| format!("{name}: {error}"))
    }

    /// As it is stored: all numbers in 16 bits, those of the output's bias in 32.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = self.men.iter().flatten().chain(self.output.iter().flatten().flatten());
        numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
        self.output_bias.iter().for_each(|bias| bytes.extend(bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    pub(super) fn checksum_of(&self) -> u32 {
        self.to_bytes().split_last_chunk().map_or(0, |(_, checksum)| u32::from_le_bytes(*checksum))
    }

    /// The reverse of [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: &[u8], file: String) -> Result<EvalNetwork, EvalNetworkError> {
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(EvalNetworkError::Foreign)?;
        let rest = body.strip_prefix(MAGIC).ok_or(EvalNetworkError::Foreign)?;
        let (numbers, biases) = rest.split_at_checked(2 * NUMBERS).ok_or(EvalNetworkError::Foreign)?;
        if biases.len() != 4 * STAGES {
            return Err(EvalNetworkError::Foreign);
        }
        let checksum = u32::from_le_bytes(*checksum);
        if crc32fast::hash(body) != checksum {
            return Err(EvalNetworkError::Damaged);
        }
        let numbers: Vec<i16> =
            numbers.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (men, output) = numbers.split_at((MEN + 1) * WIDTH);
        let output_bias: Vec<i32> =
            biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
        Ok(EvalNetwork {
            men: men.as_chunks().0.into(),
            output: output.as_chunks::<WIDTH>().0.as_chunks().0.into(),
            output_bias: *output_bias.first_chunk().ok_or(EvalNetworkError::Foreign)?,
            checksum,
            file,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_network_is_sound() {
        let network = EvalNetwork::built_in();
        assert_ne!(network.checksum(), 0, "it stands for one that could not be read");
        assert_eq!(EvalNetwork::from_bytes(&network.to_bytes(), String::new()).as_ref(), Ok(&*network));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let bytes = EvalNetwork::built_in().to_bytes();
        let read = |bytes: &[u8]| EvalNetwork::from_bytes(bytes, String::new());
        assert_eq!(read(b""), Err(EvalNetworkError::Foreign));
        assert_eq!(read(b"[material]\npawn = 100\n"), Err(EvalNetworkError::Foreign));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(EvalNetworkError::Foreign));
        let mut changed = bytes;
        changed[1000] ^= 1;
        assert_eq!(read(&changed), Err(EvalNetworkError::Damaged));
    }
}
