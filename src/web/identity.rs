//! Names that can't be guessed: of visitors, games, and the key for other machines.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// 128 bits by chance, written as 32 digits: safe in addresses and as the name of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity(u128);

impl Identity {
    /// A new one.
    pub fn random() -> Identity {
        Identity(rand::random())
    }

    /// In which of so many equal parts it falls.
    pub fn part(self, parts: usize) -> usize {
        (self.0 % parts as u128) as usize
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Identity {
    type Err = ();

    fn from_str(text: &str) -> Result<Identity, ()> {
        let plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 32 && text.bytes().all(plain) {
            true => u128::from_str_radix(text, 16).map(Identity).map_err(|_| ()),
            false => Err(()),
        }
    }
}

impl Serialize for Identity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Identity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Identity, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("it must be 32 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_read() {
        let one = Identity::random();
        assert_eq!(one.to_string().parse(), Ok(one));
        let upper = one.to_string().replace(|letter: char| letter.is_ascii_digit(), "a").to_ascii_uppercase();
        for text in
            ["", "..", "0", &upper, "../../../../../../../etc/passwd0", "+0000000000000000000000000000000"]
        {
            assert!(text.parse::<Identity>().is_err(), "{text}");
        }
    }
}
