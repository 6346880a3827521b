use crate::report::Chart;

/// How ours compares with the print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same, to the printed precision.
    Same,
    /// The print is approximate or by chance, and ours is as near as that allows.
    Close,
    /// Different, and it is known why.
    Explained,
    /// Different.
    Wrong,
    /// Can't be computed here.
    Missing,
    /// The print has no number.
    New,
}

impl Comparison {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Same => "same",
            Comparison::Close => "close",
            Comparison::Explained => "differs (explained)",
            Comparison::Wrong => "DIFFERS",
            Comparison::Missing => "not computed",
            Comparison::New => "ours alone",
        }
    }
}

/// One number or word, published and ours.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is compared.
    pub quantity: String,
    /// As printed; empty if the print has none.
    pub published: String,
    /// As computed.
    pub ours: String,
    /// Ours less the print.
    pub difference: Option<f64>,
    /// How they compare.
    pub verdict: Comparison,
    /// What there is to say.
    pub note: String,
}

impl Row {
    /// A number that is printed with so many decimals.
    pub fn number(quantity: impl Into<String>, published: f64, decimals: usize, ours: f64) -> Row {
        let show = |value: f64| format!("{value:.decimals$}");
        let verdict = if show(ours) == show(published) { Comparison::Same } else { Comparison::Wrong };
        let ours_text = if decimals == 0 && ours.fract() == 0.0 {
            show(ours)
        } else {
            format!("{ours:.digits$}", digits = decimals + 2)
        };
        Row {
            quantity: quantity.into(),
            published: show(published),
            ours: ours_text,
            difference: Some(ours - published),
            verdict,
            note: String::new(),
        }
    }

    /// Words, or numbers that are printed as a list.
    pub fn words(quantity: impl Into<String>, published: impl Into<String>, ours: impl Into<String>) -> Row {
        let (published, ours) = (published.into(), ours.into());
        let verdict = if published == ours { Comparison::Same } else { Comparison::Wrong };
        Row { quantity: quantity.into(), published, ours, difference: None, verdict, note: String::new() }
    }

    /// A statement of the paper that holds or does not.
    pub fn claim(quantity: impl Into<String>, claim: &str, ours: impl Into<String>, holds: bool) -> Row {
        let verdict = if holds { Comparison::Same } else { Comparison::Wrong };
        Row { verdict, ..Row::words(quantity, claim, ours) }
    }

    /// What the print does not say.
    pub fn new_result(quantity: impl Into<String>, ours: impl Into<String>) -> Row {
        Row { verdict: Comparison::New, ..Row::words(quantity, "", ours) }
    }

    /// What can't be computed here, and what to do about it.
    pub fn missing(quantity: impl Into<String>, published: impl Into<String>, why: &str) -> Row {
        Row { verdict: Comparison::Missing, note: why.to_owned(), ..Row::words(quantity, published, "") }
    }

    /// The print is approximate: a difference up to `tolerance` is none to speak of.
    pub fn within(mut self, tolerance: f64, why: &str) -> Row {
        if self.verdict == Comparison::Wrong && self.difference.is_some_and(|off| off.abs() <= tolerance) {
            self.verdict = Comparison::Close;
            self.note = why.to_owned();
        }
        self
    }

    /// If it differs, that is known, and this is why.
    pub fn explained(mut self, why: &str) -> Row {
        if self.verdict == Comparison::Wrong {
            self.verdict = Comparison::Explained;
            self.note = why.to_owned();
        }
        self
    }

    /// With something to say.
    pub fn noted(mut self, note: impl Into<String>) -> Row {
        self.note = note.into();
        self
    }
}

/// Numbers to be kept in a file of their own.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The name of its file, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Column heads.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
    /// Whether the report shows it too, not only its file.
    pub shown: bool,
}

/// What came out of an entry.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// Comparisons.
    pub rows: Vec<Row>,
    /// Data.
    pub sheets: Vec<Sheet>,
    /// Pictures, with the names of their files without ending.
    pub charts: Vec<(String, Chart)>,
    /// What there is to say beside the numbers.
    pub remarks: Vec<String>,
}

impl Finding {
    /// Draws a chart and keeps its points as a sheet.
    pub fn draw(&mut self, name: &str, chart: Chart) {
        let mut rows = Vec::new();
        for series in &chart.series {
            rows.extend(
                series
                    .points
                    .iter()
                    .map(|(x, y)| vec![series.name.clone(), format!("{x}"), format!("{y:.6}")]),
            );
        }
        let head = vec!["series".to_owned(), chart.x_label.clone(), chart.y_label.clone()];
        let title = chart.title.clone();
        self.sheets.push(Sheet { name: name.to_owned(), title, head, rows, shown: false });
        self.charts.push((name.to_owned(), chart));
    }
}
