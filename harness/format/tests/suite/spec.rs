//! SPEC.md says what the code does: its codes, its limits, its tables and its worked examples.

use std::collections::{BTreeMap, BTreeSet};

use replay_format::{AgentOptions, Code, CrowdOptions, PathFollower, Stage, limits, xxh64};

use crate::fixtures;
use crate::layout::{Layout, read_state};

const SPEC: &str = include_str!("../../SPEC.md");

/// The chapters that this crate defines.
const CHAPTERS: [&str; 14] =
    ["GEN", "ERR", "HASH", "OPRS", "CO", "OPRP", "OP", "AO", "MESH", "STATE", "LIVE", "OPLR", "OPBI", "LIMITS"];

/// A row of the table of codes.
#[derive(Debug)]
pub struct CodeRow {
    pub code: String,
    pub stages: Vec<Stage>,
    pub clauses: String,
}

/// The text of a chapter or section.
fn section(heading: &str) -> &'static str {
    let (_, after) = SPEC.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let level = heading.split(' ').next().unwrap();
    after.split(&format!("\n{level} ")).next().unwrap()
}

/// The rows of the tables in a text, as their cells. Code marks are dropped.
fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("|---"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
}

/// The rows of the first table in a text.
fn first_table(text: &'static str) -> impl Iterator<Item = Vec<String>> {
    rows(text[text.find("\n|").expect("a table") + 1..].split("\n\n").next().unwrap())
}

/// The table of codes.
pub fn code_rows() -> Vec<CodeRow> {
    rows(section("### Codes"))
        .skip(1)
        .map(|cells| CodeRow {
            code: cells[0].clone(),
            stages: cells[1].split(", ").map(|name| Stage::parse(name).expect("a stage")).collect(),
            clauses: cells[2].clone(),
        })
        .collect()
}

/// Name, offset and text of each clause.
fn clauses() -> Vec<(&'static str, &'static str)> {
    SPEC.split("\n`[")
        .skip(1)
        .filter_map(|text| text.split_once("]` "))
        .map(|(name, text)| (name, text.split("\n\n").next().unwrap()))
        .collect()
}

#[test]
fn the_table_of_codes_is_that_of_the_code() {
    let told: Vec<_> = code_rows().into_iter().map(|row| row.code).collect();
    let known: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(told, known);
}

#[test]
fn every_code_has_its_words() {
    let messages = section("### Messages of the reference");
    // What stages play and build say is told in their chapters.
    let later = ["setting-out-of-range", "grid-over-limit", "unknown-agent", "ids-exhausted", "steps-exhausted"];
    for code in Code::ALL.iter().map(|code| code.as_str()).filter(|code| !later.contains(code)) {
        assert!(messages.contains(&format!("`{code}`")), "{code}");
    }
}

#[test]
fn the_clauses_of_the_table_of_codes_name_the_code() {
    let clauses: BTreeMap<_, _> = clauses().into_iter().collect();
    for row in code_rows() {
        for part in row.clauses.split(", ").filter(|part| !part.starts_with("chapter ") && !part.contains(" to ")) {
            // "GEN-9 in OPRS-6" and what follows it: GEN-9 names the code, OPRS-6 names GEN-9.
            let (rule, place) = part.split_once(" in ").map_or((None, part), |(rule, place)| (Some(rule), place));
            let clause = clauses.get(place).unwrap_or_else(|| panic!("no clause {place}"));
            if let Some(rule) = rule {
                assert!(clauses[rule].contains(&format!("`{}`", row.code)), "{rule} does not name {}", row.code);
            } else if place.starts_with("GEN") || place.starts_with("ERR") {
                assert!(clause.contains(&format!("`{}`", row.code)), "{place} does not name {}", row.code);
            }
        }
    }
}

#[test]
fn clauses_are_numbered_without_gaps_and_stand_in_their_chapters() {
    let mut seen = BTreeSet::new();
    for chapter in CHAPTERS.iter().filter(|&&chapter| chapter != "LIMITS") {
        let text = section(&format!("## {chapter}"));
        let names: Vec<_> = text.split("\n`[").skip(1).map(|clause| clause.split(']').next().unwrap()).collect();
        let expected: Vec<_> = (1..=names.len()).map(|number| format!("{chapter}-{number}")).collect();
        let mut sorted = names.clone();
        sorted.sort_by_key(|name| name.rsplit('-').next().unwrap().parse::<usize>().unwrap());
        assert_eq!(sorted, expected, "chapter {chapter}");
        assert!(!names.is_empty());
        seen.extend(names);
    }
    // Each clause that is referred to exists.
    let mut words = SPEC.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let referred = words.by_ref().filter(|word| {
        word.split_once('-').is_some_and(|(chapter, number)| {
            CHAPTERS.contains(&chapter) && number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty()
        })
    });
    for clause in referred {
        assert!(seen.contains(clause), "no clause {clause}");
    }
}

