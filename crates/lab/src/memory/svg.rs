//! The picture of the measurement: lines over the number of compactions, and bars of what each
//! method's context takes. Readable on light and dark ground.

use std::fmt::Write as _;

use super::measure::CHECKPOINTS;
use super::report::{Report, answered_after, span};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 96.0;
const PLOT: (f64, f64) = (470.0, 250.0);
const COLOURS: [(&str, &str); 6] = [
    ("#0f766e", "#2dd4bf"),
    ("#1d4ed8", "#7aa2ff"),
    ("#6b7280", "#9ca3af"),
    ("#b45309", "#fbbf24"),
    ("#be185d", "#f472b6"),
    ("#7c3aed", "#c4b5fd"),
];
const NAMES: [&str; 6] = [
    "Skein with recall",
    "Skein",
    "no compaction",
    "oldest dropped",
    "half dropped",
    "one summary",
];

/// Draws what came out, with dashes what came out in words that nothing was fitted to.
pub fn draw(report: &Report, unseen: &Report) -> String {
    let mut svg = String::new();
    head(&mut svg, &span(&report.measured));
    axes(&mut svg);
    let mut ends: Vec<(usize, f64)> = Vec::new();
    for (index, name) in NAMES.iter().enumerate() {
        line(&mut svg, &format!("s{index} unseen"), index, &answered(unseen, name));
        let points = answered(report, name);
        line(&mut svg, &format!("s{index}"), index, &points);
        if let Some((_, value)) = points.last() {
            ends.push((index, *value));
        }
    }
    labels(&mut svg, ends);
    sizes(&mut svg, report);
    svg.push_str("</svg>\n");
    svg
}

/// What a method answered, by the number of compactions; empty where it was not measured.
fn answered(report: &Report, name: &str) -> Vec<(f64, f64)> {
    let after = |after: &u32| {
        let rows = answered_after(&report.measured, *after);
        let (_, value) = rows.iter().find(|(row, _)| *row == name)?;
        Some((f64::from(*after), *value))
    };
    CHECKPOINTS.iter().filter_map(after).collect()
}

fn head(svg: &mut String, caption: &str) {
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} 560\" role=\"img\" \
         aria-labelledby=\"title desc\" font-family=\"ui-sans-serif, system-ui, sans-serif\">\n\
         <title id=\"title\">What is still known after compaction</title>\n\
         <desc id=\"desc\">Share of planted facts answered after 1, 3, 5 and 10 compactions, by method, \
         and the size of each method's context.</desc>\n<style>\n\
         .ground {{ fill: #ffffff }} .ink {{ fill: #1f2937 }} .soft {{ fill: #6b7280 }} \
         .rule {{ stroke: #e5e7eb }} .unseen {{ stroke-dasharray: 6 6; opacity: 0.7 }}\n"
    );
    for (index, (light, _)) in COLOURS.iter().enumerate() {
        let _ = writeln!(svg, ".s{index} {{ stroke: {light} }} .f{index} {{ fill: {light} }}");
    }
    svg.push_str("@media (prefers-color-scheme: dark) {\n.ground { fill: #111827 } .ink { fill: #f3f4f6 } .soft { fill: #9ca3af } .rule { stroke: #374151 }\n");
    for (index, (_, dark)) in COLOURS.iter().enumerate() {
        let _ = writeln!(svg, ".s{index} {{ stroke: {dark} }} .f{index} {{ fill: {dark} }}");
    }
    let _ = writeln!(
        svg,
        "}}\n</style>\n<rect class=\"ground\" width=\"{WIDTH}\" height=\"560\" rx=\"12\"/>\n\
         <text class=\"ink\" x=\"24\" y=\"34\" font-size=\"18\" font-weight=\"600\">What is still \
         known after compaction</text>\n\
         <text class=\"soft\" x=\"24\" y=\"55\" font-size=\"12\">Planted facts answered by the offline \
         demo model, in percent. Dashed: facts in words nobody fitted anything to.</text>\n\
         <text class=\"soft\" x=\"24\" y=\"72\" font-size=\"12\">{caption}</text>"
    );
}

