//! The fixtures: each is read as the values that its comments say, and written again as it was.

use replay_format::{
    AgentOptions, BuildInput, Code, CrowdOptions, LiveCapture, LiveRecord, MeshPolygon, MeshSnapshot, NodeModel,
    Operation, Path, PathFollower, Replay, SettingsExtent, Setup, Stage, Task, WallCache, WallEdge, check_point,
    known_operations, xxh64,
};

use crate::fixtures;
use crate::layout::{Layout, read_state};

#[test]
fn every_fixture_is_written_as_it_was() {
    for (layout, fixture) in Layout::ALL {
        let bytes = fixtures::bytes(fixture);
        assert!(layout.rewrite(&bytes).unwrap() == bytes, "{fixture}");
    }
}

#[test]
fn crowd_options_are_those_of_the_fixture() {
    let bytes = fixtures::bytes("setup.oprs");
    let bits = Setup::read(&bytes).unwrap().options;
    let options = CrowdOptions {
        max_agents: 100,
        query_nodes: 2048,
        query_node_model: NodeModel::PortalMidpoint,
        max_walls_per_agent: 16,
        wall_refresh_distance: 0.5,
        max_walls_avoided: 8,
    };
    assert_eq!(bits.validate(&Path::ROOT), Ok(options));
    assert_eq!(options.to_bits(), bits);
    let mut written = Vec::new();
    bits.write(&mut written);
    assert_eq!(written, fixtures::bytes("options.bin"));
}

/// The agent options of the fixtures, without path-follower settings.
fn person() -> AgentOptions {
    AgentOptions {
        radius: 0.3,
        height: 1.8,
        max_speed: 1.4,
        max_acceleration: 8.0,
        neighbour_distance: 4.0,
        agent_horizon: 2.0,
        wall_horizon: 0.5,
        wall_clearance: 0.3,
        max_neighbours: 12,
        follower: None,
    }
}

#[test]
fn agent_options_are_those_of_the_fixture() {
    let bytes = fixtures::bytes("settings.bin");
    let options = AgentOptions::read(&bytes, 0, &Path::ROOT, Stage::Play).unwrap();
    let follower = PathFollower { arrival_distance: 0.125, slowing_distance: 0.5, corner_cut: 0.0 };
    assert_eq!(options, AgentOptions { follower: Some(follower), ..person() });
}

#[test]
fn the_mesh_is_that_of_the_fixture() {
    let mesh = MeshSnapshot::read(&fixtures::bytes("mesh.opnm")).unwrap();
    let vertices = vec![[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.5, -8.0], [0.0, -0.0, -8.0]];
    let polygons = vec![
        MeshPolygon { vertices: vec![0, 1, 2], links: vec![None, None, Some(1)], area: 1 },
        MeshPolygon { vertices: vec![0, 2, 3], links: vec![Some(0), None, None], area: 1 },
    ];
    assert!(mesh.vertices[3][1].is_sign_negative(), "minus zero stays");
    assert_eq!((polygons[0].edge(0), polygons[0].edge(2)), ((0, 1), (2, 0)));
    assert_eq!(mesh, MeshSnapshot { revision: 0, vertices, polygons });
}

#[test]
fn the_state_is_that_of_the_fixture() {
    let state = read_state(&fixtures::bytes("state.opcs")).unwrap();
    assert_eq!((state.header.step_count, state.header.next_id, state.header.agent_count), (7, 4, 2));
    let [walker, idler] = &state.agents[..] else { panic!("two agents") };
    assert_eq!((walker.id, walker.position, walker.polygon, walker.velocity), (1, [6.0, 0.0, -1.0], 0, [-1.25, -0.0]));
    assert!(walker.velocity[1].is_sign_negative(), "minus zero stays");
    assert_eq!(walker.options, person());
    let task = Task::Following {
        destination: [1.0, 0.0, -7.0],
        target: [1.0, 0.0625, -7.0],
        corridor: vec![0, 1],
        partial: false,
    };
    assert_eq!((walker.task.name(), &walker.task), ("following", &task));
    let walls = vec![WallEdge { polygon: 0, edge: 0 }];
    assert_eq!(walker.walls, Some(WallCache { anchor: [6.25, -1.0], walls }));
    assert_eq!((idler.id, idler.position, idler.polygon, &idler.task), (3, [2.0, 0.0, -6.0], 1, &Task::Idle));
    let follower = PathFollower { arrival_distance: 0.25, slowing_distance: 1.0, corner_cut: 0.5 };
    assert_eq!(idler.options, AgentOptions { follower: Some(follower), ..person() });
    assert_eq!(idler.walls, None);
}

