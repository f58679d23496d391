//! Compact heightfields from text, and what a mesh of polygons must always be.

use std::collections::{BTreeMap, BTreeSet};

use crowd_engine::build::{
    CompactHeightfield, CompactSpan, DetailMesh, NO_SPAN, Partition, PolygonMesh, RegionMap, Settings, contours,
    detail, nav_mesh, polygonize,
};

/// Settings with which shapes of right angles stay exact.
pub fn settings() -> Settings {
    Settings {
        cell_size: 1.0,
        cell_height: 1.0,
        radius_cells: 0,
        height_cells: 2,
        climb_cells: 1,
        slope_cosine: 0.5,
        contour_max_error: 1.0,
        max_edge_cells: 0,
        detail_sample_distance: 0.0,
        detail_max_error: 1.0,
        min_region_area: 0,
        merge_region_area: 0,
        max_verts_per_poly: 6,
        partition: Partition::Watershed,
    }
}

/// One layer of spans from the floor of each cell, row by row from z = 0; spans are linked where they differ by at most `climb`.
pub fn field(width: usize, floors: &[Option<i32>], climb: i32) -> CompactHeightfield {
    let mut columns = vec![0];
    let mut index = vec![NO_SPAN; floors.len()];
    let mut count = 0;
    for (cell, floor) in floors.iter().enumerate() {
        if floor.is_some() {
            index[cell] = count;
            count += 1;
        }
        columns.push(count);
    }
    let depth = floors.len() / width;
    let mut spans = Vec::new();
    for (cell, floor) in floors.iter().enumerate() {
        let Some(floor) = *floor else { continue };
        let (x, z) = (cell % width, cell / width);
        let beside = [
            (x > 0).then(|| cell - 1),
            (z + 1 < depth).then(|| cell + width),
            (x + 1 < width).then(|| cell + 1),
            (z > 0).then(|| cell - width),
        ];
        let link = |cell: usize| floors[cell].filter(|other| (other - floor).abs() <= climb).map(|_| index[cell]);
        let neighbours = beside.map(|cell| cell.and_then(link).unwrap_or(NO_SPAN));
        spans.push(CompactSpan { floor, clearance: 100, neighbours, area: 1 });
    }
    let (width, depth) = (width.try_into().expect("small"), depth.try_into().expect("small"));
    CompactHeightfield { origin: [0.0; 3], width, depth, cell_size: 1.0, cell_height: 1.0, columns, spans }
}

/// A flat field from a plan: `.` is no span, another letter a region of its own (in the order of the letters). The first line is
/// z = 0.
pub fn plan(text: &str) -> (CompactHeightfield, RegionMap) {
    let rows: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
    let cells: Vec<u8> = rows.concat();
    let mut letters: Vec<u8> = cells.iter().copied().filter(|&c| c != b'.').collect();
    let region =
        |c: &u8, letters: &[u8]| u32::try_from(letters.binary_search(c).expect("a letter") + 1).expect("small");
    let all = letters.clone();
    letters.sort_unstable();
    letters.dedup();
    let regions = RegionMap {
        regions: all.iter().map(|c| region(c, &letters)).collect(),
        count: u32::try_from(letters.len()).expect("small"),
    };
    let floors: Vec<Option<i32>> = cells.iter().map(|&c| (c != b'.').then_some(0)).collect();
    (field(rows[0].len(), &floors, 1), regions)
}

/// Connected spans of the same label, as regions.
pub fn components(compact: &CompactHeightfield, labels: &[u32]) -> RegionMap {
    let mut regions = vec![0; compact.spans.len()];
    let mut count = 0;
    for start in 0..regions.len() {
        if regions[start] != 0 || labels[start] == 0 {
            continue;
        }
        count += 1;
        let mut open = vec![start];
        regions[start] = count;
        while let Some(span) = open.pop() {
            for &next in compact.spans[span].neighbours.iter().filter(|&&n| n != NO_SPAN) {
                let next = usize::try_from(next).expect("small");
                if regions[next] == 0 && labels[next] == labels[start] {
                    regions[next] = count;
                    open.push(next);
                }
            }
        }
    }
    RegionMap { regions, count }
}

/// All stages.
pub fn build(compact: &CompactHeightfield, regions: &RegionMap, settings: &Settings) -> (PolygonMesh, DetailMesh) {
    let set = contours(compact, regions, settings);
    let mesh = polygonize(&set, settings);
    let heights = detail(&mesh, compact, regions, settings);
    (mesh, heights)
}

fn corner(mesh: &PolygonMesh, vertex: u32) -> [i64; 2] {
    let [x, _, z] = mesh.vertices[usize::try_from(vertex).expect("small")];
    [i64::from(x), i64::from(z)]
}

