//! `conform run` on a small corpus: green as it is, red for each thing that is wrong, with a message that says what and where.

mod support;

use std::fs;
use std::path::Path;

use support::{run_corpus, seal, small_corpus, write};

#[test]
fn a_corpus_as_it_is_conforms() {
    let (_folder, root) = small_corpus();
    let ran = run_corpus(&root, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("\nverdict         conforms\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\ncases           7 of 7 selected\n"), "{}", ran.stdout);
    // The replay's 12 steps and the capture's 5.
    assert!(ran.stdout.contains("\nsteps           17 replayed\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the sidecar has no [scenario]"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("corpus: "), "{}", ran.stderr);
}

#[test]
fn names_are_listed_and_select() {
    let (_folder, root) = small_corpus();
    let all = run_corpus(&root, &["--list"]);
    assert_eq!((all.code, all.stderr.as_str()), (0, ""));
    let names: Vec<&str> = all.stdout.lines().collect();
    assert_eq!(names.len(), 43);
    assert_eq!(names[0], "build::one::sidecar");
    assert!(names.contains(&"malformed::replay/agent-99::error"));
    let some = run_corpus(&root, &["--list", "small::ha", "malformed::replay::agent-99::error"]);
    assert_eq!(some.stdout, "malformed::replay/agent-99::error\nreplay::small::hashes\n");
    let tagged = run_corpus(&root, &["--list", "--tag", "setup", "::error"]);
    assert_eq!(tagged.stdout, "malformed::setup/version-2::error\n");
}

#[test]
fn shards_part_the_cases() {
    let (_folder, root) = small_corpus();
    let all = run_corpus(&root, &["--list"]).stdout;
    let mut parts: Vec<String> = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        parts.extend(run_corpus(&root, &["--list", "--shard", shard]).stdout.lines().map(str::to_owned));
    }
    let mut names: Vec<&str> = all.lines().collect();
    names.sort_unstable();
    parts.sort_unstable();
    assert_eq!(parts, names);
    let empty = run_corpus(&root, &["--shard", "9/9"]);
    assert_eq!(empty.code, 0);
    assert!(empty.stderr.contains("shard 9/9 is empty, as there are only 7 matching cases"), "{}", empty.stderr);
    assert!(empty.stdout.contains("empty shard, there are more shards than cases"), "{}", empty.stdout);
}

