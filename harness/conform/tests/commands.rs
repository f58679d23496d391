//! The commands as a person meets them: exit codes, one clear line for whatever is wrong, no panic.

mod support;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Ran, conform, recordings, run, run_corpus, small_corpus, write};
use tempfile::TempDir;

fn said(arguments: &[&str]) -> Ran {
    run(conform().args(arguments))
}

#[test]
fn every_command_explains_itself() {
    for command in ["run", "play", "inspect", "record", "build", "convert", "bless", "copy"] {
        let ran = said(&[command, "--help"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("Example"), "{command} has no example:\n{}", ran.stdout);
        assert!(ran.stdout.contains("Exit codes: "), "{command} does not tell its exit codes");
        assert!(ran.stdout.contains(&format!("conform {command}")));
    }
    assert_eq!(said(&["--help"]).code, 0);
    assert!(said(&["--version"]).stdout.starts_with("conform "));
}

#[test]
fn bad_arguments_are_no_verdict() {
    for arguments in [
        [].as_slice(),
        &["no-such-command"],
        &["run", "--jobs", "0"],
        &["run", "--shard", "3/2"],
        &["run", "--errors", "never"],
        &["play"],
        &["play", "x.oprp", "--threads", "0"],
        &["play", "x.oprp", "--dump-steps", "1..2"],
        &["play", "x.oprp", "--dump-steps", "2..1", "--out", "y"],
        &["inspect", "x.oprp", "--step", "-1"],
        &["record", "x.toml"],
        &["build"],
        &["build", "x.opbi", "--cell-size", "small"],
        &["build", "x.opbi", "--partition", "3"],
        &["convert", "x.obj"],
    ] {
        let ran = said(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.is_empty() && !ran.stderr.contains("panicked"), "{arguments:?}");
    }
}

/// The file commands on files that cannot be used: code 2 and one line that names the file.
#[test]
fn files_that_cannot_be_had() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    write(folder.path(), "text.txt", b"x");
    write(folder.path(), "noending", b"x");
    write(folder.path(), "file", b"x");
    fs::create_dir(at("folder.oprp")).unwrap();
    for command in ["play", "inspect"] {
        for (file, why) in [
            (at("missing.oprp"), "there is no such file or folder"),
            (at("folder.oprp"), "this is a folder, not a file"),
            (at("text.txt"), "the ending tells no format that this command takes; it takes .oprp, "),
            (at("noending"), "the ending tells no format"),
            (at("file/inside.oprp"), ""),
        ] {
            let ran = said(&[command, &file]);
            assert_eq!(ran.code, 2, "{command} {file}");
            let line = ran.one_line();
            assert!(line.starts_with(&format!("conform: {file}: ")) && line.contains(why), "{line}");
            assert!(ran.stdout.is_empty());
        }
    }
    assert_eq!(said(&["play", &at("x.oprs")]).code, 2);
    assert_eq!(said(&["inspect", &at("x.opbi"), "--step", "1"]).code, 2);
}

#[cfg(unix)]
#[test]
fn files_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    write(folder.path(), "closed.oprp", b"x");
    let path = folder.path().join("closed.oprp");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Nothing is closed to this user.
    }
    let ran = said(&["play", path.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.one_line().ends_with("no permission to read it"));
}