fn turn(a: [i64; 2], b: [i64; 2], q: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
}

/// The sum of whole numbers.
pub fn total(parts: impl IntoIterator<Item = i64>) -> i64 {
    parts.into_iter().fold(0, i64::saturating_add)
}

/// Twice the area of each region.
pub fn doubled_areas(mesh: &PolygonMesh) -> BTreeMap<u32, i64> {
    let mut areas = BTreeMap::new();
    for polygon in &mesh.polygons {
        let corners: Vec<[i64; 2]> = polygon.vertices.iter().map(|&v| corner(mesh, v)).collect();
        let area = total(corners.windows(2).map(|pair| turn(corners[0], pair[0], pair[1])));
        *areas.entry(polygon.region).or_insert(0) += area;
    }
    areas
}

/// Asserts that polygons are convex, within the limit and not empty, that links agree on both sides, and that the mesh passes
/// `NavMesh`'s own checks.
pub fn assert_sound(mesh: &PolygonMesh, heights: &DetailMesh, compact: &CompactHeightfield, settings: &Settings) {
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let count = polygon.vertices.len();
        assert!((3..=usize::try_from(settings.max_verts_per_poly).expect("small")).contains(&count));
        let corners: Vec<[i64; 2]> = polygon.vertices.iter().map(|&v| corner(mesh, v)).collect();
        let mut sorted = polygon.vertices.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), count, "a vertex twice");
        let mut area = 0;
        for i in 0..count {
            let (a, b) = (corners[i], corners[(i + 1) % count]);
            assert!(corners.iter().all(|&q| turn(a, b, q) >= 0), "polygon {index} is not convex");
            area += turn(corners[0], a, b);
            let Some(other) = polygon.neighbours[i] else { continue };
            let other = &mesh.polygons[usize::try_from(other).expect("small")];
            let (a, b) = (polygon.vertices[i], polygon.vertices[(i + 1) % count]);
            let back = (0..other.vertices.len()).find(|&j| {
                other.vertices[j] == b
                    && other.vertices[(j + 1) % other.vertices.len()] == a
                    && other.neighbours[j] == u32::try_from(index).ok()
            });
            assert!(back.is_some(), "polygon {index} is not linked back");
        }
        assert!(area > 0);
    }
    for patch in &heights.polygons {
        for triangle in &patch.triangles {
            let [a, b, c] = triangle.map(|i| patch.vertices[usize::try_from(i).expect("small")]).map(|v| [v[0], v[2]]);
            assert!(crowd_engine::cross(a, b, c) > 0.0, "a detail triangle of no area");
        }
    }
    let finished = nav_mesh(mesh, heights, compact).expect("a clean mesh");
    assert_eq!(finished.polygon_count(), mesh.polygons.len());
    for (own, polygon) in finished.snapshot().polygons.iter().zip(&mesh.polygons) {
        assert_eq!(own.links, polygon.neighbours);
    }
    replay_format::MeshSnapshot::read(&finished.to_bytes()).expect("links that agree");
}

/// Pairs of regions that have a link, the lower one first.
type Ways = BTreeSet<(u32, u32)>;

/// Between which regions polygons are linked.
pub fn ways(mesh: &PolygonMesh) -> Ways {
    let region = |polygon: u32| mesh.polygons[usize::try_from(polygon).expect("small")].region;
    let links =
        mesh.polygons.iter().flat_map(|p| p.neighbours.iter().flatten().map(|&other| (p.region, region(other))));
    links.filter(|(one, other)| one < other).collect()
}

/// Between which regions spans are linked.
pub fn ways_of_spans(compact: &CompactHeightfield, map: &RegionMap) -> Ways {
    let region = |span: u32| map.regions.get(usize::try_from(span).expect("small")).copied().unwrap_or(0);
    let links = (0..).zip(&compact.spans).flat_map(|(index, span)| span.neighbours.map(|other| (index, other)));
    links.map(|(one, other)| (region(one), region(other))).filter(|&(one, other)| 0 < one && one < other).collect()
}

/// How many parts the polygons of a region are in, linked by each other alone.
pub fn parts(mesh: &PolygonMesh, region: u32) -> usize {
    let own = |polygon: &usize| mesh.polygons[*polygon].region == region;
    let mut left: BTreeSet<usize> = (0..mesh.polygons.len()).filter(own).collect();
    let mut parts = 0;
    while let Some(first) = left.pop_first() {
        parts += 1;
        let mut open = vec![first];
        while let Some(polygon) = open.pop() {
            let beside = mesh.polygons[polygon].neighbours.iter().flatten();
            open.extend(beside.map(|&other| usize::try_from(other).expect("small")).filter(|other| left.remove(other)));
        }
    }
    parts
}
