//! Sidecars as text: an expectation written into one without touching the rest of it.

use conform::observe::Observed;
use conform::{Case, Kind};
use toml_edit::{DocumentMut, Item, Table, Value};

/// The scenario in a TOML text: its table `[scenario]`, or, without one, all of it.
pub(super) fn scenario_of(text: &str) -> Result<toml::Table, String> {
    let mut table: toml::Table = toml::from_str(text).map_err(|error| in_one_line(&error.to_string()))?;
    match table.remove("scenario") {
        Some(toml::Value::Table(scenario)) => Ok(scenario),
        Some(_) => Err("`scenario` is not a table".into()),
        None if table.contains_key("expect") => Err("this sidecar has no [scenario]".into()),
        None => Ok(table),
    }
}

/// Whether a sidecar's text expects a bad step.
pub(super) fn wants_bad_step(text: &str) -> bool {
    let expect = |document: &DocumentMut| document.get("expect")?.get("first_bad_step").map(drop);
    text.parse::<DocumentMut>().ok().as_ref().and_then(expect).is_some()
}

/// The text with the observed fields in its `[expect]`; comments, order and layout stay as they are.
pub(super) fn with_expectation(text: &str, observed: &[(&'static str, Observed)]) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| in_one_line(&error.to_string()))?;
    let expect = document.entry("expect").or_insert_with(|| Item::Table(Table::new()));
    let expect = expect.as_table_like_mut().ok_or("`expect` is not a table")?;
    for (name, observed) in observed {
        let value = match observed {
            Observed::Absent => {
                expect.remove(name);
                continue;
            }
            Observed::Number(number) => {
                Value::from(i64::try_from(*number).map_err(|_| format!("{name} is above the range of TOML"))?)
            }
            Observed::Text(text) => Value::from(text.as_str()),
            Observed::Table(rows) => {
                set_rows(expect.entry(name).or_insert_with(|| Item::Table(Table::new())), rows)
                    .ok_or_else(|| format!("`expect.{name}` is not a table"))?;
                continue;
            }
        };
        match expect.get_mut(name).and_then(Item::as_value_mut) {
            Some(before) if same(before, &value) => {}
            Some(before) => {
                // What stands around the value, such as a comment after it, stays.
                let decor = before.decor().clone();
                *before = value;
                *before.decor_mut() = decor;
            }
            None => {
                expect.insert(name, Item::Value(value));
            }
        }
    }
    Ok(document.to_string())
}

/// Makes a table hold these rows and no others.
fn set_rows(table: &mut Item, rows: &[(&'static str, String)]) -> Option<()> {
    let table = table.as_table_like_mut()?;
    let known: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    for name in known.iter().filter(|name| !rows.iter().any(|(row, _)| row == name)) {
        table.remove(name);
    }
    for (name, text) in rows {
        if table.get(name).and_then(Item::as_str) != Some(text) {
            table.insert(name, toml_edit::value(text));
        }
    }
    Some(())
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.value() == b.value(),
        (Value::Integer(a), Value::Integer(b)) => a.value() == b.value(),
        _ => false,
    }
}

/// A sidecar for a case that has none. Nobody has looked at it yet.
pub(super) fn skeleton(case: &Case, observed: &[(&'static str, Observed)]) -> Result<String, String> {
    let title = case.name.rsplit('/').next().unwrap_or(&case.name).replace(['-', '_'], " ");
    let folder = match case.kind {
        Kind::Malformed => case.name.split('/').next().unwrap_or(""),
        _ => case.kind.name(),
    };
    let mut document = DocumentMut::new();
    document["title"] = toml_edit::value(title);
    document["clauses"] = toml_edit::value(toml_edit::Array::new());
    document["tags"] = toml_edit::value(toml_edit::Array::from_iter([folder]));
    document["review"] = toml_edit::value("pending");
    with_expectation(&document.to_string(), observed)
}

fn in_one_line(text: &str) -> String {
    text.trim().lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use conform::Sidecar;

    fn number(value: u64) -> Observed {
        Observed::Number(value)
    }

    #[test]
    fn only_what_differs_is_touched() {
        let before = "# mine\ntitle   = 't' # said\nclauses = []\ntags = [ ]\n\n[expect] # so\nvertices=3   # three\n\
                      triangles = 0x1 # one\n\n[scenario]\nx = [1,\n  2] # two\n";
        let same = with_expectation(before, &[("vertices", number(3)), ("triangles", number(1))]).unwrap();
        assert_eq!(same, before);
        let changed = with_expectation(before, &[("vertices", number(4)), ("triangles", number(1))]).unwrap();
        assert_eq!(changed, before.replace("vertices=3   # three", "vertices=4   # three"));
    }

    #[test]
    fn fields_come_and_go() {
        let before = "title = 't'\n[expect]\nstage = \"read\"\noffset = 4\n";
        let observed = [
            ("stage", Observed::Text("restore".into())),
            ("offset", Observed::Absent),
            ("message", Observed::Text("a \"b\" \\".into())),
        ];
        let after = with_expectation(before, &observed).unwrap();
        assert_eq!(after, "title = 't'\n[expect]\nstage = \"restore\"\nmessage = 'a \"b\" \\'\n");
    }

    #[test]
    fn tables_lose_and_gain_rows() {
        let rows = vec![("voxelize", "a".to_owned()), ("mesh", "b".to_owned())];
        let before = "[expect]\nvertices = 1\n\n[expect.stages] # all\nvoxelize = 'a' # one\nerode = 'c'\n";
        let after = with_expectation(before, &[("stages", Observed::Table(rows.clone()))]).unwrap();
        assert_eq!(after, before.replace("erode = 'c'", "mesh = \"b\""));
        let made = with_expectation("[expect]\nvertices = 1\n", &[("stages", Observed::Table(rows.clone()))]).unwrap();
        assert_eq!(made, "[expect]\nvertices = 1\n\n[expect.stages]\nvoxelize = \"a\"\nmesh = \"b\"\n");
        assert!(with_expectation("[expect]\nstages = 1\n", &[("stages", Observed::Table(rows))]).is_err());
    }

    #[test]
    fn a_missing_table_is_made() {
        let after = with_expectation("title = 't'\n", &[("agents", number(1))]).unwrap();
        assert_eq!(after, "title = 't'\n\n[expect]\nagents = 1\n");
        assert!(with_expectation("expect = 1\n", &[("agents", number(1))]).is_err());
        assert!(with_expectation("expect = \n", &[]).is_err());
    }

    #[test]
    fn a_new_sidecar_can_be_read_and_is_pending() {
        let case = Case { kind: Kind::Build, name: "two-steps_up".into(), file: None, sidecar: None, result: None };
        let observed = [
            ("vertices", number(4)),
            ("triangles", number(2)),
            ("polygons", number(1)),
            ("stages", Observed::Table(vec![("voxelize", "0".repeat(64))])),
        ];
        let text = skeleton(&case, &observed).unwrap();
        let sidecar = Sidecar::parse(Kind::Build, &text).unwrap();
        assert_eq!((sidecar.title.as_str(), sidecar.review.is_some()), ("two steps up", true));
    }

    #[test]
    fn scenarios_are_found() {
        assert_eq!(scenario_of("seed = 1\n").unwrap().len(), 1);
        assert_eq!(scenario_of("title = 't'\n[expect]\n[scenario]\na = 1\nb = 2\n").unwrap().len(), 2);
        assert_eq!(scenario_of("title = 't'\n[expect]\n").unwrap_err(), "this sidecar has no [scenario]");
        assert!(scenario_of("scenario = 3\n").is_err());
        assert!(scenario_of("x = \n").unwrap_err().lines().count() == 1);
        assert!(wants_bad_step("[expect]\nfirst_bad_step = 2\n") && !wants_bad_step("[expect]\n"));
    }
}