#[test]
fn the_replay_is_that_of_the_fixture() {
    let bytes = fixtures::bytes("replay.oprp");
    let replay = Replay::read(&bytes).unwrap();
    assert_eq!((replay.setup.dt, replay.setup.start_step), (0.03125, 7));
    assert_eq!((replay.setup.mesh_offset, replay.setup.state_offset), (12 + 53, 12 + 57 + 172));
    assert_eq!(replay.setup.mesh, fixtures::bytes("mesh.opnm"));
    assert_eq!(replay.setup.state, fixtures::bytes("state.opcs"));
    let hashes: Vec<_> = replay.steps.iter().map(|step| (step.operations_offset, step.hash)).collect();
    assert_eq!(hashes, [(635, 0x0123_4567_89ab_cdef), (795, 0xfedc_ba98_7654_3210), (807, 0xff)]);
    let settings = fixtures::bytes("settings.bin");
    let steps = Path::ROOT.field("steps");
    let first = steps.index(0);
    let operations: Vec<_> =
        replay.steps[0].operations(first.field("operations"), SettingsExtent::OURS).map(|item| item.unwrap()).collect();
    let add = Operation::Add { position: [4.0, 0.25, -0.0], settings: &settings, settings_offset: 660 };
    let go = Operation::SetDestination { agent: 4, destination: [1.0, 0.0, -7.5] };
    assert_eq!(operations, [(635, add), (750, go)]);
    assert_eq!(replay.steps[1].operations, b"");
    let last: Vec<_> = known_operations(replay.steps[2].operations).collect();
    let teleport = Operation::Teleport { agent: 3, position: [7.0, 0.0, -7.0] };
    assert_eq!(last, [teleport, Operation::Stop { agent: 1 }, Operation::Remove { agent: 4 }]);
    let kinds: Vec<_> = operations.iter().map(|(_, op)| op).chain(&last).map(|op| (op.kind(), op.name())).collect();
    assert_eq!(kinds, [(1, "Add"), (3, "SetDestination"), (5, "Teleport"), (4, "Stop"), (2, "Remove")]);
}

#[test]
fn the_capture_is_that_of_the_fixture() {
    let bytes = fixtures::bytes("capture.oplr");
    let capture = LiveCapture::read(&bytes).unwrap();
    let destination = [1.0, 0.0, -7.5];
    let records = [
        (615, LiveRecord::Operation(Operation::SetDestination { agent: 3, destination })),
        (649, LiveRecord::Step(0x0123_4567_89ab_cdef)),
        (658, LiveRecord::Step(0xfedc_ba98_7654_3210)),
        (667, LiveRecord::Operation(Operation::Remove { agent: 1 })),
    ];
    assert_eq!(capture.records, records);
    let (steps, rest) = capture.steps();
    let hashes: Vec<_> = steps.iter().map(|step| (step.operations_offset, step.operations.len(), step.hash)).collect();
    assert_eq!(hashes, [(616, 33, 0x0123_4567_89ab_cdef), (658, 0, 0xfedc_ba98_7654_3210)]);
    let rest: Vec<_> = known_operations(&rest).collect();
    assert_eq!(rest, [Operation::Remove { agent: 1 }], "operations after the last step are kept");
}

#[test]
fn a_setup_block_is_a_capture_without_records() {
    let bytes = fixtures::bytes("setup.oprs");
    let capture = LiveCapture::read(&bytes).unwrap();
    assert_eq!(capture.records, []);
    assert_eq!(Ok(capture.setup), Setup::read(&bytes));
}

#[test]
fn the_record_is_that_of_the_fixture() {
    let bytes = fixtures::bytes("record.bin");
    let record = LiveRecord::read(&bytes, SettingsExtent::OURS);
    assert_eq!(record, Ok(LiveRecord::Operation(Operation::Stop { agent: 1 })));
}

