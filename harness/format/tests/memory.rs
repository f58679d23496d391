//! Memory stays within a small multiple of the bytes that are present, whatever the bytes claim.
//!
//! A program of its own with one test in it: what is counted is the whole process's.
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "a test that panics says what is wrong"
)]

use std::io;

use peak_alloc::PeakAlloc;
use replay_format::{
    BuildInput, CrowdOptions, CrowdState, LiveCapture, LiveRecord, LiveVisitor, MeshSnapshot, OperationsLayout, Path,
    Replay, ReplayVisitor, Setup, StateContext, StateHeader, Step, stream_live, stream_replay, xxh64,
};

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// The most bytes that `work` had at a time, besides those that there were.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    PEAK.reset_peak_usage();
    let before = PEAK.current_usage();
    let result = work();
    let most = PEAK.peak_usage().saturating_sub(before);
    drop(result);
    most
}

/// Sees everything and keeps nothing.
struct Nothing;

impl ReplayVisitor<Vec<u8>> for Nothing {
    fn setup(&mut self, _: Setup<Vec<u8>>) {}
    fn step_count(&mut self, _: u64) {}
    fn step(&mut self, _: u64, _: Step<Vec<u8>>) {}
}

impl LiveVisitor for Nothing {
    fn setup(&mut self, _: Setup<Vec<u8>>) {}
    fn record(&mut self, _: u64, _: LiveRecord<'_>) {}
}

fn setup_block(mesh_length: i32) -> Vec<u8> {
    let mut out = b"OPRS\x01\x01\0\0".to_vec();
    out.extend(1.0_f64.to_le_bytes());
    out.extend([0; 33]);
    out.extend(mesh_length.to_le_bytes());
    out.extend([0; 4]);
    out
}

/// A replay's head, its step count, and `present` steps without operations.
fn replay(count: i32, present: usize) -> Vec<u8> {
    let setup = setup_block(0);
    let mut out = b"OPRP\x01\x01\0\0".to_vec();
    out.extend((setup.len() as i32).to_le_bytes());
    out.extend(setup);
    out.extend(count.to_le_bytes());
    out.extend(vec![0; 12 * present]);
    out
}

fn build_input(vertices: i32, triangles: i32, present: usize) -> Vec<u8> {
    let mut out = b"OPBI\x01\0\0\0".to_vec();
    out.extend([0; 96]);
    out.extend(vertices.to_le_bytes());
    out.extend(triangles.to_le_bytes());
    out.extend(vec![0; present]);
    out
}

fn mesh(vertices: i32, polygons: i32) -> Vec<u8> {
    let mut out = b"OPNM\x01\0\0\0".to_vec();
    out.extend([0; 8]);
    out.extend(vertices.to_le_bytes());
    out.extend(polygons.to_le_bytes());
    out
}

/// A mesh of three vertices and so many triangles, which are as much memory for as few bytes as can be.
fn many_triangles(count: i32) -> Vec<u8> {
    let mut out = mesh(3, count);
    out.extend([0; 72]);
    let mut triangle = vec![3, 1];
    triangle.extend([0, 1, 2, -1, -1, -1].into_iter().flat_map(i32::to_le_bytes));
    out.extend(triangle.repeat(count as usize));
    out
}

#[test]
fn memory_is_a_small_multiple_of_the_bytes_present() {
    claims_cost_nothing();
    streams_take_constant_memory();
    full_files_take_a_small_multiple();
}

/// Small files that claim to be large.
fn claims_cost_nothing() {
    const LITTLE: usize = 4096;
    let claims_steps = replay(67_108_864, 3);
    assert!(peak(|| Replay::read(&claims_steps)) < LITTLE);
    let few_steps = replay(3, 3);
    assert!(peak(|| Replay::read(&few_steps).unwrap()) < LITTLE);
    let claims_mesh = setup_block(2_000_000_000);
    assert!(peak(|| Setup::read(&claims_mesh)) < LITTLE);
    let claims_vertices = build_input(4_000_000, 8_000_000, 24);
    assert!(peak(|| BuildInput::read(&claims_vertices)) < LITTLE);
    let claims_triangles = build_input(1, 8_000_000, 24);
    assert!(peak(|| BuildInput::read(&claims_triangles)) < LITTLE);
    let claims_polygons = mesh(0, 4_000_000);
    assert!(peak(|| MeshSnapshot::read(&claims_polygons)) < LITTLE);
    // Streams are told a length that is a lie too.
    for length in [0, 60, 10_000_000_000, u64::MAX] {
        for bytes in [&claims_steps, &claims_mesh] {
            assert!(peak(|| stream_replay(&bytes[..], length, OperationsLayout::OURS, &mut Nothing).is_err()) < LITTLE);
            assert!(peak(|| stream_live(&bytes[..], length, &mut Nothing).is_err()) < LITTLE);
        }
    }
    let mesh = MeshSnapshot::read(&many_triangles(1)).unwrap();
    let options = CrowdOptions { max_agents: 1_000_000, ..CrowdOptions::default() };
    let context = StateContext { mesh: &mesh, mesh_digest: 1, options: &options, options_digest: 2, start_step: None };
    let header = StateHeader { mesh_digest: 1, options_digest: 2, step_count: 0, next_id: 9, agent_count: 1_000_000 };
    let state = header.to_bytes();
    assert!(peak(|| CrowdState::read(&state, 0, &Path::ROOT, &context)) < LITTLE);
    assert_eq!(xxh64(b""), 0xef46_db37_51d8_e999);
}

/// A long recording, read as it arrives.
fn streams_take_constant_memory() {
    const STEPS: usize = 200_000;
    let long = replay(STEPS as i32, STEPS);
    let streamed = peak(|| {
        stream_replay(io::BufReader::new(&long[..]), long.len() as u64, OperationsLayout::OURS, &mut Nothing).unwrap();
    });
    assert!(streamed < 16_384, "{streamed} bytes for a stream");
    let mut live = setup_block(0);
    live.extend([2, 0, 0, 0, 0, 0, 0, 0, 0].repeat(STEPS));
    let streamed = peak(|| stream_live(io::BufReader::new(&live[..]), live.len() as u64, &mut Nothing).unwrap());
    assert!(streamed < 16_384, "{streamed} bytes for a stream");
}

/// The layouts whose values are larger than their bytes, as much as can be.
fn full_files_take_a_small_multiple() {
    let check = |what: &str, present: usize, most: usize, multiple: usize| {
        assert!(most <= multiple * present + 8_388_608, "{what}: {most} bytes for {present}");
        most.div_ceil(present)
    };
    let steps = replay(500_000, 500_000);
    check("steps", steps.len(), peak(|| Replay::read(&steps).unwrap()), 9);
    let mut records = setup_block(0);
    records.extend([2, 0, 0, 0, 0, 0, 0, 0, 0].repeat(500_000));
    check("records", records.len(), peak(|| LiveCapture::read(&records).unwrap()), 24);
    let triangles = many_triangles(200_000);
    check("polygons", triangles.len(), peak(|| MeshSnapshot::read(&triangles).unwrap()), 6);
    let vertices = build_input(200_000, 0, 24 * 200_000);
    check("vertices", vertices.len(), peak(|| BuildInput::read(&vertices).unwrap()), 1);
}
