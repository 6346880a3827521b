//! Simple charts as SVG, without any help.

use std::fmt::Write;

use super::ticks::{label, ticks};

/// Colours that differ for the colour-blind too (Okabe & Ito 2008), in the order in which series get them.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"];

/// How a series is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum SeriesStyle {
    /// Straight lines from point to point.
    Line,
    /// A dashed line from point to point.
    Dashed,
    /// A line from point to point in a band from low to high, one pair for each point.
    Band(Vec<(f64, f64)>),
    /// A dot for each point.
    Points,
    /// A dot for each point, with a bar from low to high.
    Intervals(Vec<(f64, f64)>),
    /// A bar of this width for each point, from 0 up, centred on it.
    Bars(f64),
}

/// Some points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called beside the plot; nothing if empty.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: SeriesStyle,
}

/// A chart with two linear axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What stands below the title, smaller.
    pub subtitle: String,
    /// What the horizontal axis shows.
    pub x_label: String,
    /// What the vertical axis shows.
    pub y_label: String,
    /// What is drawn, the first at the back.
    pub series: Vec<Series>,
    /// The least range that the vertical axis covers, besides the points.
    pub y_range: Option<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 62.0;
const ROW: f64 = 18.0;
/// What is left free beside dots, as a part of the plot.
const DOT_ROOM: f64 = 0.02;

/// Where numbers go on the paper.
struct Axes {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Axes {
    fn place(ticks: &[f64], value: f64, from: f64, to: f64) -> f64 {
        let (low, high) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
        from + (value - low) / (high - low) * (to - from)
    }

    fn x(&self, value: f64) -> f64 {
        Axes::place(&self.x, value, LEFT, WIDTH - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        Axes::place(&self.y, value, HEIGHT - BOTTOM, TOP)
    }
}

impl Chart {
    /// The picture. Points that are not finite are left out.
    pub fn to_svg(&self) -> String {
        let axes = self.axes();
        let width = self.width();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {HEIGHT}\" width=\"{width:.0}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        // Writing to a string does not fail.
        let _ = self.draw(&mut svg, &axes);
        svg.push_str("</svg>\n");
        svg
    }

    fn axes(&self) -> Axes {
        let mut x = (f64::INFINITY, f64::NEG_INFINITY);
        let mut y = self.y_range.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
        let cover = |range: &mut (f64, f64), value: f64| {
            if value.is_finite() {
                *range = (range.0.min(value), range.1.max(value));
            }
        };
        for series in &self.series {
            let half = if let SeriesStyle::Bars(width) = series.mark { width / 2.0 } else { 0.0 };
            for point in &series.points {
                cover(&mut x, point.0 - half);
                cover(&mut x, point.0 + half);
                cover(&mut y, point.1);
            }
            match &series.mark {
                SeriesStyle::Bars(_) => cover(&mut y, 0.0),
                SeriesStyle::Band(ends) | SeriesStyle::Intervals(ends) => {
                    ends.iter().for_each(|&(low, high)| {
                        cover(&mut y, low);
                        cover(&mut y, high);
                    })
                }
                _ => {}
            }
        }
        if self.series.iter().any(|series| series.has_dots()) {
            // Dots stand beside the axis, not on it.
            let room = DOT_ROOM * (x.1 - x.0);
            x = (x.0 - room, x.1 + room);
        }
        // What is counted has no halves.
        let whole = |of: fn(&(f64, f64)) -> f64| {
            let numbers = self.series.iter().flat_map(|series| &series.points).map(of);
            let mut numbers = numbers.filter(|number| number.is_finite());
            if numbers.all(|number| number.fract() == 0.0) { 1.0 } else { 0.0 }
        };
        Axes { x: ticks(x.0, x.1, 8, whole(|point| point.0)), y: ticks(y.0, y.1, 6, whole(|point| point.1)) }
    }