#[test]
fn the_build_input_is_that_of_the_fixture() {
    let input = BuildInput::read(&fixtures::bytes("build.opbi")).unwrap();
    let doubles = input.settings.doubles().map(|(_, bits)| bits.value());
    assert_eq!(doubles, [0.3, 1.8, 0.4, 45.0, 0.25, 0.125, 1.3, 12.0, 1.5, 0.125]);
    let settings = input.settings;
    let integers =
        [settings.min_region_area, settings.merge_region_area, settings.max_verts_per_poly, settings.partition];
    assert_eq!(integers, [8, 20, 6, 0]);
    assert_eq!(input.vertices, [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, -0.0, -4.0]]);
    assert!(input.vertices[2][1].is_sign_negative(), "minus zero stays");
    assert_eq!(input.triangles, [[0, 1, 2]]);
}

#[test]
fn fields_that_stage_read_does_not_check_keep_every_bit_of_a_nan() {
    for bits in [0x7ff0_0000_0000_0001_u64, 0x7ff8_0000_0000_0000, 0xffff_dead_beef_0000, 0xfff4_0000_0000_0000] {
        let bytes = fixtures::patched_at("setup.oprs", 37, bits.to_le_bytes());
        let setup = Setup::read(&bytes).unwrap();
        assert_eq!(setup.options.wall_refresh_distance.0, bits);
        assert_eq!(Layout::Setup.rewrite(&bytes), Ok(bytes));
        for field in 0..10 {
            let bytes = fixtures::patched_at("build.opbi", 8 + 8 * field, bits.to_le_bytes());
            let input = BuildInput::read(&bytes).unwrap();
            assert_eq!(input.settings.doubles()[field].1.0, bits);
            assert_eq!(input.write(), Ok(bytes));
        }
    }
}

#[test]
fn the_smallest_time_step_and_the_greatest_are_in_range() {
    for dt in [5e-324, f64::MIN_POSITIVE, 3600.0] {
        let bytes = fixtures::patched("setup.oprs", "dt", dt.to_le_bytes());
        assert_eq!(Setup::read(&bytes).unwrap().dt.to_bits(), dt.to_bits());
        assert_eq!(Layout::Setup.rewrite(&bytes), Ok(bytes));
    }
    assert!(!replay_format::dt_is_valid(-0.0));
}

#[test]
fn nested_blocks_are_not_looked_at_by_the_outer_readers() {
    let mut bytes = fixtures::bytes("setup.oprs");
    bytes.truncate(49);
    bytes.extend([0; 8]);
    let setup = Setup::read(&bytes).unwrap();
    assert_eq!((setup.mesh, setup.state), (&b""[..], &b""[..]));
    let replay = fixtures::patched_at("replay.oprp", 660, [0xff; 65]);
    assert_eq!(Layout::Replay.rewrite(&replay), Ok(replay));
}

#[test]
fn points_of_a_host_are_checked_as_those_of_a_file() {
    let below = 2_097_152.0_f64.next_down();
    assert_eq!(check_point(&[below, -0.0, -below]), Ok(()));
    assert_eq!(check_point(&[0.0, 2_097_152.0, 0.0]), Err((Code::PositionOutOfRange, "y", 2_097_152.0)));
    assert_eq!(check_point(&[0.0, 0.0, -2_097_152.0]), Err((Code::PositionOutOfRange, "z", -2_097_152.0)));
    assert!(matches!(check_point(&[f64::NAN, f64::INFINITY, 0.0]), Err((Code::PositionNotFinite, "x", _))));
}

#[test]
fn codes_and_stages_are_found_by_their_names() {
    for code in Code::ALL {
        assert_eq!(Code::parse(code.as_str()), Some(*code));
    }
    for stage in [Stage::Read, Stage::Restore, Stage::Play, Stage::Build] {
        assert_eq!(Stage::parse(stage.as_str()), Some(stage));
    }
    assert_eq!((Code::parse("no-such-code"), Stage::parse("Read")), (None, None));
}

#[test]
fn the_hash_is_xxh64() {
    let bytes: Vec<u8> = (0..100).collect();
    let hashes = [xxh64(b""), xxh64(b"a"), xxh64(b"abc")];
    assert_eq!(hashes, [0xef46_db37_51d8_e999, 0xd24e_c4f1_a98c_6e5b, 0x44bc_2cf5_ad77_0999]);
    // These were computed by another implementation of SPEC.md, chapter HASH.
    assert_eq!([xxh64(&bytes[..32]), xxh64(&bytes)], [0xcbf5_9c51_16ff_32b4, 0x6ac1_e580_3216_6597]);
}