/// Malformed files are a verdict, not a failure to run: code 1 and one line of what is wrong.
#[test]
fn malformed_files_do_not_conform() {
    let folder = TempDir::new().unwrap();
    let (replay, live, _) = recordings();
    let mut huge = b"OPRP\x01\x01\0\0".to_vec();
    huge.extend(i32::MAX.to_le_bytes());
    huge.extend([0; 48]);
    let mut cut = live.clone();
    cut.truncate(live.len() - 1);
    for (name, bytes, words) in [
        ("empty.oprp", [].as_slice(), "magic: found 0 of its bytes, expected 4 bytes (read at byte 0: truncated)"),
        ("huge.oprp", &huge, "length-exceeds-input"),
        ("cut.oplr", &cut, "truncated"),
        ("swapped.oplr", &replay, "magic-mismatch"),
    ] {
        write(folder.path(), name, bytes);
        let file = folder.path().join(name).display().to_string();
        let ran = said(&["play", &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{name}");
        assert!(ran.one_line().starts_with("malformed: ") && ran.stdout.contains(words), "{}", ran.stdout);
        let ran = said(&["inspect", &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{name}");
        assert!(ran.stdout.lines().last().unwrap().starts_with("malformed: "), "{}", ran.stdout);
    }
}

/// An error in the play of a live capture stands at its record.
#[test]
fn an_error_in_a_live_capture_names_its_record() {
    let folder = TempDir::new().unwrap();
    let (_, live, _) = recordings();
    let capture = replay_format::LiveCapture::read(&live).unwrap();
    // A second operation before the first step, of an agent that is gone.
    let at = usize::try_from(capture.records[1].0).unwrap();
    let mut bytes = live[..at].to_vec();
    bytes.extend(b"\x01\x04\x03\0\0\0\0\0\0\0");
    bytes.extend(&live[at..]);
    write(folder.path(), "gone.oplr", &bytes);
    let ran = said(&["play", folder.path().join("gone.oplr").to_str().unwrap()]);
    assert!(ran.stdout.starts_with("malformed: records[1].operation.agent: found 3, "), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("(play at byte {}: unknown-agent)", at + 2)), "{}", ran.stdout);
}

/// Numbers that no bytes back must not take memory or time.
#[test]
fn claims_without_bytes_are_cheap() {
    let folder = TempDir::new().unwrap();
    let (_, _, mut setup) = recordings();
    setup[24..28].copy_from_slice(&i32::MAX.to_le_bytes());
    write(folder.path(), "many.oprs", &setup);
    let ran = said(&["inspect", folder.path().join("many.oprs").to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.contains("options.max_agents: found 2147483647, expected 1 to 1000000"), "{last}");
}

#[test]
fn corpora_that_cannot_be_used() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    write(folder.path(), "file", b"x");
    fs::create_dir(at("empty")).unwrap();
    fs::create_dir_all(at("odd/corpus.toml")).unwrap();
    let head = "title = \"t\"\nlayouts = \"ours\"\n";
    write(folder.path(), "future/corpus.toml", format!("{head}spec = \"9.0\"\n").as_bytes());
    write(folder.path(), "broken/corpus.toml", b"title = \n");
    write(folder.path(), "binary/corpus.toml", &[0xff, 0xfe]);
    write(folder.path(), "spaced/corpus.toml", format!("{head}spec = \"1.0\"\n").as_bytes());
    write(folder.path(), "spaced/replays/a b.oprp", b"");
    for (name, why) in [
        ("missing", "there is no such file or folder"),
        ("file", "this is a file; a corpus is a folder"),
        ("empty", "this is no corpus: it has no corpus.toml"),
        ("odd", "this is no corpus: it has no corpus.toml"),
        ("future", "corpus.toml: the corpus is of SPEC version \"9.0\", this program of \"1.0\""),
        ("broken", "corpus.toml: line 1, column "),
        ("binary", "corpus.toml: it is not UTF-8 text"),
        ("spaced", "replays/a b.oprp: a case's name is made of the letters"),
    ] {
        let ran = run_corpus(&at(name), &[]);
        assert_eq!(ran.code, 2, "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.one_line().contains(why), "{name}: {}", ran.stderr);
        let ran = run(conform().arg("bless").arg("--corpus").arg(at(name)));
        assert_eq!(ran.code, 2, "{name}");
        assert!(ran.one_line().contains(why), "{name}: {}", ran.stderr);
    }
}

#[test]
fn without_a_folder_the_embedded_corpus_is_used() {
    let folder = TempDir::new().unwrap();
    let ran = run(conform().args(["run", "corpus::whole::settings"]).current_dir(folder.path()));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.starts_with("corpus: embedded in this program"), "{}", ran.stderr);
    let (_kept, root) = small_corpus();
    let ran = run(conform().args(["run", "corpus::"]).current_dir(root.parent().unwrap()));
    let here = Path::new(".").join("corpus").display().to_string();
    assert!(ran.stderr.starts_with(&format!("corpus: {here} (small)")), "{}", ran.stderr);
}

#[test]
fn the_embedded_corpus_is_copied_and_conforms_to_its_digests() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("new/corpus");
    let ran = run(conform().arg("copy").arg(&to));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let listed = |root: Option<&Path>| {
        let mut command = conform();
        command.args(["run", "--list"]).current_dir(folder.path());
        if let Some(root) = root {
            command.arg("--corpus").arg(root);
        }
        run(&mut command).stdout
    };
    assert_eq!(listed(Some(&to)), listed(None));
    let again = run(conform().arg("copy").arg(&to));
    assert_eq!(again.code, 2);
    assert!(again.one_line().ends_with("the folder is not empty"));
    let onto_file = run(conform().arg("copy").arg(to.join("corpus.toml")));
    assert_eq!(onto_file.code, 2);
    assert!(onto_file.one_line().contains("corpus.toml: "), "{}", onto_file.stderr);
}

#[test]
fn a_play_says_what_it_found() {
    let (_folder, root) = small_corpus();
    let file = root.join("replays/small.oprp");
    for threads in ["1", "7"] {
        let ran = said(&["play", file.to_str().unwrap(), "--threads", threads]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.starts_with("conforms: 12 of 12 hashes are as recorded; 3 agents at the end, final hash "));
    }
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 0x80;
    fs::write(&file, bytes).unwrap();
    let ran = said(&["play", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(ran.stdout.starts_with("does not conform: step 11 of 12: replayed hash is "), "{}", ran.stdout);
    assert!(ran.stdout.contains("  1 of 12 hashes differ; "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("  no operations before this step\n"), "{}", ran.stdout);
}

#[test]
fn states_are_dumped_and_can_be_inspected() {
    let (folder, root) = small_corpus();
    let file = root.join("replays/small.oprp");
    let out = folder.path().join("a/b");
    let dump = |range: &str| run(conform().arg("play").arg(&file).args(["--dump-steps", range, "--out"]).arg(&out));
    assert_eq!(dump("10..12").code, 0);
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["small.step-000010.opcs", "small.step-000011.opcs"]);
    // The state at the end is that of the setup block taken then.
    let setup = fs::read(root.join("setups/end.oprs")).unwrap();
    assert!(setup.ends_with(&fs::read(out.join("small.step-000011.opcs")).unwrap()));
    let ran = said(&["inspect", out.join("small.step-000011.opcs").to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("agents[2].position.x"), "{}", ran.stdout);
    let beyond = dump("10..13");
    assert_eq!(beyond.code, 2);
    assert!(beyond.one_line().contains("has 12 steps, there is no step 12"));
}

#[test]
fn a_step_is_shown_with_its_operations() {
    let (_folder, root) = small_corpus();
    let inspect = |path: &str, step: &str| run(conform().arg("inspect").arg(root.join(path)).args(["--step", step]));
    let ran = inspect("replays/small.oprp", "7");
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("operation 0 (byte ") && ran.stdout.contains("): Stop agent 1\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("): Remove agent 3\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("steps[6]") && !ran.stdout.contains("steps[8]"), "{}", ran.stdout);
    // The same step is the first of the capture, without the operation that came before the snapshot.
    let ran = inspect("live/late.oplr", "0");
    assert!(!ran.stdout.contains("Stop agent 1") && ran.stdout.contains("): Remove agent 3\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("records[1].hash") && !ran.stdout.contains("records[2]"), "{}", ran.stdout);
    let ran = inspect("live/late.oplr", "5");
    assert_eq!(ran.code, 2);
    assert!(ran.one_line().ends_with("late.oplr has 5 steps, there is no step 5"), "{}", ran.stderr);
}

#[test]
fn json_can_be_read_back() {
    let (_folder, root) = small_corpus();
    for (path, code) in [("replays/small.oprp", 0), ("live/late.oplr", 0), ("malformed/setup/version-2.oprs", 1)] {
        let ran = run(conform().arg("inspect").arg(root.join(path)).arg("--json"));
        assert_eq!(ran.code, code, "{path}");
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let fields = json["fields"].as_array().unwrap();
        assert_eq!(fields[0]["path"].as_str().unwrap().rsplit('.').next(), Some("magic"));
        assert_eq!(json["error"].is_null(), code == 0);
        let dt = fields.iter().find(|field| field["path"].as_str().unwrap().ends_with("dt")).unwrap();
        assert_eq!((dt["value"].as_str(), dt["bits"].as_str()), (Some("0.125"), Some("3fc0000000000000")));
    }
}

/// A reader that goes away is no fault, and nobody is told about it.
#[test]
fn a_closed_pipe_is_quiet() {
    let folder = TempDir::new().unwrap();
    // Many more lines than a pipe holds.
    let mesh = replay_format::MeshSnapshot { revision: 0, vertices: vec![[0.0; 3]; 20_000], polygons: vec![] };
    write(folder.path(), "large.opnm", &mesh.write().unwrap());
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("conform"))
        .arg("inspect")
        .arg(folder.path().join("large.opnm"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let (_folder, root) = small_corpus();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("conform"))
        .args(["inspect"])
        .arg(root.join("builds/one.opbi"))
        .stdout(full())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("conform: standard output: ") && said.lines().count() == 1, "{said}");
    // The report is written case by case; when it breaks off, the result is still printed, and the code is no verdict.
    let ran = run_corpus(&root, &["--report", "/dev/full"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("/dev/full: "), "{}", ran.stderr);
    // With stderr closed as well there is nobody to tell.
    let status = Command::new(assert_cmd::cargo::cargo_bin!("conform"))
        .arg("inspect")
        .arg(root.join("builds/none.opbi"))
        .stdout(full())
        .stderr(full())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn scenarios_that_are_none() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "broken.toml", b"[scenario\n");
    write(folder.path(), "none.toml", b"title = \"t\"\n[expect]\nsteps = 1\n");
    write(folder.path(), "odd.toml", b"no_such_field = 1\n");
    write(folder.path(), "binary.toml", &[0xff]);
    let out = folder.path().join("out.oprp").display().to_string();
    for name in ["missing.toml", "broken.toml", "none.toml", "odd.toml", "binary.toml", "."] {
        let path = folder.path().join(name).display().to_string();
        let ran = said(&["record", &path, "-o", &out]);
        assert_eq!(ran.code, 2, "{name}");
        ran.one_line();
        assert!(!Path::new(&out).exists(), "{name}");
    }
    let scenario = folder.path().join("odd.toml").display().to_string();
    assert!(said(&["record", &scenario, "-o", "x.oplr"]).one_line().contains("it takes .oprp"));
    assert!(said(&["record", &scenario, "-o", &out, "--live", "x.oprp"]).one_line().contains("it takes .oplr"));
}
