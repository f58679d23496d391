use std::collections::BTreeMap;

use crowd_engine::build::{
    AREA_NONE, AREA_WALKABLE, BRIDGE, BuildObserver, BuildStage, Contour, ContourSet, Heightfield, Settings,
    SkipReason, Skipped, Span, StageOutput, build_mesh,
};
use quick_xml::Reader;
use quick_xml::events::Event;
use replay_format::{Bits64, BuildInput, BuildSettingsBits};

use super::*;

/// A build's pictures, and what they are to say.
struct Pictures {
    painter: Painter,
    drawn: BTreeMap<String, String>,
    counts: Vec<(BuildStage, String)>,
}

impl BuildObserver for Pictures {
    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        let mut says = |text: String| self.counts.push((stage, text));
        match output {
            StageOutput::Heightfield(solids) => {
                let walkable = solids.spans.iter().filter(|span| span.area != AREA_NONE).count();
                says(format!("{} columns ({} by {})", solids.columns.len() - 1, solids.width, solids.depth));
                says(format!("{} spans", solids.spans.len()));
                says(format!("{walkable} walkable spans"));
            }
            StageOutput::Compact(spaces) => {
                let walkable = spaces.spans.iter().filter(|span| span.area != AREA_NONE).count();
                says(format!("{} spans", spaces.spans.len()));
                says(format!("{walkable} walkable spans"));
            }
            StageOutput::Distances(distances) => {
                says(format!("largest distance: {} half columns", distances.iter().max().unwrap_or(&0)));
            }
            StageOutput::Regions(map) => says(format!("{} regions", map.count)),
            StageOutput::Contours(set) => says(format!("{} contours", set.contours.len())),
            StageOutput::Polygons(mesh) => {
                says(format!("{} polygons", mesh.polygons.len()));
                says(format!("{} vertices", mesh.vertices.len()));
            }
            StageOutput::Detail(detail) => {
                says(format!("{} triangles", detail.polygons.iter().map(|p| p.triangles.len()).sum::<usize>()));
            }
            StageOutput::Mesh(mesh) => says(format!("{} polygons", mesh.polygon_count())),
        }
        self.drawn.insert(file_name(stage), self.painter.draw(stage, output));
    }
}

fn settings(partition: i32) -> BuildSettingsBits {
    BuildSettingsBits {
        agent_radius: Bits64::new(0.5),
        agent_height: Bits64::new(2.0),
        walkable_climb: Bits64::new(0.5),
        max_slope: Bits64::new(45.0),
        cell_size: Bits64::new(0.25),
        cell_height: Bits64::new(0.25),
        contour_max_error: Bits64::new(1.0),
        max_edge_length: Bits64::new(0.0),
        detail_sample_distance: Bits64::new(1.0),
        detail_max_error: Bits64::new(0.25),
        min_region_area: 0,
        merge_region_area: 0,
        max_verts_per_poly: 6,
        partition,
    }
}

fn pictures(title: &str, input: &BuildInput) -> Pictures {
    let painter = Painter::new(title, &Settings::new(&input.settings).unwrap());
    let mut pictures = Pictures { painter, drawn: BTreeMap::new(), counts: Vec::new() };
    build_mesh(input, &mut pictures).unwrap();
    pictures
}

