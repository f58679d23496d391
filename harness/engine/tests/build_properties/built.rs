//! A build with all that its stages gave.

use crowd_engine::NavMesh;
use crowd_engine::build::{
    BuildFailure, BuildObserver, BuildStage, CompactHeightfield, ContourSet, DetailMesh, PolygonMesh, RegionMap,
    Settings, StageOutput, build_mesh,
};
use replay_format::BuildInput;

/// What the stages gave, and the bytes of each.
pub struct Built {
    pub settings: Settings,
    /// After erosion.
    pub open: CompactHeightfield,
    pub regions: RegionMap,
    pub contours: ContourSet,
    pub polygons: PolygonMesh,
    pub detail: DetailMesh,
    pub mesh: NavMesh,
    pub bytes: Vec<(BuildStage, Vec<u8>)>,
}

#[derive(Default)]
struct Collector {
    open: Option<CompactHeightfield>,
    regions: RegionMap,
    contours: ContourSet,
    polygons: PolygonMesh,
    detail: DetailMesh,
    bytes: Vec<(BuildStage, Vec<u8>)>,
}

impl BuildObserver for Collector {
    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        self.bytes.push((stage, output.to_bytes()));
        match output {
            StageOutput::Compact(open) => self.open = Some(open.clone()),
            StageOutput::Regions(map) => self.regions = map.clone(),
            StageOutput::Contours(set) => self.contours = set.clone(),
            StageOutput::Polygons(mesh) => self.polygons = mesh.clone(),
            StageOutput::Detail(detail) => self.detail = detail.clone(),
            StageOutput::Heightfield(_) | StageOutput::Distances(_) | StageOutput::Mesh(_) => {}
        }
    }
}

/// Builds, and keeps everything.
pub fn try_build(input: &BuildInput) -> Result<Built, BuildFailure> {
    let mut seen = Collector::default();
    let mesh = build_mesh(input, &mut seen)?;
    let settings = Settings::new(&input.settings)?;
    let open = seen.open.expect("the build has a compact stage");
    let Collector { regions, contours, polygons, detail, bytes, .. } = seen;
    Ok(Built { settings, open, regions, contours, polygons, detail, mesh, bytes })
}

pub fn build(input: &BuildInput) -> Built {
    try_build(input).expect("an input within the limits")
}

impl Built {
    /// The spans of a column.
    pub fn column(&self, x: usize, z: usize) -> std::ops::Range<usize> {
        let width = self.open.width as usize;
        let column = x + z * width;
        if x >= width || z >= self.open.depth as usize {
            return 0..0;
        }
        self.open.columns[column] as usize..self.open.columns[column + 1] as usize
    }

    /// The span of a region in a column, where there is one: at most one.
    pub fn span_of(&self, region: u32, x: usize, z: usize) -> Option<usize> {
        self.column(x, z).find(|&span| self.regions.regions[span] == region)
    }

    /// The corners of a polygon in cell corners.
    pub fn cells(&self, polygon: usize) -> Vec<[i64; 2]> {
        let corners = self.polygons.polygons[polygon].vertices.iter();
        corners.map(|&vertex| self.polygons.vertices[vertex as usize]).map(|[x, _, z]| [x.into(), z.into()]).collect()
    }

    /// The corners of a polygon in the world.
    pub fn corners(&self, polygon: usize) -> Vec<[f64; 3]> {
        let snapshot = self.mesh.snapshot();
        snapshot.polygons[polygon].vertices.iter().map(|&vertex| snapshot.vertices[vertex as usize]).collect()
    }

    /// The plan area of all polygons, in cells, times two.
    pub fn doubled_area(&self) -> i64 {
        (0..self.polygons.polygons.len()).map(|polygon| crate::plane::doubled_area(&self.cells(polygon))).sum()
    }

    /// The number of spans that are in a region.
    pub fn spans_in_regions(&self) -> usize {
        self.regions.regions.iter().filter(|&&region| region != 0).count()
    }
}
