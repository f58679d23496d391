//! `conform build` and `conform convert` as a person meets them.

mod support;

use std::fs;
use std::path::Path;

use conform::corpus::sha256;
use support::{Ran, build_input, conform, run, write};
use tempfile::TempDir;

fn said(folder: &Path, arguments: &[&str]) -> Ran {
    run(conform().args(arguments).current_dir(folder))
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "one.opbi", &build_input());
    write(folder.path(), "floor.obj", b"o floor\nv 0 0 0\nv 0 0 8\nv 8 0 8\nv 8 0 0\nf 1 2 3 4\n");
    folder
}

/// The first words of each line.
fn stages(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn each_stage_stands_in_a_line() {
    let folder = folder();
    let ran = said(folder.path(), &["build", "one.opbi"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let watershed = "one.opbi: stage voxelize low-hanging ledges low-ceilings compact erode distance regions contours \
                     polygons detail mesh total";
    assert_eq!(stages(&ran), watershed.split(' ').collect::<Vec<_>>());
    assert!(ran.stdout.starts_with("one.opbi: 3 vertices, 1 triangles\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  1024 columns, 528 spans, 528 walkable\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  1 polygons, "), "{}", ran.stdout);
    // Settings given go over those of the file; only the watershed needs distances.
    let ran = said(folder.path(), &["build", "one.opbi", "--partition", "monotone", "--cell-size", "0.5"]);
    assert_eq!(stages(&ran), watershed.replace(" distance", "").split(' ').collect::<Vec<_>>());
    assert!(ran.stdout.contains("  256 columns, "), "{}", ran.stdout);
}

#[test]
fn stages_pictures_and_the_mesh_are_written() {
    let folder = folder();
    let arguments = ["build", "one.opbi", "--json", "--stages", "made/bytes", "--svg", "made/svg", "-o", "one.opnm"];
    let ran = said(folder.path(), &arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let objects: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect();
    assert_eq!(objects.len(), 12);
    for (number, object) in (1..).zip(&objects) {
        let stage = object["stage"].as_str().unwrap();
        let ending = if stage == "mesh" { "opnm" } else { "bin" };
        let bytes = fs::read(folder.path().join(format!("made/bytes/{number:02}-{stage}.{ending}"))).unwrap();
        assert_eq!(
            (object["sha256"].as_str(), object["bytes"].as_u64()),
            (Some(&*sha256(&bytes)), Some(bytes.len() as u64))
        );
        assert!(object["seconds"].as_f64().is_some() && object["figures"].is_object());
        let svg = fs::read_to_string(folder.path().join(format!("made/svg/{number:02}-{stage}.svg"))).unwrap();
        assert!(svg.contains("<svg") && svg.contains("one.opbi"), "{stage}");
    }
    let mesh = fs::read(folder.path().join("one.opnm")).unwrap();
    assert_eq!(mesh, fs::read(folder.path().join("made/bytes/12-mesh.opnm")).unwrap());
    assert_eq!(said(folder.path(), &["inspect", "one.opnm"]).code, 0);
}

#[test]
fn an_obj_file_builds_as_what_it_is_converted_to() {
    let folder = folder();
    let options =
        ["--agent-radius", "0.5", "--cell-size", "0.25", "--max-verts-per-poly", "4", "--partition", "layers"];
    let ran = said(folder.path(), &[&["convert", "floor.obj", "floor.opbi"], options.as_slice()].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.one_line(), "floor.opbi: 4 vertices, 2 triangles, 232 bytes; its grid has 32 by 32 columns");
    let digests = |arguments: &[&str]| {
        let ran = said(folder.path(), arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        let digest = |line: &str| line.split('"').skip_while(|word| *word != "sha256").nth(2).map(str::to_owned);
        ran.stdout.lines().filter_map(digest).collect::<Vec<_>>()
    };
    let converted = digests(&["build", "floor.opbi", "--json"]);
    assert_eq!(converted.len(), 11);
    assert_eq!(digests(&[&["build", "floor.obj", "--json"], options.as_slice()].concat()), converted);
    assert_ne!(digests(&["build", "floor.obj", "--json"])[0], converted[0], "the defaults are others");
}

#[test]
fn what_cannot_be_built_is_said() {
    let folder = folder();
    let path = folder.path();
    write(path, "none.obj", b"hello\n");
    write(path, "cut.opbi", &build_input()[..50]);
    fs::create_dir(path.join("folder.obj")).unwrap();
    let line = |arguments: &[&str], code: i32| {
        let ran = said(path, arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran.one_line().to_owned()
    };
    let takes = "the ending tells no format that this command takes; it takes .opbi, .obj";
    assert_eq!(line(&["build", "one.txt"], 2), format!("conform: one.txt: {takes}"));
    assert_eq!(line(&["build", "no.obj"], 2), "conform: no.obj: there is no such file or folder");
    assert_eq!(line(&["build", "folder.obj"], 2), "conform: folder.obj: this is a folder, not a file");
    assert!(line(&["build", "none.obj"], 2).starts_with("conform: none.obj: there is no face in it"));
    assert!(line(&["build", "cut.opbi"], 1).starts_with("malformed: "));
    assert!(line(&["build", "one.opbi", "-o", "one.oprp"], 2).contains("it takes .opnm"));
    assert!(
        line(&["build", "one.opbi", "--stages", "one.opbi"], 2).starts_with("conform: one.opbi: cannot write it: ")
    );
    let fine = ["--cell-size", "0.001", "--cell-height", "0.001"];
    let ran = said(path, &[&["build", "one.opbi"], fine.as_slice()].concat());
    let refusal = "refused: grid.columns: found 64000000 (8000 by 8000), expected at most 4000000 columns (build: grid-over-limit)";
    assert_eq!((ran.code, ran.stdout.lines().last()), (1, Some(refusal)));
    let ran = said(path, &[&["build", "one.opbi", "--json"], fine.as_slice()].concat());
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, error["error"]["code"].as_str()), (1, Some("grid-over-limit")));

    let settings = ["convert", "floor.obj", "out.opbi", "--max-slope", "91"];
    assert_eq!(
        line(&settings, 2),
        "conform: floor.obj: settings.max_slope: found 91.0, expected 0 to 90 (build: setting-out-of-range)"
    );
    assert!(line(&["convert", "floor.obj", "out.opbi", "--cell-size", "0.002"], 2).contains("grid-over-limit"));
    assert!(line(&["convert", "one.opbi", "out.opbi"], 2).ends_with("this command takes an OBJ file (.obj)"));
    assert!(line(&["convert", "floor.obj", "out.obj"], 2).contains("it takes .opbi"));
    assert!(!path.join("out.opbi").exists());
}

#[test]
fn a_level_without_floor_is_a_mesh_without_polygons() {
    let folder = folder();
    let ran = said(folder.path(), &["build", "floor.obj", "--agent-radius", "100"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.ends_with("there is nothing to walk on: the mesh has no polygons\n"), "{}", ran.stdout);
}