    fn draw(&self, svg: &mut String, axes: &Axes) -> std::fmt::Result {
        let title = escape(&self.title);
        writeln!(svg, "<text x=\"{LEFT}\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{title}</text>")?;
        let subtitle = escape(&self.subtitle);
        writeln!(svg, "<text x=\"{LEFT}\" y=\"48\" font-size=\"12\" fill=\"#555\">{subtitle}</text>")?;
        draw_grid(svg, axes)?;
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        let (x_label, y_label) = (escape(&self.x_label), escape(&self.y_label));
        let bottom = HEIGHT - 16.0;
        writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{bottom}\" font-size=\"13\" text-anchor=\"middle\">{x_label}</text>"
        )?;
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        writeln!(
            svg,
            "<text transform=\"translate(20 {middle}) rotate(-90)\" font-size=\"13\" \
             text-anchor=\"middle\">{y_label}</text>"
        )?;
        for (number, series) in self.series.iter().enumerate() {
            series.draw(svg, axes, COLOURS[number % COLOURS.len()])?;
        }
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        writeln!(svg, "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" stroke=\"#444\" fill=\"none\"/>")?;
        self.draw_labels(svg, axes)
    }

    /// Each name stands beside the plot, at the height at which its series ends, so that it covers nothing and needs no
    /// looking up; names that would overlap are moved apart.
    fn draw_labels(&self, svg: &mut String, axes: &Axes) -> std::fmt::Result {
        let mut labels: Vec<(f64, usize)> = self
            .series
            .iter()
            .enumerate()
            .filter(|(_, series)| !series.name.is_empty())
            .map(|(number, series)| {
                let last = series.points.iter().rev().find(|(x, y)| x.is_finite() && y.is_finite());
                (last.map_or(TOP, |&(_, y)| axes.y(y)), number)
            })
            .collect();
        labels.sort_by(|one, other| one.0.total_cmp(&other.0));
        let bottom = HEIGHT - BOTTOM;
        let apart = ROW.min((bottom - TOP) / labels.len().max(1) as f64);
        // Downwards from the top, then upwards from the bottom.
        let mut least = TOP;
        for (y, _) in &mut labels {
            *y = y.max(least);
            least = *y + apart;
        }
        let mut most = bottom;
        for (y, _) in labels.iter_mut().rev() {
            *y = y.min(most);
            most = *y - apart;
        }
        for (y, number) in labels {
            let (series, colour) = (&self.series[number], COLOURS[number % COLOURS.len()]);
            series.draw_sample(svg, colour, WIDTH - RIGHT + 8.0, y)?;
            let (name, x, y) = (escape(&series.name), WIDTH - RIGHT + 36.0, y + 4.0);
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\">{name}</text>")?;
        }
        Ok(())
    }

    /// Room for the names at the right and for the title, by about the mean width of a letter.
    fn width(&self) -> f64 {
        let letters = |text: &str| text.chars().count() as f64;
        let longest = self.series.iter().map(|series| letters(&series.name)).fold(0.0, f64::max);
        let plot = if longest == 0.0 { WIDTH } else { WIDTH - RIGHT + 44.0 + longest * 6.6 };
        plot.max(LEFT + RIGHT + letters(&self.title) * 9.4).max(LEFT + RIGHT + letters(&self.subtitle) * 6.6)
    }
}

fn draw_grid(svg: &mut String, axes: &Axes) -> std::fmt::Result {
    let step = |ticks: &[f64]| ticks.get(1).map_or(1.0, |second| second - ticks[0]);
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for &tick in &axes.y {
        let (y, text) = (axes.y(tick), label(tick, step(&axes.y)));
        let (end, baseline) = (LEFT - 8.0, y + 4.0);
        writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#e4e4e4\"/>")?;
        writeln!(
            svg,
            "<text x=\"{end}\" y=\"{baseline:.1}\" font-size=\"12\" text-anchor=\"end\">{text}</text>"
        )?;
    }
    for &tick in &axes.x {
        let (x, text) = (axes.x(tick), label(tick, step(&axes.x)));
        let (end, baseline) = (bottom + 5.0, bottom + 20.0);
        writeln!(svg, "<path d=\"M{x:.1} {bottom}V{end}\" stroke=\"#444\"/>")?;
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{baseline}\" font-size=\"12\" text-anchor=\"middle\">{text}</text>"
        )?;
    }
    Ok(())
}

