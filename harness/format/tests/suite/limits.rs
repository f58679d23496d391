//! Every limit at its value and one beyond; and where a limit is too large to try with bytes, that it is the limit which speaks.

use replay_format::{
    AgentOptions, Code, CrowdOptionsBits, Error, LiveCapture, MeshSnapshot, Path, Replay, Setup, Stage, StreamError,
    limits,
};

use crate::fixtures::{bytes, patched};
use crate::layout::{Layout, World, format_error, read_streamed_live, read_streamed_replay};

/// Operations of exactly so many bytes: as many Adds as can be, then a few Stops.
fn operations_of(length: usize) -> Vec<u8> {
    let adds = (0..=length / 91).rev().find(|adds| (length - 91 * adds).is_multiple_of(9)).unwrap();
    let mut add = [0; 91];
    add[0] = 1;
    let mut stop = [0; 9];
    stop[0] = 4;
    let out = [add.repeat(adds), stop.repeat((length - 91 * adds) / 9)].concat();
    assert_eq!(out.len(), length);
    out
}

/// The live records of these operations.
fn records_of(operations: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(operations.len() / 64 * 65);
    let mut rest = operations;
    while let Some(kind) = rest.first() {
        let (operation, later) = rest.split_at(if *kind == 1 { 91 } else { 9 });
        out.push(1);
        out.extend(operation);
        rest = later;
    }
    out
}

fn replay_of(operations: &[u8]) -> Vec<u8> {
    let mut out = bytes("replay.oprp")[..627].to_vec();
    out.extend(1_i32.to_le_bytes());
    out.extend((operations.len() as i32).to_le_bytes());
    out.extend(operations);
    out.extend([0; 8]);
    out
}

const SIXTEEN_MIB: usize = 16_777_216;

#[test]
fn a_step_of_a_replay_holds_16_mib_of_operations() {
    let replay = replay_of(&operations_of(SIXTEEN_MIB));
    let read = Replay::read(&replay).unwrap();
    assert_eq!(read.steps[0].operations.len(), SIXTEEN_MIB);
    assert!(read.write().unwrap() == replay);
    let (_, result) = read_streamed_replay(&replay[..], replay.len() as u64);
    format_error(result).unwrap();

    let replay = replay_of(&operations_of(SIXTEEN_MIB + 1));
    let error = Replay::read(&replay).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::LengthOverLimit, Some(631)));
    assert_eq!(error.path(), "steps[0].operations_length");
    let (_, result) = read_streamed_replay(&replay[..], replay.len() as u64);
    assert_eq!(format_error(result), Err(error));
}

#[test]
fn a_step_of_a_capture_holds_16_mib_of_operations() {
    let head = bytes("setup.oprs");
    let full = [&head[..], &records_of(&operations_of(SIXTEEN_MIB))].concat();
    // A step record makes room for as much again; so does nothing else.
    let step = [2, 0, 0, 0, 0, 0, 0, 0, 0];
    let two_steps = [&full[..], &step, &records_of(&operations_of(SIXTEEN_MIB)), &step].concat();
    for capture in [&full, &two_steps] {
        let read = LiveCapture::read(capture).unwrap();
        assert!(read.write().unwrap() == *capture);
        let (_, result) = read_streamed_live(&capture[..], capture.len() as u64);
        format_error(result).unwrap();
    }
    let over = [&head[..], &records_of(&operations_of(SIXTEEN_MIB + 1)), &step].concat();
    let last = over.len() as u64 - 9 - 10;
    let error = LiveCapture::read(&over).unwrap_err();
    assert_eq!((error.code(), error.offset()), (Code::OperationsOverLimit, Some(last)));
    let adds = (0..=(SIXTEEN_MIB + 1) / 91).rev().find(|adds| (SIXTEEN_MIB + 1 - 91 * adds).is_multiple_of(9)).unwrap();
    let index = adds + (SIXTEEN_MIB + 1 - 91 * adds) / 9 - 1;
    assert_eq!(error.path(), format!("records[{index}]"));
    let (seen, result) = read_streamed_live(&over[..], over.len() as u64);
    assert_eq!(format_error(result), Err(error));
    assert_eq!(seen.records.len(), index);
}