/// A rectangle, facing up.
fn add_floor(input: &mut BuildInput, [x0, x1]: [f64; 2], [z0, z1]: [f64; 2], y: f64) {
    let first = u32::try_from(input.vertices.len()).unwrap();
    input.vertices.extend([[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
    input.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// Two storeys, a step, a low ceiling.
fn house(partition: i32) -> BuildInput {
    let mut input = BuildInput { settings: settings(partition), vertices: Vec::new(), triangles: Vec::new() };
    add_floor(&mut input, [0.0, 12.0], [0.0, 8.0], 0.0);
    add_floor(&mut input, [6.0, 12.0], [0.0, 8.0], 3.0);
    add_floor(&mut input, [1.0, 4.0], [1.0, 4.0], 0.5);
    add_floor(&mut input, [1.0, 4.0], [5.0, 7.0], 1.25);
    input
}

/// The names of the elements; fails where the text is not well-formed.
fn elements(svg: &str) -> Vec<String> {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_comments = true;
    let (mut names, mut depth) = (Vec::new(), 0);
    loop {
        let name = match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(start) => {
                depth += 1;
                start
            }
            Event::Empty(start) => start,
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Text(text) => {
                text.xml10_content().unwrap();
                continue;
            }
            _ => continue,
        };
        for attribute in name.attributes() {
            attribute.unwrap();
        }
        names.push(String::from_utf8(name.name().as_ref().to_vec()).unwrap());
    }
    assert_eq!(depth, 0);
    names
}

/// What stands in the picture as lines of text.
fn says(svg: &str, text: &str) -> bool {
    let mut lines: Vec<&str> = Vec::new();
    for part in svg.split("<text").skip(1) {
        lines.extend(part.split_once('>').and_then(|(_, rest)| rest.split_once('<')).map(|(text, _)| text));
    }
    lines.join(" ").contains(text)
}

#[test]
fn each_stage_has_a_well_formed_picture_with_its_counts() {
    for partition in 0..3 {
        let pictures = pictures("house", &house(partition));
        assert_eq!(pictures.drawn.len(), if partition == 0 { 12 } else { 11 });
        for svg in pictures.drawn.values() {
            let names = elements(svg);
            assert_eq!(names[..3], ["svg", "title", "rect"], "{svg}");
            assert!(says(svg, "x to the right, z downwards"));
            assert!(says(svg, "1 m"), "a scale bar");
        }
        assert!(pictures.counts.len() > 20);
        for (stage, text) in &pictures.counts {
            let svg = &pictures.drawn[&file_name(*stage)];
            let text = if text.starts_with("1 ") { text.trim_end_matches('s') } else { text };
            assert!(says(svg, text), "{stage} does not say {text:?}");
        }
    }
}

#[test]
fn the_same_build_gives_the_same_bytes() {
    assert_eq!(pictures("house", &house(0)).drawn, pictures("house", &house(0)).drawn);
}

#[test]
fn file_names_are_in_the_order_of_the_stages() {
    let names: Vec<String> = BuildStage::ALL.into_iter().map(file_name).collect();
    assert_eq!(
        (names[0].as_str(), names[3].as_str(), names[11].as_str()),
        ("01-voxelize.svg", "04-low-ceilings.svg", "12-mesh.svg")
    );
    assert!(names.is_sorted());
}

#[test]
fn a_title_is_text() {
    let title = "a <b> & \"c\" 'd' ]]> \u{1}\u{ffff} \u{1f600}";
    for svg in pictures(title, &house(1)).drawn.values() {
        elements(svg);
        assert!(svg.contains("a &lt;b&gt; &amp; "));
        assert!(!svg.contains("<b>") && !svg.contains('\u{1}'));
    }
    let long = "\u{e4}".repeat(500);
    let svg = &pictures(&long, &house(1)).drawn["01-voxelize.svg"];
    assert!(says(svg, &format!("{}\u{2026}", "\u{e4}".repeat(80))));
}

#[test]
fn an_empty_build_has_pictures_too() {
    let input = BuildInput { settings: settings(0), vertices: Vec::new(), triangles: Vec::new() };
    let pictures = pictures("nothing", &input);
    assert_eq!(pictures.drawn.len(), 12);
    for svg in pictures.drawn.values() {
        elements(svg);
        assert!(says(svg, "An empty grid"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    assert!(says(&pictures.drawn["01-voxelize.svg"], "0 spans"));
    assert!(says(&pictures.drawn["12-mesh.svg"], "0 polygons"));
}

#[test]
fn stages_without_the_earlier_ones_are_drawn() {
    struct Alone(Vec<String>, Settings);
    impl BuildObserver for Alone {
        fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
            self.0.push(Painter::new("alone", &self.1).draw(stage, output));
        }
    }
    let input = house(0);
    let mut alone = Alone(Vec::new(), Settings::new(&input.settings).unwrap());
    build_mesh(&input, &mut alone).unwrap();
    assert_eq!(alone.0.len(), 12);
    alone.0.iter().for_each(|svg| assert!(elements(svg).len() > 5));
}

fn column_of(spans: &[Span]) -> Heightfield {
    let count = u32::try_from(spans.len()).unwrap();
    Heightfield {
        origin: [0.0; 3],
        width: 1,
        depth: 1,
        cell_size: 0.25,
        cell_height: 0.25,
        columns: vec![0, count],
        spans: spans.to_vec(),
    }
}

fn span(floor: i32, ceiling: i32, area: u8) -> Span {
    Span { floor, ceiling, area }
}

fn painter() -> Painter {
    Painter::new("column", &Settings::new(&settings(0)).unwrap())
}

#[test]
fn two_storeys_are_two_rectangles() {
    let solids = column_of(&[span(0, 1, AREA_WALKABLE), span(12, 13, AREA_WALKABLE)]);
    let svg = painter().draw(BuildStage::Voxelize, StageOutput::Heightfield(&solids));
    // The upper one is pale and fills the column, the lower one is dark and a stripe.
    assert!(svg.contains(r##"<path fill="#f1f39e" d="M0 0h1v1h-1z"/>"##), "{svg}");
    assert!(svg.contains(r##"<path fill="#1e2670" d="M0 .3h1v.3h-1z"/>"##), "{svg}");
    assert!(says(&svg, "1 column with several walkable spans"));
}

#[test]
fn what_is_under_a_roof_is_a_wide_stripe() {
    let solids = column_of(&[span(0, 1, AREA_WALKABLE), span(12, 13, AREA_NONE)]);
    let svg = painter().draw(BuildStage::Voxelize, StageOutput::Heightfield(&solids));
    assert!(svg.contains(r#"d="M0 0h1v1h-1z""#) && svg.contains(r#"d="M0 .15h1v.7h-1z""#), "{svg}");
}

#[test]
fn a_filter_marks_what_it_took_and_gave() {
    let mut painter = painter();
    let before = column_of(&[span(0, 1, AREA_WALKABLE), span(12, 13, AREA_NONE)]);
    painter.draw(BuildStage::Voxelize, StageOutput::Heightfield(&before));
    let after = column_of(&[span(0, 1, AREA_NONE), span(12, 13, AREA_WALKABLE)]);
    let svg = painter.draw(BuildStage::LowHanging, StageOutput::Heightfield(&after));
    assert!(svg.contains(&format!(r#"<path fill="{}" d="M0 .3h1v.3h-1z"/>"#, colours::LOST)), "{svg}");
    assert!(svg.contains(&format!(r#"<path fill="{}" d="M0 0h1v1h-1z"/>"#, colours::WON)), "{svg}");
    assert!(says(&svg, "1 span lost") && says(&svg, "1 span won"));
    // The next filter changes nothing.
    let svg = painter.draw(BuildStage::Ledges, StageOutput::Heightfield(&after));
    assert!(says(&svg, "0 spans lost") && says(&svg, "0 spans won"));
}

#[test]
fn contours_tell_walls_portals_and_bridges_apart() {
    let set = ContourSet {
        contours: vec![Contour {
            region: 1,
            area: AREA_WALKABLE,
            vertices: vec![[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0], [2, 0, 2]],
            neighbours: vec![0, 0, 2, BRIDGE, BRIDGE],
        }],
        skipped: (1..=20).map(|region| Skipped { region, reason: SkipReason::NoEar }).collect(),
    };
    let svg = painter().draw(BuildStage::Contours, StageOutput::Contours(&set));
    elements(&svg);
    for text in ["wall: 2 edges", "portal to another region: 1 edge", "hole in it: 2 edges", "5 vertices"] {
        assert!(says(&svg, text), "{text}");
    }
    assert!(says(&svg, "20 contours skipped region 1: no ear to cut"));
    assert!(says(&svg, "region 12: no ear to cut and 8 more"));
    assert!(svg.contains(&format!(r#"<path d="M4 4v-4" fill="none" stroke="{}""#, colours::PORTAL)), "{svg}");
    assert!(svg.contains("stroke-dasharray"));
}

#[test]
fn the_middle_of_a_floor_is_a_maximum_and_has_the_number() {
    let mut input = BuildInput { settings: settings(0), vertices: Vec::new(), triangles: Vec::new() };
    add_floor(&mut input, [-4.0, 4.0], [-4.0, 4.0], 1.0);
    let pictures = pictures("floor", &input);
    assert!(says(&pictures.drawn["07-distance.svg"], "1 maximum: farther than all around"));
    assert!(pictures.drawn["08-regions.svg"].contains("<title>region 1: "));
    assert!(pictures.drawn["10-polygons.svg"].contains("<title>polygon 0, region 1</title>"));
    // The axes are in the world.
    assert!(says(&pictures.drawn["12-mesh.svg"], "-4 -3 -2 -1 0 1 2 3 4"));
}

#[test]
fn a_second_number_leaves_the_first_free() {
    let frame = frame::Frame::empty(&Settings::new(&settings(0)).unwrap());
    let mut labels = labels::Labels::new(&frame, 10.0);
    labels.add([0, 0], "first", 100.0);
    labels.add([10, 0], "second", 100.0);
    labels.add([9000, 0], "no room", 4.0);
    labels.add([9000, 0], "third", 100.0);
    let mut canvas = Canvas::new();
    labels.draw(&mut canvas);
    let svg = canvas.finish();
    let times = |text: &str| svg.matches(text).count();
    // Each with its rim.
    assert_eq!(["first", "second", "no room", "third"].map(times), [2, 0, 0, 2]);
}

/// A floor with noise of a few steps.
fn noisy(side: u32, area: impl Fn(u64) -> u8) -> Heightfield {
    let mut state = 7_u64;
    let mut spans = Vec::new();
    for _ in 0..side * side {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = state >> 33;
        spans.push(span(0, 1 + i32::try_from(noise % 40).unwrap(), area(noise / 64)));
    }
    let columns = (0..=side * side).collect();
    Heightfield { origin: [0.0; 3], width: side, depth: side, cell_size: 0.3, cell_height: 0.2, columns, spans }
}

#[test]
fn a_noisy_level_is_a_small_file() {
    let mut painter = painter();
    let solids = noisy(300, |noise| if noise % 3 == 0 { AREA_NONE } else { AREA_WALKABLE });
    let svg = painter.draw(BuildStage::Voxelize, StageOutput::Heightfield(&solids));
    assert!(svg.len() < 1_500_000, "{} bytes", svg.len());
    // A floor without noise is one rectangle a row at most.
    let mut flat = noisy(300, |_| AREA_WALKABLE);
    flat.spans.iter_mut().for_each(|span| span.ceiling = 1);
    let svg = painter.draw(BuildStage::Voxelize, StageOutput::Heightfield(&flat));
    assert!(svg.len() < 10_000, "{} bytes", svg.len());
    assert!(svg.contains("M0 0h300v300h-300z"));
}

#[test]
fn a_large_grid_is_drawn_in_blocks_and_says_so() {
    let mut solids = noisy(1001, |_| AREA_WALKABLE);
    solids.spans.iter_mut().for_each(|span| span.ceiling = 1);
    let mut painter = painter();
    let svg = painter.draw(BuildStage::Voxelize, StageOutput::Heightfield(&solids));
    assert!(says(&svg, "columns are drawn in blocks of 3 by 3"));
    assert!(svg.contains("M0 0h1001v1001h-1001z"));
    // One lost span among a million is still seen.
    solids.spans[500_000].area = AREA_NONE;
    let svg = painter.draw(BuildStage::Ledges, StageOutput::Heightfield(&solids));
    assert!(svg.contains(&format!(r#"<path fill="{}" d="M"#, colours::LOST)));
}

#[test]
fn numbers_are_short() {
    let text = |value| Hundredths(value).to_string();
    let numbers = [0, 5, 50, 100, 105, 110, -1, -250].map(text);
    assert_eq!(numbers, ["0", ".05", ".5", "1", "1.05", "1.1", "-.01", "-2.5"]);
    assert_eq!([0.125, -0.0, 17.0, -3.5].map(metres), ["0.125", "0", "17", "-3.5"]);
}

#[test]
fn neighbouring_regions_have_different_colours() {
    for id in 1..2000 {
        for other in id + 1..id + 8 {
            let (a, b) = (colours::region(id), colours::region(other));
            let far = a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)).max(a.2.abs_diff(b.2));
            assert!(far > 24, "{id} {a} and {other} {b}");
        }
    }
}
