//! The pipeline function: the stages in their order, seen from outside.

use std::ops::ControlFlow;

use crowd_engine::build::{BuildFailure, BuildObserver, BuildStage, Partition, StageOutput, build_mesh};
use replay_format::{Bits64, BuildInput, BuildSettingsBits, Code, Stage};

/// A floor of 8 by 8 m.
fn floor(partition: i32) -> BuildInput {
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
        partition,
    };
    let vertices = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
    BuildInput { settings, vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

/// Keeps what it is told, and stops before a stage.
#[derive(Default)]
struct Log {
    begun: Vec<BuildStage>,
    ended: Vec<(BuildStage, Vec<u8>)>,
    stop: Option<BuildStage>,
}

impl BuildObserver for Log {
    fn begins(&mut self, stage: BuildStage) -> ControlFlow<()> {
        if self.stop == Some(stage) {
            return ControlFlow::Break(());
        }
        self.begun.push(stage);
        ControlFlow::Continue(())
    }

    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        self.ended.push((stage, output.to_bytes()));
    }
}

fn stages(partition: Partition) -> Vec<BuildStage> {
    BuildStage::ALL.into_iter().filter(|stage| stage.is_of(partition)).collect()
}

#[test]
fn every_stage_is_seen_once_and_in_order() {
    for (number, partition) in [(0, Partition::Watershed), (1, Partition::Monotone), (2, Partition::Layers)] {
        let mut log = Log::default();
        let mesh = build_mesh(&floor(number), &mut log).expect("a floor");
        assert_eq!(log.begun, stages(partition));
        let ended: Vec<BuildStage> = log.ended.iter().map(|(stage, _)| *stage).collect();
        assert_eq!(ended, stages(partition));
        let (_, last) = log.ended.last().expect("stages");
        assert_eq!(last, &mesh.to_bytes());
        // A radius of two columns, and the drop around the floor takes one more.
        assert_eq!(mesh.polygon_count(), 1);
    }
}

#[test]
fn a_build_stops_before_any_stage() {
    let all = stages(Partition::Watershed);
    for (index, &stop) in all.iter().enumerate() {
        let mut log = Log { stop: Some(stop), ..Log::default() };
        let stopped = build_mesh(&floor(0), &mut log).expect_err("stopped");
        assert_eq!(stopped, BuildFailure::Stopped { before: stop });
        assert_eq!(stopped.to_string(), format!("stopped before stage {stop}"));
        assert_eq!(log.begun, all[..index]);
        assert_eq!(log.ended.len(), index);
    }
}

#[test]
fn nothing_to_walk_on_is_a_mesh_without_polygons() {
    for partition in 0..3 {
        let empty = BuildInput { triangles: Vec::new(), ..floor(partition) };
        let mut narrow = floor(partition);
        narrow.settings.agent_radius = Bits64::new(100.0);
        let mut wall = floor(partition);
        wall.vertices = vec![[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [8.0, 4.0, 0.0], [8.0, 0.0, 0.0]];
        let mut point = floor(partition);
        point.vertices = vec![[1.0, 1.0, 1.0]; 4];
        for input in [empty, narrow, wall, point] {
            let mesh = build_mesh(&input, &mut ()).expect("no error");
            assert_eq!(mesh.polygon_count(), 0);
        }
    }
}

#[test]
fn a_corner_beyond_the_coordinates_that_a_mesh_can_have_is_refused() {
    // The floor is below 2^21, the top of the cell that it lies in is not.
    let mut input = floor(0);
    input.settings.cell_height = Bits64::new(1000.0);
    input.settings.agent_height = Bits64::new(1000.0);
    input.vertices.iter_mut().for_each(|vertex| vertex[1] = 2_097_151.5);
    input.vertices.push([4.0, 0.0, 4.0]);
    input.triangles.push([4, 4, 4]);
    let Err(BuildFailure::Refused(error)) = build_mesh(&input, &mut ()) else { panic!("a mesh") };
    assert_eq!((error.0.code(), error.0.stage(), error.0.offset()), (Code::PositionOutOfRange, Stage::Build, None));
    assert!(error.0.path().starts_with("mesh.vertices["), "{error}");
}

#[test]
fn names_lead_back() {
    for stage in BuildStage::ALL {
        assert_eq!(BuildStage::parse(stage.as_str()), Some(stage));
    }
    assert_eq!(BuildStage::parse("rasterize"), None);
}