#[test]
fn a_filter_that_selects_nothing_is_no_success() {
    let (_folder, root) = small_corpus();
    let ran = run_corpus(&root, &["no-such-case"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.one_line(), "conform: nothing is selected by no-such-case; `conform run --list` prints all names");
    assert_eq!(run_corpus(&root, &["--tag", "no-such-tag", "--shard", "9/9"]).code, 2);
}

/// Breaks a corpus, seals it, and demands red with these words.
fn red(break_it: impl FnOnce(&Path), words: &[&str]) {
    let (_folder, root) = small_corpus();
    break_it(&root);
    seal(&root);
    let ran = run_corpus(&root, &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    for word in words {
        assert!(ran.stdout.contains(word), "{word:?} is not in\n{}", ran.stdout);
    }
}

fn edit(root: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(path)).unwrap();
    assert!(text.contains(from), "{from:?} is not in\n{text}");
    fs::write(root.join(path), text.replace(from, to)).unwrap();
}

#[test]
fn a_wrong_hash_is_shown_with_its_operations() {
    let step_5 = |root: &Path| {
        let path = root.join("replays/small.oprp");
        let mut bytes = fs::read(&path).unwrap();
        let replay = replay_format::Replay::read(&bytes).unwrap();
        let at = usize::try_from(replay.steps[5].operations_offset).unwrap() + replay.steps[5].operations.len();
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    red(
        step_5,
        &[
            "FAILED replay::small::hashes (hash-mismatch)\n    step 5 of 12: replayed hash is ",
            "      1 of 12 hashes differ\n      operation 0 (byte ",
            "): Teleport agent 2 to (12.0, 0.0, 4.0)\n",
            "FAILED replay::small::threads",
        ],
    );
}

#[test]
fn an_expected_bad_step_must_be_the_first() {
    red(
        |root| edit(root, "replays/small.toml", "agents =", "first_bad_step = 3\nagents ="),
        &["every hash is as recorded, but step 3 is expected to be bad"],
    );
}

#[test]
fn wrong_expectations_are_named() {
    red(
        |root| edit(root, "replays/small.toml", "agents = 3", "agents = 4"),
        &["FAILED replay::small::expect (value-differs)\n    the number of agents at the end is 3, expected 4\n"],
    );
    red(
        |root| edit(root, "setups/end.toml", "state_hash = \"", "state_hash = \"0123456789abcdef\" # "),
        &["FAILED setup::end::restore (value-differs)\n    the state hash is ", ", expected 0123456789abcdef\n"],
    );
    red(
        |root| edit(root, "builds/one.toml", "triangles = 1", "triangles = 2"),
        &["FAILED build::one::expect (value-differs)\n    the number of triangles is 1, expected 2\n"],
    );
    red(
        |root| edit(root, "builds/one.toml", "polygons = 1", "polygons = 2"),
        &["FAILED build::one::expect (value-differs)\n    the number of polygons is 1, expected 2\n"],
    );
    red(
        |root| edit(root, "malformed/setup/version-2.toml", "offset = 4", "offset = 5"),
        &[
            "FAILED malformed::setup/version-2::error (error-differs)\n    the offset is byte 4, expected byte 5\n",
            "      the error: version: found 2, expected 1 (read at byte 4: version-unsupported)\n",
        ],
    );
    red(
        |root| edit(root, "live/late.toml", "first_step = 7", "first_step = 6"),
        &[
            "FAILED live::late::same-as-replay (snapshot-differs)",
            "before step 6: first difference at byte 16 (start_step, 6)",
        ],
    );
    red(
        |root| edit(root, "live/late.toml", "skip_operations = 1", "skip_operations = 0"),
        &["FAILED live::late::same-as-replay (snapshot-differs)"],
    );
}

#[test]
fn a_stage_that_differs_is_named() {
    // One digest, and the digests of a stage and all after it.
    let wrong = |root: &Path, stages: &[&str]| {
        let path = root.join("builds/one.toml");
        let text = fs::read_to_string(&path).unwrap();
        let line = |line: &str| match line.split_once(" = ") {
            Some((name, _)) if stages.contains(&name) => format!("{name} = \"{}\"\n", "0".repeat(64)),
            _ => format!("{line}\n"),
        };
        fs::write(path, text.lines().map(line).collect::<String>()).unwrap();
    };
    let zeros = "0".repeat(64);
    red(
        |root| wrong(root, &["erode"]),
        &[
            "FAILED build::one::stages (stage-differs)\n    stage erode: the SHA-256 of its bytes is ",
            &format!(", the sidecar says {zeros}\n"),
            "of the later stages these are as expected: distance, regions, contours, polygons, detail, mesh\n",
        ],
    );
    red(
        |root| wrong(root, &["detail", "mesh"]),
        &["(stage-differs)\n    stage detail: ", "      no later stage is as expected\n"],
    );
    red(
        |root| edit(root, "builds/one.toml", "erode = ", "# "),
        &["FAILED build::one::stages (stages-differ)\n    the build has stage erode where the sidecar has distance\n"],
    );
    red(
        |root| edit(root, "builds/one.toml", "mesh = ", "# "),
        &["FAILED build::one::stages (stages-differ)\n    the sidecar has no digest of stage mesh\n"],
    );
}

#[test]
fn the_mesh_is_that_of_the_file_beside_the_input() {
    let mesh = "builds/one.opnm";
    red(
        |root| {
            let mut bytes = fs::read(root.join(mesh)).unwrap();
            bytes[24] ^= 1;
            write(root, mesh, &bytes);
        },
        &[
            "FAILED build::one::mesh (bytes-differ)\n    the mesh is not builds/one.opnm: first difference at byte 24 (vertices[0].x, 0.75",
        ],
    );
    red(
        |root| fs::remove_file(root.join(mesh)).unwrap(),
        &["FAILED build::one::mesh (file-missing)\n    there is no builds/one.opnm with the mesh that must come out\n"],
    );
}

#[test]
fn how_exact_an_error_must_be_can_be_told() {
    let (_folder, root) = small_corpus();
    let sidecar = "malformed/setup/version-2.toml";
    edit(&root, sidecar, "offset = 4", "offset = 5");
    let code = |mode: &str| run_corpus(&root, &["::error", "--errors", mode]).code;
    assert_eq!([code("exact"), code("code"), code("reject")], [1, 0, 0]);
    edit(&root, sidecar, "version-unsupported\"", "kind-unsupported\"");
    assert_eq!([code("exact"), code("code"), code("reject")], [1, 1, 0]);
    let good = fs::read(root.join("setups/end.oprs")).unwrap();
    write(&root, "malformed/setup/version-2.oprs", &good);
    assert_eq!([code("exact"), code("code"), code("reject")], [1, 1, 1]);
}

#[test]
fn halves_of_cases_fail() {
    red(
        |root| fs::remove_file(root.join("replays/small.toml")).unwrap(),
        &[
            "FAILED replay::small::sidecar (sidecar-missing)\n    replays/small.oprp has no sidecar, replays/small.toml\n",
        ],
    );
    red(
        |root| fs::remove_file(root.join("replays/small.oprp")).unwrap(),
        &[
            "FAILED replay::small::sidecar (file-missing)\n    replays/small.toml has no file: small with the ending .oprp\n",
            "ERROR live::late::same-as-replay (unreadable)",
        ],
    );
    red(
        |root| fs::rename(root.join("setups/end.oprs"), root.join("setups/end.opnm")).unwrap(),
        &[
            "FAILED setup::end::sidecar (wrong-ending)\n    setups/end.opnm: a mesh snapshot does not belong into setups/\n",
        ],
    );
    red(
        |root| edit(root, "builds/one.toml", "[expect]", "[expect]\nvertexes = 3"),
        &[
            "FAILED build::one::sidecar (sidecar-invalid)\n    builds/one.toml: line 7, column 1: unknown field `vertexes`",
        ],
    );
}

#[test]
fn strays_and_digests_are_noticed() {
    red(
        |root| write(root, "replays/notes.txt", b""),
        &["FAILED corpus::whole::strays (stray-files)", "replays/notes.txt"],
    );
    let (_folder, root) = small_corpus();
    let mut bytes = fs::read(root.join("builds/one.opbi")).unwrap();
    bytes[8] = 1;
    write(&root, "builds/one.opbi", &bytes);
    write(&root, "builds/two.opbi", &bytes);
    let ran = run_corpus(&root, &[]);
    assert_eq!(ran.code, 1);
    for word in [
        "FAILED build::one::digest (digest-mismatch)\n    builds/one.opbi: the SHA-256 of its bytes is ",
        "FAILED corpus::whole::digests (digests-differ)",
        "      builds/two.opbi is not in SHA256SUMS\n",
        "FAILED build::two::sidecar (sidecar-missing)",
    ] {
        assert!(ran.stdout.contains(word), "{word:?} is not in\n{}", ran.stdout);
    }
    let (_folder, root) = small_corpus();
    let mesh = [fs::read(root.join("builds/one.opnm")).unwrap().as_slice(), b"x"].concat();
    write(&root, "builds/one.opnm", &mesh);
    let ran = run_corpus(&root, &["build::one::digest"]);
    let word = "FAILED build::one::digest (digest-mismatch)\n    builds/one.opnm: the SHA-256 of its bytes is ";
    assert!(ran.code == 1 && ran.stdout.contains(word), "{}", ran.stdout);
}

#[test]
fn reports_are_written_and_one_that_is_cut_is_none() {
    let (folder, root) = small_corpus();
    let [report, junit] = ["run.jsonl", "run.xml"].map(|name| folder.path().join(name));
    let arguments = ["--report", report.to_str().unwrap(), "--junit", junit.to_str().unwrap()];
    assert_eq!(run_corpus(&root, &arguments).code, 0);
    let bytes = fs::read(&report).unwrap();
    let run = reports::read_run(bytes.as_slice()).unwrap();
    assert_eq!(run.cases().len(), 7);
    assert_eq!(run.footer().verdict, reports::Verdict::Conforms);
    assert!(fs::read_to_string(junit).unwrap().contains("classname=\"malformed.replay/agent-99\""));
    // The last byte is a line feed, which may be missing.
    for length in 0..bytes.len() - 1 {
        assert!(reports::read_run(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    let nowhere = folder.path().join("no/such/folder");
    let ran = run_corpus(&root, &["--report", nowhere.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("cannot write it"), "{}", ran.stderr);
    assert!(ran.stdout.is_empty(), "nothing was run");
}

#[test]
fn the_same_in_any_number_of_jobs() {
    let (folder, root) = small_corpus();
    let report = |jobs: &str| {
        let path = folder.path().join(format!("{jobs}.jsonl"));
        assert_eq!(run_corpus(&root, &["--jobs", jobs, "--report", path.to_str().unwrap()]).code, 0);
        let run = reports::read_run(fs::read(path).unwrap().as_slice()).unwrap();
        let outcomes = run.cases().iter().map(|case| {
            (case.path(), case.figures, case.checks.iter().map(|check| check.outcome.clone()).collect::<Vec<_>>())
        });
        outcomes.collect::<Vec<_>>()
    };
    assert_eq!(report("1"), report("5"));
}
