use std::collections::HashMap;

/// Names under which players are known. Each line is `Korchnoi, Viktor = Korchnoi,V; Kortschnoj*`: what stands before the
/// sign is what a player is called, behind it are other names; a star stands for any end.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    exact: HashMap<String, String>,
    beginnings: Vec<(String, String)>,
}

impl Aliases {
    /// Reads the lines. Empty ones and those that begin with # are passed over.
    pub fn parse(text: &str) -> Result<Aliases, String> {
        let mut aliases = Aliases::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, others) = line
                .split_once('=')
                .ok_or_else(|| format!("line {}: '{line}' is not 'Name = alias; alias'", index + 1))?;
            for other in others.split(';').map(str::trim).filter(|other| !other.is_empty()) {
                let name = name.trim().to_owned();
                match other.strip_suffix('*') {
                    Some(beginning) => aliases.beginnings.push((plain(beginning), name)),
                    None => _ = aliases.exact.insert(plain(other), name),
                }
            }
        }
        Ok(aliases)
    }

    /// What a player is called.
    pub fn name<'a>(&'a self, written: &'a str) -> &'a str {
        let plain = plain(written);
        let by_beginning = || self.beginnings.iter().find(|(beginning, _)| plain.starts_with(beginning));
        let found = self.exact.get(&plain).or_else(|| by_beginning().map(|(_, name)| name));
        found.map_or(written, String::as_str)
    }
}

/// Letters and digits alone: names are written with and without spaces, commas and dots.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_has_one_name() {
        let aliases = Aliases::parse("# masters\nKorchnoi, Viktor = Korchnoi,V; Kortschnoj*\n").unwrap();
        for written in ["Korchnoi V", "korchnoi,v", "Kortschnoj, Wiktor"] {
            assert_eq!(aliases.name(written), "Korchnoi, Viktor");
        }
        assert_eq!(aliases.name("Korchnoi, Igor"), "Korchnoi, Igor");
        assert!(Aliases::parse("nonsense").unwrap_err().starts_with("line 1"));
    }
}
