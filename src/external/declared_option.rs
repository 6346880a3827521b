/// An option as an engine declares it: `option name Hash type spin default 16 min 1 max 1024`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredOption {
    name: String,
    values: Values,
}

/// What an option may be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    Between(i64, i64),
    Either,
    OneOf(Vec<String>),
    Any,
}

impl DeclaredOption {
    /// Reads the words after `option`. What an engine leaves out limits nothing.
    pub fn parse(text: &str) -> Option<DeclaredOption> {
        let (name, rest) = text.trim().strip_prefix("name ")?.split_once(" type ")?;
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |key: &str| {
            let place = words.iter().position(|&word| word == key)?;
            words.get(place + 1)?.parse().ok()
        };
        let values = match *words.first()? {
            "spin" => Values::Between(number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX)),
            "check" => Values::Either,
            "combo" => {
                Values::OneOf(rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect())
            }
            _ => Values::Any,
        };
        Some(DeclaredOption { name: name.trim().to_owned(), values })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of options are the same in whatever case.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The greatest number that it may be set to.
    pub fn greatest(&self) -> Option<i64> {
        if let Values::Between(_, most) = self.values { Some(most) } else { None }
    }

    /// What is wrong with a value, if anything.
    pub fn refuses(&self, value: &str) -> Option<String> {
        match &self.values {
            Values::Between(least, most) => {
                let fits = value.parse().is_ok_and(|number: i64| (*least..=*most).contains(&number));
                (!fits).then(|| format!("a number from {least} to {most}"))
            }
            Values::Either => (!matches!(value, "true" | "false")).then(|| "true or false".to_owned()),
            Values::OneOf(known) => {
                let fits = known.is_empty() || known.iter().any(|one| one.eq_ignore_ascii_case(value));
                (!fits).then(|| format!("one of {}", known.join(", ")))
            }
            Values::Any => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_what_is_declared_are_refused() {
        let rows = [
            ("name Hash type spin default 16 min 1 max 1024", "64", "1025"),
            ("name Ponder type check default false", "true", "yes"),
            ("name Style type combo default Normal var Solid var Very Risky", "very risky", "Wild"),
        ];
        for (line, good, bad) in rows {
            let option = DeclaredOption::parse(line).unwrap();
            assert_eq!(option.refuses(good), None, "{line}");
            assert!(option.refuses(bad).is_some(), "{line}");
        }
        let text = DeclaredOption::parse("name Book File type string default <empty>").unwrap();
        assert!(text.is_named("book file") && text.refuses("anything").is_none());
        assert_eq!(DeclaredOption::parse("name Broken"), None);
    }
}
