//! From paths to cases. No file is opened here.

use std::collections::BTreeMap;

use super::{CorpusError, DIGESTS, SETTINGS, whole};
use crate::{Case, Format, Kind};

/// What a path is to the corpus.
enum Role<'p> {
    /// A file of this kind with this stem, in this format.
    File(Kind, &'p str, Format),
    /// The sidecar of this stem.
    Sidecar(Kind, &'p str),
    /// What must come out of the file of this stem.
    Result(Kind, &'p str),
    /// Settings, digests, documentation.
    Known,
    /// Nothing.
    Stray,
}

fn role(path: &str) -> Role<'_> {
    if path == SETTINGS || path == DIGESTS || is_documentation(path) {
        return Role::Known;
    }
    let Some((folder, inside)) = path.split_once('/') else { return Role::Stray };
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.folder() == Some(folder)) else { return Role::Stray };
    match inside.rsplit_once('.') {
        Some((stem, "toml")) => Role::Sidecar(kind, stem),
        Some((stem, ending)) => match Format::of_ending(ending) {
            Some(Format::Mesh) if kind == Kind::Build => Role::Result(kind, stem),
            Some(format) => Role::File(kind, stem, format),
            None => Role::Stray,
        },
        None => Role::Stray,
    }
}

pub(super) fn is_documentation(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending == "md")
}

pub(super) fn is_stray(path: &str) -> bool {
    matches!(role(path), Role::Stray)
}

/// The cases that these paths make, sorted by kind and name, and the corpus itself.
pub(super) fn cases(paths: &[String]) -> Result<Vec<Case>, CorpusError> {
    let mut cases: BTreeMap<(&'static str, &str), Case> = BTreeMap::new();
    for path in paths {
        let (kind, stem) = match role(path) {
            Role::File(kind, stem, _) | Role::Sidecar(kind, stem) | Role::Result(kind, stem) => (kind, stem),
            Role::Known | Role::Stray => continue,
        };
        check_name(path, stem)?;
        let case = cases.entry((kind.name(), stem)).or_insert_with(|| Case {
            kind,
            name: stem.to_owned(),
            file: None,
            sidecar: None,
            result: None,
        });
        match role(path) {
            Role::File(_, _, format) => {
                if let Some((first, _)) = &case.file {
                    return Err(CorpusError::SameName { first: first.clone(), second: path.clone() });
                }
                case.file = Some((path.clone(), format));
            }
            Role::Result(..) => case.result = Some(path.clone()),
            _ => case.sidecar = Some(path.clone()),
        }
    }
    let mut cases: Vec<Case> = cases.into_values().collect();
    cases.push(whole());
    cases.sort_by(|a, b| a.key().cmp(&b.key()));
    Ok(cases)
}

/// A name must survive test filters, file systems and reports.
fn check_name(path: &str, stem: &str) -> Result<(), CorpusError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let whole = !stem.is_empty() && !stem.ends_with('/') && stem.chars().all(allowed);
    if whole { Ok(()) } else { Err(CorpusError::Name { path: path.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Check;

    fn discover(paths: &[&str]) -> Result<Vec<Case>, CorpusError> {
        cases(&paths.iter().map(|&path| path.to_owned()).collect::<Vec<_>>())
    }

    fn trials(paths: &[&str]) -> Vec<String> {
        let cases = discover(paths).unwrap();
        cases
            .iter()
            .flat_map(|case| case.checks().iter().map(|&check| super::super::trial_name(case, check)))
            .filter(|name| !name.starts_with("corpus::"))
            .collect()
    }

    #[test]
    fn a_file_and_its_sidecar_are_a_case() {
        let names = trials(&["builds/flat.opbi", "builds/flat.toml", "corpus.toml", "README.md", "SHA256SUMS"]);
        assert_eq!(
            names,
            [
                "build::flat::sidecar",
                "build::flat::digest",
                "build::flat::round-trip",
                "build::flat::expect",
                "build::flat::stages",
                "build::flat::mesh",
                "build::flat::twice"
            ]
        );
    }

    #[test]
    fn a_mesh_beside_a_build_input_is_its_result() {
        let paths = ["builds/flat.opbi", "builds/flat.opnm", "builds/flat.toml"].map(str::to_owned);
        let cases = cases(&paths).unwrap();
        assert_eq!(cases[0].file.as_ref().map(|(path, _)| path.as_str()), Some("builds/flat.opbi"));
        assert_eq!(cases[0].result.as_deref(), Some("builds/flat.opnm"));
        assert_eq!(cases.len(), 2);
        // Alone it is half a case.
        assert_eq!(trials(&["builds/lost.opnm"]), ["build::lost::sidecar"]);
    }

    #[test]
    fn half_a_case_gets_one_check() {
        assert_eq!(trials(&["replays/lost.oprp"]), ["replay::lost::sidecar"]);
        assert_eq!(trials(&["replays/orphan.toml"]), ["replay::orphan::sidecar"]);
        assert_eq!(trials(&["replays/wrong.oplr", "replays/wrong.toml"]), ["replay::wrong::sidecar"]);
    }

    #[test]
    fn malformed_cases_keep_their_folder_in_the_name() {
        let names = trials(&["malformed/mesh/empty.opnm", "malformed/mesh/empty.toml"]);
        assert_eq!(
            names,
            ["malformed::mesh/empty::sidecar", "malformed::mesh/empty::digest", "malformed::mesh/empty::error"]
        );
    }

    #[test]
    fn cases_come_in_the_order_of_reports() {
        let paths = ["setups/a.oprs", "replays/b.oprp", "replays/a.b.oprp", "live/z.oplr", "malformed/live/x.oplr"];
        let keys: Vec<String> = discover(&paths).unwrap().iter().map(Case::path).collect();
        assert_eq!(keys, ["corpus::whole", "live::z", "malformed::live/x", "replay::a.b", "replay::b", "setup::a"]);
        assert!(keys.is_sorted());
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let error = discover(&["malformed/x/a.opnm", "malformed/x/a.oprp"]).unwrap_err();
        assert_eq!(error.to_string(), "malformed/x/a.opnm and malformed/x/a.oprp would be the same case");
    }

    #[test]
    fn names_that_no_test_runner_can_carry_are_refused() {
        for path in ["replays/a b.oprp", "replays/[a].toml", "replays/.oprp", "replays/a::b.oprp", "replays/sub/.toml"]
        {
            assert!(matches!(discover(&[path]), Err(CorpusError::Name { .. })), "{path}");
        }
    }

    #[test]
    fn what_belongs_to_nothing_is_a_stray() {
        for path in ["notes.txt", "replays/a.txt", "replay/a.oprp", "replays/noending", "toml"] {
            assert!(is_stray(path), "{path}");
        }
        for path in ["corpus.toml", "SHA256SUMS", "malformed/README.md", "replays/a.toml", "replays/sub/a.oprp"] {
            assert!(!is_stray(path), "{path}");
        }
    }

    #[test]
    fn every_check_is_asked_of_some_case() {
        let paths =
            Kind::ALL.iter().filter_map(|kind| kind.folder().map(|folder| (folder, kind.formats()[0].ending())));
        let paths: Vec<String> = paths.flat_map(|(f, e)| [format!("{f}/a.{e}"), format!("{f}/a.toml")]).collect();
        let seen: std::collections::BTreeSet<Check> =
            cases(&paths).unwrap().iter().flat_map(|case| case.checks().iter().copied()).collect();
        assert_eq!(seen.len(), 17);
    }
}