/// A count, with its limit, in a fixture.
const COUNTS: [(Layout, &str, &str, i64); 6] = [
    (Layout::Replay, "replay.oprp", "step_count", 67_108_864),
    (Layout::Build, "build.opbi", "vertex_count", 4_000_000),
    (Layout::Build, "build.opbi", "triangle_count", 8_000_000),
    (Layout::Mesh, "mesh.opnm", "vertex_count", 8_000_000),
    (Layout::Mesh, "mesh.opnm", "polygon_count", 4_000_000),
    (Layout::State, "state.opcs", "agent_count", 100),
];

#[test]
fn counts_are_negative_then_over_their_limit_then_beyond_the_bytes() {
    for (layout, fixture, name, limit) in COUNTS {
        for (count, code) in [
            (-1, Code::CountNegative),
            (i64::from(i32::MIN), Code::CountNegative),
            (limit, Code::CountExceedsInput),
            (limit + 1, Code::CountOverLimit),
            (i64::from(i32::MAX), Code::CountOverLimit),
        ] {
            let count = i32::try_from(count).unwrap();
            let error = layout.error(&patched(fixture, name, count.to_le_bytes()));
            assert_eq!((error.code(), error.path()), (code, name), "{fixture}: {name} = {count}");
        }
    }
}

#[test]
fn lengths_are_negative_then_over_their_limit_then_beyond_the_bytes() {
    for (layout, fixture, name, limit) in [
        (Layout::Setup, "setup.oprs", "mesh_length", None),
        (Layout::Setup, "setup.oprs", "state_length", None),
        (Layout::Replay, "replay.oprp", "setup_length", None),
        (Layout::Replay, "replay.oprp", "steps[0].operations_length", Some(16_777_216)),
    ] {
        let over = limit.map_or(Code::LengthExceedsInput, |_| Code::LengthOverLimit);
        let beyond = limit.unwrap_or(i32::MAX);
        for (length, code) in [
            (-1, Code::LengthNegative),
            (i32::MIN, Code::LengthNegative),
            (beyond, Code::LengthExceedsInput),
            (beyond.saturating_add(1), over),
            (i32::MAX, over),
        ] {
            let error = layout.error(&patched(fixture, name, length.to_le_bytes()));
            assert_eq!((error.code(), error.path()), (code, name), "{fixture}: {name} = {length}");
        }
    }
}

#[test]
fn a_corridor_holds_a_million_polygons() {
    let world = World::of_fixture();
    let mut state = world.read_state(&bytes("state.opcs")).unwrap();
    let replay_format::Task::Following { corridor, .. } = &mut state.agents[0].task else { panic!("it follows") };
    *corridor = [0, 1].repeat(500_000);
    let bytes = state.write().unwrap();
    assert_eq!(world.read_state(&bytes).unwrap(), state);
    let replay_format::Task::Following { corridor, .. } = &mut state.agents[0].task else { panic!("it follows") };
    corridor.push(0);
    assert!(state.write().is_err());
}

#[test]
fn a_polygon_has_3_to_16_corners() {
    for corners in [2_u8, 3, 16, 17] {
        let mut bytes = b"OPNM\x01\0\0\0".to_vec();
        bytes.extend(0_i64.to_le_bytes());
        bytes.extend(17_i32.to_le_bytes());
        bytes.extend(1_i32.to_le_bytes());
        bytes.extend([0; 17 * 24]);
        bytes.extend([corners, limits::AREA_MAX]);
        bytes.extend((0..i32::from(corners)).flat_map(i32::to_le_bytes));
        bytes.extend([0xff; 4].repeat(usize::from(corners)));
        let read = MeshSnapshot::read(&bytes);
        if (3..=16).contains(&corners) {
            assert_eq!(read.unwrap().write().unwrap(), bytes);
        } else {
            // Two corners are too few for the count of polygons to begin with.
            let code = if corners == 2 { Code::CountExceedsInput } else { Code::ValueOutOfRange };
            assert_eq!(read.unwrap_err().code(), code);
        }
    }
}

/// The ranges of the agent options' doubles.
const RANGES: [(&str, f64, f64); 11] = [
    ("radius", 0.0, 1024.0),
    ("height", 0.0, 1024.0),
    ("max_speed", 0.0, 1024.0),
    ("max_acceleration", 0.0, 65_536.0),
    ("neighbour_distance", 0.0, 1024.0),
    ("agent_horizon", 0.015_625, 64.0),
    ("wall_horizon", 0.015_625, 64.0),
    ("wall_clearance", 0.0, 1024.0),
    ("follower.arrival_distance", 0.0, 1024.0),
    ("follower.slowing_distance", 0.0, 1024.0),
    ("follower.corner_cut", 0.0, 1.0),
];

