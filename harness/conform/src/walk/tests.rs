//! The walk against the readers: every byte belongs to a field, and the fields are those that the readers name.

use replay_format::{AgentOptions, BuildInput, MeshPolygon, MeshSnapshot, Operation, Replay};

use super::*;

fn fields(format: Format, bytes: &[u8]) -> Vec<(u64, String, String)> {
    let mut fields = Vec::new();
    let mut end = 0;
    walk(format, bytes, |field| {
        assert_eq!(field.offset, end, "no gap and no overlap before {}", field.path);
        assert!(field.value.length() > 0);
        end += field.value.length();
        fields.push((field.offset, field.path.to_string(), field.value.to_string()));
        ControlFlow::Continue(())
    });
    assert_eq!(end, len64(bytes.len()), "to the last byte");
    fields
}

fn mesh() -> Vec<u8> {
    let triangle = |vertices: [u32; 3], links| MeshPolygon { vertices: vertices.to_vec(), links, area: 1 };
    let polygons = vec![triangle([0, 1, 2], vec![None, None, Some(1)]), triangle([0, 2, 3], vec![Some(0), None, None])];
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    MeshSnapshot { revision: 7, vertices, polygons }.write().unwrap()
}

/// A replay of one step with two operations; mesh and state are not looked at by its reader.
fn replay() -> Vec<u8> {
    let mesh = mesh();
    let mut setup = b"OPRS\x01\x01\0\0".to_vec();
    setup.extend(0.5_f64.to_le_bytes());
    setup.extend([0; 8]);
    setup.extend([1; 25]);
    setup.extend(i32::try_from(mesh.len()).unwrap().to_le_bytes());
    setup.extend(&mesh);
    setup.extend(3_i32.to_le_bytes());
    setup.extend(b"bad");
    let settings = AgentOptions::default().to_bytes();
    let mut operations = Vec::new();
    Operation::Add { position: [1.0, 2.0, 3.0], settings: &settings, settings_offset: 0 }.write(&mut operations);
    Operation::Teleport { agent: 9, position: [4.0, 5.0, 6.0] }.write(&mut operations);
    let mut bytes = b"OPRP\x01\x01\0\0".to_vec();
    bytes.extend(i32::try_from(setup.len()).unwrap().to_le_bytes());
    bytes.extend(&setup);
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(i32::try_from(operations.len()).unwrap().to_le_bytes());
    bytes.extend(&operations);
    bytes.extend(0xabcd_u64.to_le_bytes());
    bytes
}

#[test]
fn a_replay_to_the_last_field() {
    let bytes = replay();
    Replay::read(&bytes).unwrap();
    let fields = fields(Format::Replay, &bytes);
    let value = |path: &str| {
        let found = fields.iter().find(|(_, found, _)| found == path);
        found.map(|(_, _, value)| value.clone()).unwrap_or_else(|| panic!("{path} is not there"))
    };
    assert_eq!(value("magic"), "\"OPRP\"");
    assert_eq!(value("setup.dt"), "0.5");
    assert_eq!(value("setup.mesh.polygons[1].links[0]"), "0");
    assert_eq!(value("setup.state.rest"), "626164");
    assert_eq!(value("steps[0].operations[0].settings.max_speed"), "1.4");
    assert_eq!(value("steps[0].operations[1].position.z"), "6.0");
    assert_eq!(fields.last().unwrap().1, "steps[0].hash");
    assert_eq!(fields.last().unwrap().2, "000000000000abcd");
}

#[test]
fn a_mesh_and_a_build_input() {
    let paths = |format, bytes: &[u8]| fields(format, bytes).into_iter().map(|(_, path, _)| path).collect::<Vec<_>>();
    assert_eq!(paths(Format::Mesh, &mesh()).last().unwrap(), "polygons[1].links[2]");
    let mut input = b"OPBI\x01\0\0\0".to_vec();
    input.extend([0; 96]);
    input.extend(3_i32.to_le_bytes());
    input.extend(1_i32.to_le_bytes());
    input.extend([0; 72]);
    input.extend([0, 1, 2].map(i32::to_le_bytes).concat());
    BuildInput::read(&input).unwrap();
    assert_eq!(paths(Format::Build, &input).last().unwrap(), "triangles[0][2]");
}

/// The readers name the field that a cut falls into, and so does the walk: its last whole field comes before that one.
#[test]
fn a_cut_anywhere_is_no_trouble() {
    for (format, bytes) in [(Format::Replay, replay()), (Format::Mesh, mesh())] {
        for length in 0..bytes.len() {
            fields(format, &bytes[..length]);
        }
        // Nor is a byte that says something else.
        for at in 0..bytes.len() {
            for value in [0, 1, 3, 127, 255] {
                let mut other = bytes.clone();
                other[at] = value;
                fields(format, &other);
            }
        }
    }
}

#[test]
fn it_stops_when_told() {
    let bytes = replay();
    for limit in 1..40 {
        let mut seen = 0;
        walk(Format::Replay, &bytes, |_| {
            seen += 1;
            if seen == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, limit);
    }
}

#[test]
fn a_byte_is_found_in_its_field() {
    let bytes = replay();
    assert_eq!(field_at(Format::Replay, &bytes, 4), Some(("version".into(), 4, "1".into())));
    assert_eq!(field_at(Format::Replay, &bytes, 22), Some(("setup.dt".into(), 20, "0.5".into())));
    let last = len64(bytes.len()) - 1;
    assert_eq!(field_at(Format::Replay, &bytes, last).unwrap().0, "steps[0].hash");
    assert_eq!(field_at(Format::Replay, &bytes, last + 1), None);
}

#[test]
fn a_state_alone_has_its_shape_checked() {
    let mut state = vec![0; 36];
    state.extend(0_i32.to_le_bytes());
    assert_eq!(check_state(&state), Ok(()));
    let error = check_state(&state[..39]).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::Truncated, Some(36)));
    state.push(0);
    let error = check_state(&state).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::TrailingBytes, Some(40)));
}