impl Series {
    fn has_dots(&self) -> bool {
        matches!(self.mark, SeriesStyle::Points | SeriesStyle::Intervals(_))
    }

    fn dashes(&self) -> &'static str {
        if self.mark == SeriesStyle::Dashed { " stroke-dasharray=\"6 4\"" } else { "" }
    }

    /// What the series looks like, in 20 points beside its name.
    fn draw_sample(&self, svg: &mut String, colour: &str, from: f64, y: f64) -> std::fmt::Result {
        match self.mark {
            SeriesStyle::Line | SeriesStyle::Dashed | SeriesStyle::Band(_) => {
                let dashes = self.dashes();
                writeln!(
                    svg,
                    "<path d=\"M{from:.1} {y:.1}h20\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
                )
            }
            SeriesStyle::Points | SeriesStyle::Intervals(_) => {
                let middle = from + 10.0;
                writeln!(svg, "<circle cx=\"{middle:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>")
            }
            SeriesStyle::Bars(_) => {
                let top = y - 5.0;
                writeln!(
                    svg,
                    "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"20\" height=\"10\" fill=\"{colour}\" \
                     fill-opacity=\"0.75\"/>"
                )
            }
        }
    }

    fn draw(&self, svg: &mut String, axes: &Axes, colour: &str) -> std::fmt::Result {
        let finite = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        match &self.mark {
            SeriesStyle::Band(ends) => {
                let edge = self.points.iter().zip(ends).filter(|(point, end)| finite(point) && finite(end));
                let low = edge.clone().map(|(point, end)| (point.0, end.0));
                let high = edge.rev().map(|(point, end)| (point.0, end.1));
                let corners: Vec<String> =
                    low.chain(high).map(|(x, y)| format!("{:.1},{:.1}", axes.x(x), axes.y(y))).collect();
                writeln!(
                    svg,
                    "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>",
                    corners.join(" ")
                )?;
                Series { name: String::new(), points: self.points.clone(), mark: SeriesStyle::Line }
                    .draw(svg, axes, colour)
            }
            SeriesStyle::Line | SeriesStyle::Dashed => {
                let mut path = String::new();
                let mut pen = 'M';
                for point in &self.points {
                    if finite(point) {
                        write!(path, "{pen}{:.1} {:.1}", axes.x(point.0), axes.y(point.1))?;
                        pen = 'L';
                    } else {
                        pen = 'M';
                    }
                }
                let dashes = self.dashes();
                writeln!(
                    svg,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
                     stroke-linejoin=\"round\"{dashes}/>"
                )
            }
            SeriesStyle::Points => self.draw_points(svg, axes, colour),
            SeriesStyle::Intervals(ends) => {
                for (point, end) in
                    self.points.iter().zip(ends).filter(|(point, end)| finite(point) && finite(end))
                {
                    let (x, low, high) = (axes.x(point.0), axes.y(end.0), axes.y(end.1));
                    writeln!(
                        svg,
                        "<path d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h6M{:.1} {high:.1}h6\" \
                         stroke=\"{colour}\" stroke-width=\"1.4\"/>",
                        x - 3.0,
                        x - 3.0
                    )?;
                }
                self.draw_points(svg, axes, colour)
            }
            SeriesStyle::Bars(width) => {
                for point in self.points.iter().filter(|point| finite(point)) {
                    let (left, right) = (axes.x(point.0 - width / 2.0), axes.x(point.0 + width / 2.0));
                    let (top, bottom) = (axes.y(point.1.max(0.0)), axes.y(point.1.min(0.0)));
                    writeln!(
                        svg,
                        "<rect x=\"{left:.2}\" y=\"{top:.1}\" width=\"{:.2}\" height=\"{:.1}\" fill=\"{colour}\" \
                         fill-opacity=\"0.75\" stroke=\"#fff\" stroke-width=\"0.8\"/>",
                        right - left,
                        bottom - top
                    )?;
                }
                Ok(())
            }
        }
    }

    fn draw_points(&self, svg: &mut String, axes: &Axes, colour: &str) -> std::fmt::Result {
        for &(x, y) in self.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
            let (x, y) = (axes.x(x), axes.y(y));
            writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>")?;
        }
        Ok(())
    }
}

