//! `conform bless`: writes what came out, shows it, touches nothing else, and refuses where nobody would read it.

mod support;

use std::fs;

use support::{Ran, conform, run, run_corpus, small_corpus};

fn bless(root: &std::path::Path, arguments: &[&str]) -> Ran {
    run(conform().arg("bless").args(arguments).arg("--corpus").arg(root))
}

#[test]
fn it_refuses_in_ci() {
    let (_folder, root) = small_corpus();
    let ran = run(conform().arg("bless").arg("--corpus").arg(root).env("CI", "true"));
    assert_eq!(ran.code, 2);
    assert_eq!(ran.one_line(), "conform: bless refuses to run where the environment variable CI is set");
}

#[test]
fn a_blessed_corpus_stays_as_it_is() {
    let (_folder, root) = small_corpus();
    let ran = bless(&root, &[]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "0 files written\n", ""));
}

#[test]
fn each_change_is_shown_and_nothing_else_is_touched() {
    let (_folder, root) = small_corpus();
    let path = root.join("replays/small.toml");
    let good = fs::read_to_string(&path).unwrap().replace("[expect]", "# as counted\n[expect] # by hand");
    fs::write(&path, good.replace("agents = 3", "agents = 4 # four")).unwrap();
    assert_eq!(run_corpus(&root, &[]).code, 1);
    let ran = bless(&root, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("-agents = 4 # four\n+agents = 3 # four\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("--- replays/small.toml\n") && ran.stdout.ends_with("\n1 file written\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), good.replace("agents = 3", "agents = 3 # four"));
    assert_eq!(run_corpus(&root, &[]).code, 0);
}