#[test]
fn every_limit_stands_in_the_table_with_its_value() {
    let source = include_str!("../../src/limits.rs");
    let constants = source.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("pub const ")?.split_once(':')?;
        let value = rest.split_once(" = ")?.1.trim_end_matches(';');
        let number = value.trim_start_matches("*b").trim_matches('"').replace('_', "");
        Some((name.to_owned(), if name == "SPEC_VERSION" { format!("{:#010x}", limits::SPEC_VERSION) } else { number }))
    });
    let constants: Vec<_> = constants.collect();
    let told: Vec<_> =
        first_table(section("## LIMITS")).skip(1).map(|cells| (cells[0].clone(), cells[1].clone())).collect();
    assert_eq!(told, constants);
}

#[test]
fn the_version_is_that_of_the_code() {
    assert!(SPEC.contains(&format!("Version **{}**", limits::SPEC_VERSION_TEXT)));
    let (major, minor) = (limits::SPEC_VERSION >> 16, limits::SPEC_VERSION & 0xffff);
    assert_eq!(format!("{major}.{minor}"), limits::SPEC_VERSION_TEXT);
}

/// The worked examples: label and text.
fn examples() -> Vec<(&'static str, &'static str)> {
    SPEC.split("\n```hex ")
        .skip(1)
        .map(|block| {
            let (label, text) = block.split_once('\n').unwrap();
            (label, &text[..text.find("```").expect("the end of the block")])
        })
        .collect()
}

#[test]
fn the_worked_examples_are_the_fixtures_and_are_read() {
    let examples = examples();
    let labels: BTreeSet<_> = examples.iter().map(|(label, _)| *label).collect();
    assert_eq!(labels, fixtures::ALL.iter().map(|(name, _)| *name).collect());
    assert_eq!(labels.len(), examples.len());
    for (label, text) in examples {
        assert_eq!(text, fixtures::text(label), "{label}");
        let bytes = fixtures::parse(text).0;
        if let Some((layout, _)) = Layout::ALL.iter().find(|(_, fixture)| *fixture == label) {
            assert_eq!(layout.rewrite(&bytes), Ok(bytes), "{label}");
        } else {
            assert_eq!((label, bytes.len()), ("options.bin", 25));
        }
    }
}

#[test]
fn the_hashes_of_the_worked_state_are_right() {
    let state = read_state(&fixtures::bytes("state.opcs")).unwrap();
    let mut told = vec![state.hash().unwrap()];
    for agent in &state.agents {
        let mut record = Vec::new();
        agent.write(&mut record).unwrap();
        told.push(xxh64(&record));
    }
    for hash in told {
        assert!(SPEC.contains(&format!("`{hash:016x}`")), "{hash:016x}");
    }
    let bytes: Vec<u8> = (0..100).collect();
    for bytes in [&b""[..], b"a", b"abc", &bytes[..32], &bytes] {
        assert!(section("## HASH").contains(&format!("`{:016x}`", xxh64(bytes))));
    }
}

#[test]
fn the_offsets_in_the_tables_are_those_of_the_fixtures() {
    for (chapter, fixture, fields) in [
        ("OPRS", "setup.oprs", 6),
        ("CO", "options.bin", 6),
        ("OPRP", "replay.oprp", 5),
        ("AO", "settings.bin", 13),
        ("MESH", "mesh.opnm", 6),
        ("STATE", "state.opcs", 6),
        ("OPBI", "build.opbi", 19),
    ] {
        let text = section(&format!("## {chapter}"));
        let told = first_table(text).filter(|cells| cells[0].parse::<usize>().is_ok());
        let mut checked = 0;
        for cells in told {
            let name = cells[3].split(' ').next().unwrap();
            let Some(field) = fixtures::parse(fixtures::text(fixture))
                .1
                .into_iter()
                .find(|field| field.says.split(' ').next() == Some(name))
            else {
                continue;
            };
            assert_eq!(field.offset.to_string(), cells[0], "{chapter}: {name}");
            checked += 1;
        }
        assert!(checked >= fields, "{chapter}: {checked} offsets");
    }
}

#[test]
fn the_defaults_in_the_tables_are_those_of_the_code() {
    let column = |chapter: &str| -> Vec<String> {
        let told = first_table(section(&format!("## {chapter}"))).skip(1);
        told.map(|cells| cells[6].clone()).collect()
    };
    let agent = AgentOptions::default();
    let follower = PathFollower::default();
    let expected = [
        format!("{:?}", agent.radius),
        format!("{:?}", agent.height),
        format!("{:?}", agent.max_speed),
        format!("{:?}", agent.max_acceleration),
        format!("{:?}", agent.neighbour_distance),
        format!("{:?}", agent.agent_horizon),
        format!("{:?}", agent.wall_horizon),
        format!("{:?}", agent.wall_clearance),
        agent.max_neighbours.to_string(),
        u8::from(agent.follower.is_some()).to_string(),
        format!("{:?}", follower.arrival_distance),
        format!("{:?}", follower.slowing_distance),
        format!("{:?}", follower.corner_cut),
    ];
    assert_eq!(column("AO"), expected);
    let crowd = CrowdOptions::default().to_bits();
    let expected = [
        crowd.max_agents.to_string(),
        crowd.query_nodes.to_string(),
        crowd.query_node_model.to_string(),
        crowd.max_walls_per_agent.to_string(),
        crowd.wall_refresh_distance.to_string(),
        crowd.max_walls_avoided.to_string(),
    ];
    assert_eq!(column("CO"), expected);
}