/// Text that cannot be taken for markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>, mark: SeriesStyle) -> String {
        let series = vec![Series { name: "a <b> & c".to_owned(), points, mark }];
        Chart { title: "T".to_owned(), series, ..Chart::default() }.to_svg()
    }

    #[test]
    fn every_bar_stands_on_the_axis() {
        let svg = chart(vec![(5.0, 3.0), (15.0, 8.0)], SeriesStyle::Bars(10.0));
        assert_eq!(svg.matches("fill-opacity=\"0.75\" stroke=\"#fff\"").count(), 2);
        let bottoms: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("stroke=\"#fff\""))
            .map(|line| {
                let number = |key: &str| -> f64 {
                    line.split(&format!("{key}=\""))
                        .nth(1)
                        .unwrap()
                        .split('"')
                        .next()
                        .unwrap()
                        .parse()
                        .unwrap()
                };
                number(" y") + number(" height")
            })
            .collect();
        assert!(bottoms.iter().all(|bottom| (bottom - (HEIGHT - BOTTOM)).abs() < 0.2), "{bottoms:?}");
    }

    #[test]
    fn names_are_no_markup() {
        let svg = chart(vec![(0.0, 1.0), (1.0, 2.0)], SeriesStyle::Line);
        assert!(svg.contains("a &lt;b&gt; &amp; c"), "{svg}");
    }

    #[test]
    fn a_line_is_broken_where_there_is_no_number() {
        let svg = chart(vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 2.0)], SeriesStyle::Line);
        assert!(!svg.contains("NaN"), "{svg}");
        let path = svg.lines().find(|line| line.contains("stroke-linejoin")).unwrap();
        assert_eq!(path.matches('M').count(), 2, "{path}");
    }

    #[test]
    fn names_stand_beside_the_plot_at_the_ends_of_their_lines_and_apart() {
        let line = |name: &str, end: f64| Series {
            name: name.to_owned(),
            points: vec![(0.0, 0.0), (1.0, end)],
            mark: SeriesStyle::Line,
        };
        let series = vec![line("low", 0.1), line("high", 9.9), line("higher", 10.0), line("highest", 10.0)];
        let svg = Chart { series, ..Chart::default() }.to_svg();
        let place = |name: &str| -> (f64, f64) {
            let line = svg.lines().find(|line| line.ends_with(&format!(">{name}</text>"))).unwrap();
            let mut words = line.split('"');
            let mut number = || words.nth(1).unwrap().parse().unwrap();
            (number(), number())
        };
        let names = ["higher", "highest", "high", "low"].map(place);
        assert!(names.iter().all(|&(x, _)| x > WIDTH - RIGHT), "beside: {names:?}");
        assert!(names.windows(2).all(|pair| pair[1].1 - pair[0].1 >= ROW - 0.1), "apart: {names:?}");
    }

    #[test]
    fn nothing_is_cut_off_and_no_dot_stands_on_the_axis() {
        let ends = vec![(0.5, 1.5), (1.5, 2.5)];
        let svg = chart(vec![(1.0, 1.0), (8.0, 2.0)], SeriesStyle::Intervals(ends));
        let dots = svg.lines().filter(|line| line.contains("r=\"3.2\""));
        let places: Vec<f64> = dots.map(|line| line.split('"').nth(1).unwrap().parse().unwrap()).collect();
        assert_eq!(places.len(), 2);
        assert!(places.iter().all(|x| (LEFT + 4.0..=WIDTH - RIGHT - 4.0).contains(x)), "{places:?}");
        let title = "a title that goes on and on ".repeat(5);
        assert!(Chart { title, ..Chart::default() }.width() > 1.5 * WIDTH);
    }

    #[test]
    fn a_chart_without_points_is_a_chart() {
        assert!(chart(Vec::new(), SeriesStyle::Points).contains("</svg>"));
        assert!(!Chart::default().to_svg().contains("NaN"));
    }
}