#[test]
fn a_filter_leaves_the_rest_alone() {
    let (_folder, root) = small_corpus();
    for case in ["setups/end", "builds/one"] {
        let path = root.join(case).with_extension("toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("agents = 3", "agents = 9").replace("triangles = 1", "triangles = 9")).unwrap();
    }
    let sums = root.join("SHA256SUMS");
    let before = fs::read_to_string(&sums).unwrap();
    fs::write(&sums, before.replace(|c: char| c.is_ascii_digit(), "0")).unwrap();
    let ran = bless(&root, &["build::"]);
    assert!(ran.stdout.ends_with("\n2 files written\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("setups/end.toml"), "{}", ran.stdout);
    let after = fs::read_to_string(&sums).unwrap();
    let kept = |text: &str, path: &str| text.lines().find(|line| line.ends_with(path)).unwrap().to_owned();
    assert_eq!(kept(&after, "builds/one.opbi"), kept(&before, "builds/one.opbi"));
    assert_ne!(kept(&after, "setups/end.oprs"), kept(&before, "setups/end.oprs"));
    let none = bless(&root, &["no-such-case"]);
    assert_eq!(none.code, 2);
    assert_eq!(none.one_line(), "conform: no case is selected by no-such-case");
}

#[test]
fn what_is_wrong_is_not_blessed() {
    let (_folder, root) = small_corpus();
    let replay = root.join("replays/small.oprp");
    let mut bytes = fs::read(&replay).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&replay, bytes).unwrap();
    fs::write(root.join("malformed/setup/version-2.oprs"), fs::read(root.join("setups/end.oprs")).unwrap()).unwrap();
    let ran = bless(&root, &[]);
    assert_eq!(ran.code, 1);
    for line in [
        "malformed::setup/version-2: not blessed: it is accepted, and so is not malformed\n",
        "replay::small: not blessed: step 11 does not give its recorded hash; record it anew (--record), or expect \
         first_bad_step\n",
    ] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    // Where a bad step is expected, the first is written down, and the run conforms.
    let sidecar = root.join("replays/small.toml");
    let text = fs::read_to_string(&sidecar).unwrap();
    fs::write(&sidecar, text.replace("[expect]", "[expect]\nfirst_bad_step = 0")).unwrap();
    assert!(bless(&root, &["replay::"]).stdout.contains("+first_bad_step = 11\n"));
    let ran = run_corpus(&root, &["replay::"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

/// A sidecar with a scenario and nothing else becomes a case.
#[test]
fn scenarios_are_recorded() {
    let (_folder, root) = small_corpus();
    let scenario = "scene = \"corridor\"\ndt = 0.0625\nsteps = 20\nwarmup = 2\nlive = { step = 5 }\n\
                    [[scenario.groups]]\nat = { grid = { from = [1.0, 0.0, 1.0], columns = 2, count = 4, spacing = [1.0, 1.0] } }\n\
                    to = { mirror_x = 18.0 }\n";
    for path in ["replays/made.toml", "live/made.toml", "setups/made.toml"] {
        let head = "title = \"made\"\nclauses = []\ntags = []\n";
        let expect = if path.starts_with("live") { "[expect]\nreplay = \"made\"\nfirst_step = 5\n" } else { "" };
        support::write(&root, path, format!("{head}{expect}[scenario]\n{scenario}").as_bytes());
    }
    let without = bless(&root, &["::made"]);
    assert_eq!(without.code, 1, "there is no file yet");
    let ran = bless(&root, &["--record", "::made"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    for path in ["replays/made.oprp", "live/made.oplr", "setups/made.oprs"] {
        assert!(ran.stdout.contains(&format!("{path}: recorded anew, ")), "{}", ran.stdout);
    }
    let ran = run_corpus(&root, &["::made"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(!ran.stdout.contains("NOT COMPARABLE"), "{}", ran.stdout);
    assert_eq!(bless(&root, &["--record", "::made"]).stdout, "0 files written\n");

    // What no longer comes out of its scenario is red.
    let sidecar = root.join("replays/made.toml");
    let text = fs::read_to_string(&sidecar).unwrap();
    fs::write(&sidecar, text.replace("columns = 2", "columns = 4")).unwrap();
    let ran = run_corpus(&root, &["replay::made"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("FAILED replay::made::scenario (bytes-differ)\n    recorded anew: first difference at byte "),
        "{}",
        ran.stdout
    );
    fs::write(&sidecar, text.replace("columns = 2", "colums = 2")).unwrap();
    assert!(run_corpus(&root, &["replay::made"]).stdout.contains("FAILED replay::made::scenario (scenario-refused)"));

    // By hand: the same bytes, from the sidecar and from the scenario alone.
    for (name, text) in
        [("sidecar.toml", text.clone()), ("bare.toml", scenario.replace("[[scenario.groups]]", "[[groups]]"))]
    {
        support::write(&root, name, text.as_bytes());
        let out = |name: &str| root.join(name).display().to_string();
        let (replay, live) = (out("out.oprp"), out("out.oplr"));
        let ran = run(conform().arg("record").arg(root.join(name)).args(["-o", &replay, "--live", &live]));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert_eq!(fs::read(&replay).unwrap(), fs::read(root.join("replays/made.oprp")).unwrap());
        assert_eq!(fs::read(&live).unwrap(), fs::read(root.join("live/made.oplr")).unwrap());
    }
}

/// What the catalogue says of a malformed file is not overwritten with what our reader says.
#[test]
fn expectations_of_the_catalogue_stay() {
    let (_folder, root) = small_corpus();
    let path = fs::read_dir(root.join("malformed/replay"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "toml"))
        .unwrap();
    let wrong =
        "title = \"x\"\nclauses = []\ntags = [\"catalogue\"]\n\n[expect]\nstage = \"read\"\ncode = \"truncated\"\n";
    fs::write(&path, wrong).unwrap();
    assert_eq!(bless(&root, &["malformed"]).code, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
    fs::write(&path, wrong.replace("catalogue", "mine")).unwrap();
    assert_eq!(bless(&root, &["malformed"]).code, 0);
    assert_ne!(fs::read_to_string(&path).unwrap(), wrong.replace("catalogue", "mine"));
}