fn x(compactions: f64) -> f64 {
    LEFT + (compactions - 1.0) / 9.0 * PLOT.0
}

fn y(percent: f64) -> f64 {
    TOP + (100.0 - percent) / 100.0 * PLOT.1
}

fn axes(svg: &mut String) {
    for percent in [0.0, 20.0, 40.0, 60.0, 80.0, 100.0] {
        let _ = writeln!(
            svg,
            "<line class=\"rule\" x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"soft\" x=\"{:.0}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{percent}</text>",
            LEFT + PLOT.0,
            LEFT - 8.0,
            y(percent) + 4.0,
            at = y(percent),
        );
    }
    for after in CHECKPOINTS {
        let _ = writeln!(
            svg,
            "<text class=\"soft\" x=\"{:.1}\" y=\"{:.0}\" font-size=\"11\" text-anchor=\"middle\">{after}</text>",
            x(f64::from(after)),
            TOP + PLOT.1 + 18.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"soft\" x=\"{:.0}\" y=\"{:.0}\" font-size=\"11\" text-anchor=\"middle\">compactions</text>",
        LEFT + PLOT.0 / 2.0,
        TOP + PLOT.1 + 36.0,
    );
}

fn line(svg: &mut String, class: &str, index: usize, points: &[(f64, f64)]) {
    if points.is_empty() {
        return;
    }
    let places: Vec<String> =
        points.iter().map(|(after, value)| format!("{:.1},{:.1}", x(*after), y(*value))).collect();
    let wide = if index < 2 { 3.0 } else { 1.8 };
    let _ = writeln!(
        svg,
        "<polyline class=\"{class}\" points=\"{}\" fill=\"none\" stroke-width=\"{wide}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
        places.join(" ")
    );
    for (after, value) in points {
        let _ = writeln!(
            svg,
            "<circle class=\"f{index}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{wide}\"/>",
            x(*after),
            y(*value)
        );
    }
}

/// Names at the ends of the lines, moved apart where they would touch.
fn labels(svg: &mut String, mut ends: Vec<(usize, f64)>) {
    ends.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut lowest = TOP - 20.0;
    for (index, value) in ends {
        let at = y(value).max(lowest + 16.0);
        lowest = at;
        let name = NAMES.get(index).copied().unwrap_or_default();
        let _ = writeln!(
            svg,
            "<text class=\"f{index}\" x=\"{:.0}\" y=\"{:.1}\" font-size=\"12\" font-weight=\"{}\">{name} \
             {value:.0}</text>",
            LEFT + PLOT.0 + 14.0,
            at + 4.0,
            if index < 2 { 600 } else { 400 },
        );
    }
}

fn sizes(svg: &mut String, report: &Report) {
    let top = TOP + PLOT.1 + 66.0;
    let _ = writeln!(
        svg,
        "<text class=\"ink\" x=\"24\" y=\"{top:.0}\" font-size=\"13\" font-weight=\"600\">Size of the \
         context after ten, in percent of all that was said</text>"
    );
    let rows = report.methods.iter().filter(|method| !method.name.contains("search"));
    for (row, method) in rows.enumerate() {
        let index = if row == 0 { 1 } else { row + 1 };
        let at = top + 18.0 + row as f64 * 24.0;
        let long = (method.size.min(100.0) / 100.0 * PLOT.0).max(2.0);
        let name = if row == 0 { "Skein" } else { method.name };
        let _ = writeln!(
            svg,
            "<text class=\"soft\" x=\"150\" y=\"{:.0}\" font-size=\"12\" text-anchor=\"end\">{name}</text>\
             <rect class=\"f{index}\" x=\"160\" y=\"{:.0}\" width=\"{long:.1}\" height=\"14\" rx=\"3\"/>\
             <text class=\"soft\" x=\"{:.0}\" y=\"{:.0}\" font-size=\"12\">{:.1}</text>",
            at + 11.0,
            at,
            168.0 + long,
            at + 11.0,
            method.size,
        );
    }
}
