//! A build of the reference engine, watched: what each stage's bytes hash to.

use crowd_engine::build::{AREA_NONE, BuildFailure, BuildObserver, BuildStage, StageOutput, build_mesh};
use replay_format::{BuildInput, Error};

use crate::corpus::sha256;
use crate::words::len64;

/// What came of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The digest of each stage that it had, in order.
    pub stages: Vec<(BuildStage, String)>,
    /// How many polygons the mesh has.
    pub polygons: u64,
    /// The mesh's bytes.
    pub mesh: Vec<u8>,
}

/// Builds an input.
///
/// # Errors
/// Stage build: why there is no mesh.
pub fn build(input: &BuildInput) -> Result<Built, Error> {
    let mut digests = Digests::default();
    match build_mesh(input, &mut digests) {
        Ok(mesh) => {
            let polygons = len64(mesh.polygon_count());
            Ok(Built { stages: digests.stages, polygons, mesh: mesh.to_bytes() })
        }
        Err(BuildFailure::Refused(error)) => Err(error.0),
        Err(BuildFailure::Stopped { before }) => unreachable!("nothing stops before {before}"),
    }
}

/// What a stage made, in numbers: each with the words that go after it.
#[must_use]
pub fn figures_of(output: StageOutput<'_>) -> Vec<(&'static str, u64)> {
    let walkable = |areas: &mut dyn Iterator<Item = u8>| len64(areas.filter(|&area| area != AREA_NONE).count());
    let columns = |width: u32, depth: u32| u64::from(width) * u64::from(depth);
    match output {
        StageOutput::Heightfield(h) => vec![
            ("columns", columns(h.width, h.depth)),
            ("spans", len64(h.spans.len())),
            ("walkable", walkable(&mut h.spans.iter().map(|span| span.area))),
        ],
        StageOutput::Compact(c) => {
            vec![("spans", len64(c.spans.len())), ("walkable", walkable(&mut c.spans.iter().map(|span| span.area)))]
        }
        StageOutput::Distances(distances) => {
            vec![("half columns at most", distances.iter().copied().fold(0, u32::max).into())]
        }
        StageOutput::Regions(map) => vec![
            ("regions", map.count.into()),
            ("spans in them", len64(map.regions.iter().filter(|&&region| region != 0).count())),
        ],
        StageOutput::Contours(set) => vec![
            ("contours", len64(set.contours.len())),
            ("corners", set.contours.iter().map(|contour| len64(contour.vertices.len())).sum()),
            ("skipped", len64(set.skipped.len())),
        ],
        StageOutput::Polygons(mesh) => vec![
            ("polygons", len64(mesh.polygons.len())),
            ("vertices", len64(mesh.vertices.len())),
            ("skipped", len64(mesh.skipped.len())),
        ],
        StageOutput::Detail(detail) => vec![
            ("triangles", detail.polygons.iter().map(|polygon| len64(polygon.triangles.len())).sum()),
            ("vertices", detail.polygons.iter().map(|polygon| len64(polygon.vertices.len())).sum()),
        ],
        StageOutput::Mesh(mesh) => {
            let polygons = &mesh.snapshot().polygons;
            let links = |links: &mut dyn Iterator<Item = &Option<u32>>| len64(links.flatten().count());
            vec![
                ("polygons", len64(polygons.len())),
                ("vertices", len64(mesh.snapshot().vertices.len())),
                ("links", links(&mut polygons.iter().flat_map(|polygon| &polygon.links))),
            ]
        }
    }
}

#[derive(Default)]
struct Digests {
    stages: Vec<(BuildStage, String)>,
}

impl BuildObserver for Digests {
    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        self.stages.push((stage, sha256(&output.to_bytes())));
    }
}
