//! What stands behind the question mark of an address.

/// The value of a key, decoded.
pub fn value(query: Option<&str>, key: &str) -> Option<String> {
    query?.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name == key).then(|| decode(value))
    })
}

/// Text in which %20 and + stand for what can't be written in an address.
fn decode(text: &str) -> String {
    let mut bytes = text.as_bytes().iter();
    let mut plain = Vec::new();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'+' => b' ',
            b'%' => {
                let ahead = bytes.as_slice();
                let code = ahead.get(..2).and_then(|two| std::str::from_utf8(two).ok());
                match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                    Some(code) => {
                        bytes.nth(1);
                        code
                    }
                    None => b'%',
                }
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_and_decoded() {
        let query = Some("key=ab%20c+d&name=%C3%89%zz%4&empty");
        assert_eq!(value(query, "key").as_deref(), Some("ab c d"));
        assert_eq!(value(query, "name").as_deref(), Some("É%zz%4"));
        assert_eq!(value(query, "empty").as_deref(), Some(""));
        assert_eq!(value(query, "none"), None);
        assert_eq!(value(None, "key"), None);
    }
}
