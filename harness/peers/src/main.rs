//! The reference engine's mesh build beside rerecast's, a Rust port of Recast: the same levels, the same settings.
//!
//! `compare [DIRECTORY]` prints what comes out, `bench [DIRECTORY] [RUNS]` how long it takes.

mod levels;
mod ours;
mod run;
mod theirs;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crowd_engine::build::Partition;

use crate::levels::{Level, Soup, levels};
use crate::run::{Counts, STAGES, Times};

/// Where the levels are looked for: outside of the repository, beside it.
const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/meshes");
const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let directory = arguments.next().map_or_else(|| PathBuf::from(DIRECTORY), PathBuf::from);
    let runs = arguments.next().and_then(|runs| runs.parse().ok());
    let result = match command.as_str() {
        "compare" => each(levels(&directory), compare),
        "bench" => each(levels(&directory), |name, soup| bench(name, soup, runs)),
        _ => Err("compare [DIRECTORY] | bench [DIRECTORY] [RUNS]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn each(levels: Vec<Level>, what: impl Fn(&str, &Soup) -> Result<(), String>) -> Result<(), String> {
    for Level { name, soup } in levels {
        match soup {
            Ok(soup) => what(&name, &soup)?,
            Err(reason) => println!("{name}: {reason}"),
        }
    }
    Ok(())
}

fn compare(name: &str, soup: &Soup) -> Result<(), String> {
    println!(
        "{name:<20} {:>8} {:>8} {:>8} {:>7} {:>8} {:>9} {:>7}",
        "spans", "open", "eroded", "regions", "polygons", "m2", "detail"
    );
    let row = |label: &str, c: &Counts| {
        let Counts { spans, open, walkable, regions, polygons, area, triangles } = c;
        println!(
            "  {label:<18} {spans:>8} {open:>8} {walkable:>8} {regions:>7} {polygons:>8} {area:>9.1} {triangles:>7}"
        );
    };
    for partition in PARTITIONS {
        row(&format!("{partition:?} ours"), &ours::build(&ours::input(soup, partition))?.0);
        if partition == Partition::Watershed {
            row("Watershed rerecast", &theirs::build(theirs::input(soup))?.0);
        }
    }
    Ok(())
}

fn bench(name: &str, soup: &Soup, runs: Option<usize>) -> Result<(), String> {
    let runs = runs.unwrap_or(if soup.triangles.len() > 50_000 { 5 } else { 21 });
    let inputs = PARTITIONS.map(|partition| ours::input(soup, partition));
    let their_input = theirs::input(soup);
    let mut ours_times: [Vec<Times>; 3] = Default::default();
    let mut their_times: Vec<Times> = Vec::new();
    // In turns, so that whatever else the machine does meets all of them.
    for _ in 0..runs {
        for (input, times) in inputs.iter().zip(&mut ours_times) {
            times.push(ours::build(input)?.1);
        }
        their_times.push(theirs::build(their_input.clone())?.1);
    }
    println!("{name}: medians of {runs} runs, ms; in brackets ours / rerecast's watershed");
    println!("  {:<10} {:>9} {:>18} {:>18} {:>18}", "", "rerecast", "watershed", "monotone", "layers");
    let line = |label: &str, of: &dyn Fn(&Times) -> Duration| {
        let theirs = median(their_times.iter().map(of).collect());
        let mine = ours_times.each_ref().map(|times| median(times.iter().map(of).collect()));
        let cells = mine.map(|time| {
            let ratio = if theirs > 0.0 { format!("({:.2})", time / theirs) } else { String::new() };
            format!("{time:>10.2} {ratio:>7}")
        });
        println!("  {label:<10} {theirs:>9.2} {}", cells.join(" "));
    };
    for (index, stage) in STAGES.iter().enumerate() {
        line(stage, &|times: &Times| times[index]);
    }
    line("total", &|times: &Times| times.iter().sum());
    Ok(())
}

/// The one in the middle, ms.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}
