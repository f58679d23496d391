//! A small corpus of every kind of case, made by the reference engine, and the command to run on it.

#![allow(dead_code, reason = "each test target uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use crowd_engine::{AgentOptions, Crowd, CrowdOptions, CrowdRecorder, NavMesh, PathFollower, PolygonSpec};
use replay_format::{Bits64, BuildInput, BuildSettingsBits};
use tempfile::TempDir;

/// Steps of the small replay.
pub const STEPS: usize = 12;

/// The command, without the environment's opinion on CI.
pub fn conform() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("conform"));
    command.env_remove("CI");
    command
}

/// Exit code, stdout, stderr.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub fn run(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code: status.code().expect("no signal"), stdout: text(stdout), stderr: text(stderr) }
}

impl Ran {
    /// It said one line about what is wrong, and nothing of a panic.
    pub fn one_line(&self) -> &str {
        let said = if self.stderr.is_empty() { &self.stdout } else { &self.stderr };
        assert_eq!(said.lines().count(), 1, "one line, not: {said}");
        assert!(!said.contains("panicked"), "{said}");
        said.trim_end()
    }
}

fn recorder() -> CrowdRecorder {
    let corners =
        vec![[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.0, 9.0], [0.0, 0.0, 9.0], [18.0, 0.5, 0.0], [18.0, 0.5, 9.0]];
    let square = |vertices: [u32; 4]| PolygonSpec { vertices: vertices.to_vec(), area: 1 };
    let mesh = NavMesh::from_polygons(corners, vec![square([0, 1, 2, 3]), square([1, 4, 5, 2])]).expect("a mesh");
    CrowdRecorder::new(Crowd::new(mesh, CrowdOptions::default()), 0.125).expect("a recorder")
}

/// The bytes of a replay with every kind of operation, a live capture that begins in the middle of a step of it, and the
/// setup block of the crowd at the end.
pub fn recordings() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let mut recorder = recorder();
    let follower = Some(PathFollower::default());
    let records = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut live = Vec::new();
    for step in 0..STEPS {
        match step {
            0 => {
                for x in 1..4 {
                    recorder.try_add(&[f64::from(x), 0.0, 1.0], &AgentOptions::default()).expect("an agent");
                }
                recorder.set_destination(1, &[17.0, 0.0, 8.0]).expect("a destination");
            }
            2 => {
                let options = AgentOptions { follower, ..AgentOptions::default() };
                recorder.try_add(&[8.0, 0.0, 8.0], &options).expect("an agent");
                recorder.set_destination(4, &[1.0, 0.0, 8.0]).expect("a destination");
            }
            5 => recorder.teleport(2, &[12.0, 0.0, 4.0]).expect("a place"),
            7 => {
                recorder.stop(1).expect("an agent");
                live = recorder.write_snapshot().expect("a snapshot");
                let records = std::sync::Arc::clone(&records);
                recorder.on_record(Box::new(move |record| records.lock().expect("a lock").extend_from_slice(record)));
                recorder.remove(3).expect("an agent");
            }
            _ => {}
        }
        recorder.step().expect("a step");
    }
    let setup = recorder.write_snapshot().expect("a snapshot");
    let replay = recorder.replay_bytes().expect("a replay");
    recorder.stop(2).expect("an agent");
    live.extend_from_slice(&records.lock().expect("a lock"));
    (replay, live, setup)
}

/// The bytes of a triangle to build a mesh of, with the watershed.
pub fn build_input() -> Vec<u8> {
    let bits = Bits64::new;
    let settings = BuildSettingsBits {
        agent_radius: bits(0.5),
        agent_height: bits(2.0),
        walkable_climb: bits(0.5),
        max_slope: bits(45.0),
        cell_size: bits(0.25),
        cell_height: bits(0.25),
        contour_max_error: bits(1.0),
        max_edge_length: bits(0.0),
        detail_sample_distance: bits(0.0),
        detail_max_error: bits(1.0),
        min_region_area: 0,
        merge_region_area: 0,
        max_verts_per_poly: 6,
        partition: 0,
    };
    let vertices = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0]];
    BuildInput { settings, vertices, triangles: vec![[0, 1, 2]] }.write().expect("small")
}

/// A blessed corpus of one case of each kind, and its folder, which goes when it is dropped.
pub fn small_corpus() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let root = folder.path().join("corpus");
    let (replay, live, setup) = recordings();
    let mut wrong_version = setup.clone();
    wrong_version[4] = 2;
    let mut no_agent = replay.clone();
    let remove = no_agent.windows(9).position(|bytes| bytes == b"\x02\x03\0\0\0\0\0\0\0").expect("agent 3 is removed");
    no_agent[remove + 1] = 99;
    for (path, bytes) in [
        ("corpus.toml", b"title = \"small\"\nspec = \"1.0\"\nlayouts = \"ours\"\n".as_slice()),
        ("replays/small.oprp", &replay),
        ("live/late.oplr", &live),
        ("setups/end.oprs", &setup),
        ("builds/one.opbi", &build_input()),
        ("malformed/setup/version-2.oprs", &wrong_version),
        ("malformed/replay/agent-99.oprp", &no_agent),
    ] {
        write(&root, path, bytes);
    }
    let blessed = run(conform().args(["bless", "--corpus"]).arg(&root));
    assert_eq!((blessed.code, blessed.stderr.as_str()), (0, ""), "{}", blessed.stdout);
    let sidecar = root.join("live/late.toml");
    let text = fs::read_to_string(&sidecar).expect("bless wrote it");
    fs::write(sidecar, format!("{text}replay = \"small\"\nfirst_step = 7\nskip_operations = 1\n")).expect("written");
    (folder, root)
}

pub fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

/// `conform run` on a corpus.
pub fn run_corpus(root: &Path, arguments: &[&str]) -> Ran {
    run(conform().arg("run").args(arguments).arg("--corpus").arg(root))
}

/// Writes the digests of a corpus anew, so that only other checks can notice a change.
pub fn seal(root: &Path) {
    let corpus = conform::Corpus::new(conform::Folder::open(root).expect("a corpus"));
    let mut digests = conform::corpus::Digests::default();
    let files = |case: conform::Case| case.file.map(|(path, _)| path).into_iter().chain(case.result);
    for path in corpus.discover().expect("cases").into_iter().flat_map(files) {
        digests.insert(&path, conform::corpus::sha256(&corpus.read(&path).expect("a file")));
    }
    fs::write(root.join("SHA256SUMS"), digests.to_string()).expect("written");
}
