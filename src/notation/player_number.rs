/// A number by which a player is known however the name is written; nothing if nobody is named.
pub fn player_number(name: &str) -> Option<u32> {
    let plain: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    (!plain.is_empty()).then(|| crc32fast::hash(plain.to_lowercase().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_one_number_and_nobody_has_none() {
        assert_eq!(player_number("Keres, Paul"), player_number("KERES,Paul"));
        assert_ne!(player_number("Keres, Paul"), player_number("Keres, Peter"));
        assert_eq!([player_number("?"), player_number("")], [None; 2]);
    }
}
