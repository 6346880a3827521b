/// The tags of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Adds a tag.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// The value of a tag, if it is there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// `White - Black`, as far as known.
    pub fn players(&self) -> String {
        let name = |tag| self.get(tag).unwrap_or("?");
        format!("{} - {}", name("White"), name("Black"))
    }
}

/// A tag as it is written.
pub fn tag_line(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    format!("[{name} \"{value}\"]\n")
}

/// The name and value of a line that is a tag and nothing else.
pub fn read_tag(line: &[u8]) -> Option<(String, String)> {
    let inner = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii_end();
    let (name, value) = inner.split_at(inner.iter().position(|&byte| byte == b'"')?);
    let value = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut plain = Vec::new();
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => *bytes.next()?,
            b'"' => return None,
            byte => byte,
        });
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((text(name.trim_ascii()), text(&plain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_read_back() {
        let line = tag_line("WhitePlayer", "engine:\"C:\\a\"");
        assert_eq!(line, "[WhitePlayer \"engine:\\\"C:\\\\a\\\"\"]\n");
        let read = read_tag(line.as_bytes()).unwrap();
        assert_eq!(read, ("WhitePlayer".to_owned(), "engine:\"C:\\a\"".to_owned()));
    }

    #[test]
    fn what_is_only_nearly_a_tag_is_none() {
        for line in ["", "[Result 1-0]", "[Result \"1-0\"", "[Result \"1\"0\"]", "[Result \"1-0\\\"]"] {
            assert_eq!(read_tag(line.as_bytes()), None, "{line}");
        }
    }
}
