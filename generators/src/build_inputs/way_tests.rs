//! Whether the ways of the mesh are those of the spans that it was made of, in every level.
//!
//! Regions are what the two have in common: spans have a region, and polygons do. The spans' links say which regions are beside
//! each other, and that a region is connected; the polygons' links must say the same.

use std::collections::BTreeSet;

use crowd_engine::build::{
    BuildObserver, BuildStage, CompactHeightfield, PolygonMesh, RegionMap, StageOutput, build_mesh,
};

use super::{Level, levels};

/// Keeps what is compared.
#[derive(Default)]
struct Watch {
    compact: Option<CompactHeightfield>,
    map: Option<RegionMap>,
    polygons: Option<PolygonMesh>,
}

impl BuildObserver for Watch {
    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        match output {
            StageOutput::Compact(compact) if stage == BuildStage::Erode => self.compact = Some(compact.clone()),
            StageOutput::Regions(map) => self.map = Some(map.clone()),
            StageOutput::Polygons(polygons) => self.polygons = Some(polygons.clone()),
            _ => {}
        }
    }
}

/// Pairs of different regions that are linked, the lower one first.
type Pairs = BTreeSet<(u32, u32)>;

fn of_spans(compact: &CompactHeightfield, map: &RegionMap) -> Pairs {
    let region = |span: u32| map.regions.get(span as usize).copied().unwrap_or(0);
    let links = (0..).zip(&compact.spans).flat_map(|(index, span)| span.neighbours.map(|other| (index, other)));
    links.map(|(one, other)| (region(one), region(other))).filter(|&(one, other)| 0 < one && one < other).collect()
}

fn of_polygons(mesh: &PolygonMesh) -> Pairs {
    let region = |polygon: u32| mesh.polygons[polygon as usize].region;
    let links =
        mesh.polygons.iter().flat_map(|one| one.neighbours.iter().flatten().map(|&other| (one.region, region(other))));
    links.filter(|(one, other)| one < other).collect()
}

/// How many parts the polygons of a region are in, linked by each other alone.
fn parts(mesh: &PolygonMesh, region: u32) -> usize {
    let of_region = |polygon: u32| mesh.polygons[polygon as usize].region == region;
    let mut left: BTreeSet<u32> = (0..).take(mesh.polygons.len()).filter(|&polygon| of_region(polygon)).collect();
    let mut parts = 0;
    while let Some(first) = left.pop_first() {
        parts += 1;
        let mut open = vec![first];
        while let Some(polygon) = open.pop() {
            let beside = mesh.polygons[polygon as usize].neighbours.iter().flatten();
            open.extend(beside.filter(|other| left.remove(other)));
        }
    }
    parts
}

fn fault(level: &Level) -> Option<String> {
    let mut watch = Watch::default();
    build_mesh(&level.input, &mut watch).expect("a mesh");
    let (Some(compact), Some(map), Some(mesh)) = (watch.compact, watch.map, watch.polygons) else {
        return Some("a stage did not run".into());
    };
    let (spans, polygons) = (of_spans(&compact, &map), of_polygons(&mesh));
    if spans != polygons {
        let lost: Vec<_> = spans.difference(&polygons).collect();
        let made: Vec<_> = polygons.difference(&spans).collect();
        return Some(format!("{}: ways between regions lost {lost:?}, made {made:?}", level.name));
    }
    let torn: Vec<u32> = (1..=map.count).filter(|&region| parts(&mesh, region) != 1).collect();
    (!torn.is_empty()).then(|| format!("{}: regions {torn:?} are not one", level.name))
}

#[test]
fn ways_of_meshes_are_those_of_their_spans() {
    let levels = levels();
    let all: Vec<String> = levels.iter().filter_map(fault).collect();
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}