#[test]
fn agent_options_have_the_ranges_of_the_specification_ends_included() {
    let read = |name: &str, value: f64| {
        let bytes = patched("settings.bin", name, value.to_le_bytes());
        let options = AgentOptions::read(&bytes, 0, &Path::ROOT, Stage::Play)?;
        assert_eq!(options.to_bytes(), bytes);
        Ok::<_, Error>(())
    };
    for (name, min, max) in RANGES {
        for value in [min, max, min.next_up(), max.next_down()] {
            assert_eq!(read(name, value), Ok(()), "{name} = {value:?}");
        }
        assert_eq!(read(name, -0.0).is_ok(), min == 0.0, "{name} = -0.0");
        for value in [min.next_down(), max.next_up(), f64::MAX, f64::MIN] {
            let error = read(name, value).unwrap_err();
            assert_eq!((error.code(), error.path()), (Code::ValueOutOfRange, name));
            assert_eq!(error.fault().expected, format!("{min:?} to {max:?}"));
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(read(name, value).unwrap_err().code(), Code::ValueNotFinite);
        }
    }
    for (count, ok) in [(0, true), (32, true), (33, false), (255, false)] {
        assert_eq!(Layout::Settings.rewrite(&patched("settings.bin", "max_neighbours", [count])).is_ok(), ok);
    }
}

#[test]
fn crowd_options_have_the_ranges_of_the_specification_ends_included() {
    let bytes = bytes("setup.oprs");
    let fixture = Setup::read(&bytes).unwrap().options;
    let check = |name: &str, change: &dyn Fn(&mut CrowdOptionsBits), ok: bool| {
        let mut options = fixture;
        change(&mut options);
        match options.validate(&Path::ROOT) {
            Ok(valid) => {
                assert!(ok, "{name} was accepted: {options:?}");
                assert_eq!(valid.to_bits(), options, "every bit is kept");
            }
            Err(error) => {
                assert!(!ok, "{error}");
                assert_eq!((error.code(), error.stage()), (Code::OptionOutOfRange, Stage::Restore));
                assert_eq!((error.path(), error.offset()), (name, None));
            }
        }
    };
    for (value, ok) in [(i32::MIN, false), (0, false), (1, true), (1_000_000, true), (1_000_001, false)] {
        check("max_agents", &|options| options.max_agents = value, ok);
        check("query_nodes", &|options| options.query_nodes = value, ok);
    }
    for (value, ok) in [(0, true), (1, true), (2, false), (255, false)] {
        check("query_node_model", &|options| options.query_node_model = value, ok);
    }
    for (value, ok) in [(-1, false), (0, true), (64, true), (65, false), (i32::MAX, false)] {
        check("max_walls_per_agent", &|options| options.max_walls_per_agent = value, ok);
        check("max_walls_avoided", &|options| options.max_walls_avoided = value, ok);
    }
    for (value, ok) in [
        (0.0, true),
        (-0.0, true),
        (1024.0, true),
        (-5e-324, false),
        (1024.0_f64.next_up(), false),
        (f64::NAN, false),
        (f64::INFINITY, false),
    ] {
        check("wall_refresh_distance", &|options| options.wall_refresh_distance.0 = value.to_bits(), ok);
    }
}

#[test]
fn a_stream_that_claims_ten_gigabytes_ends_where_its_bytes_do() {
    let mut bytes = bytes("replay.oprp")[..60].to_vec();
    bytes[8..12].copy_from_slice(&i32::MAX.to_le_bytes());
    bytes.splice(12.., b"OPRS\x01\x01\0\0".iter().copied().chain([0; 53]));
    bytes[20..28].copy_from_slice(&1.0_f64.to_le_bytes());
    bytes[61..65].copy_from_slice(&2_000_000_000_i32.to_le_bytes());
    let (_, result) = read_streamed_replay(&bytes[..], 10_000_000_000);
    let Err(StreamError::Io { offset, error }) = result else { panic!("{result:?}") };
    assert_eq!((offset, error.kind()), (bytes.len() as u64, std::io::ErrorKind::UnexpectedEof));
}
