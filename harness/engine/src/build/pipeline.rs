//! The stages in their order. SPEC.md `[BUILD-45]`, `[BUILD-46]`.

use std::fmt;
use std::ops::ControlFlow;

use replay_format::BuildInput;

use super::{
    BuildError, CompactHeightfield, ContourSet, DetailMesh, Heightfield, Partition, PolygonMesh, RegionMap, Settings,
    compact, contours, detail, distance_bytes, distance_field, erode, filter_ledges, filter_low_ceilings,
    filter_low_hanging, nav_mesh, polygonize, regions, voxelize,
};
use crate::NavMesh;

/// A stage of the build, in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuildStage {
    /// [`voxelize`].
    Voxelize,
    /// [`filter_low_hanging`].
    LowHanging,
    /// [`filter_ledges`].
    Ledges,
    /// [`filter_low_ceilings`].
    LowCeilings,
    /// [`compact`].
    Compact,
    /// [`erode`].
    Erode,
    /// [`distance_field`]. Only the watershed has this stage.
    Distance,
    /// [`regions`].
    Regions,
    /// [`contours`].
    Contours,
    /// [`polygonize`].
    Polygons,
    /// [`detail`].
    Detail,
    /// [`nav_mesh`].
    Mesh,
}

impl BuildStage {
    /// Every stage, in order.
    pub const ALL: [BuildStage; 12] = [
        BuildStage::Voxelize,
        BuildStage::LowHanging,
        BuildStage::Ledges,
        BuildStage::LowCeilings,
        BuildStage::Compact,
        BuildStage::Erode,
        BuildStage::Distance,
        BuildStage::Regions,
        BuildStage::Contours,
        BuildStage::Polygons,
        BuildStage::Detail,
        BuildStage::Mesh,
    ];

    /// The stage's name as it stands in sidecars, reports and file names.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            BuildStage::Voxelize => "voxelize",
            BuildStage::LowHanging => "low-hanging",
            BuildStage::Ledges => "ledges",
            BuildStage::LowCeilings => "low-ceilings",
            BuildStage::Compact => "compact",
            BuildStage::Erode => "erode",
            BuildStage::Distance => "distance",
            BuildStage::Regions => "regions",
            BuildStage::Contours => "contours",
            BuildStage::Polygons => "polygons",
            BuildStage::Detail => "detail",
            BuildStage::Mesh => "mesh",
        }
    }

    /// Its place among all stages, from 1. Builds without a stage leave its number out.
    #[must_use]
    pub fn number(self) -> usize {
        BuildStage::ALL.iter().take_while(|&&other| other != self).count().saturating_add(1)
    }

    /// The stage of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<BuildStage> {
        BuildStage::ALL.into_iter().find(|stage| stage.as_str() == name)
    }

    /// Whether builds with this partition have the stage.
    #[must_use]
    pub fn is_of(self, partition: Partition) -> bool {
        self != BuildStage::Distance || partition == Partition::Watershed
    }
}

impl fmt::Display for BuildStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a stage gave.
#[derive(Debug, Clone, Copy)]
pub enum StageOutput<'a> {
    /// Of voxelize and the three filters.
    Heightfield(&'a Heightfield),
    /// Of compact and erode.
    Compact(&'a CompactHeightfield),
    /// Of distance: a value for each span, in half columns.
    Distances(&'a [u32]),
    /// Of regions.
    Regions(&'a RegionMap),
    /// Of contours.
    Contours(&'a ContourSet),
    /// Of polygons.
    Polygons(&'a PolygonMesh),
    /// Of detail.
    Detail(&'a DetailMesh),
    /// Of mesh.
    Mesh(&'a NavMesh),
}

impl StageOutput<'_> {
    /// The canonical bytes: each type's own, and of the mesh its snapshot.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            StageOutput::Heightfield(heightfield) => heightfield.to_bytes(),
            StageOutput::Compact(compact) => compact.to_bytes(),
            StageOutput::Distances(distances) => distance_bytes(distances),
            StageOutput::Regions(map) => map.to_bytes(),
            StageOutput::Contours(set) => set.to_bytes(),
            StageOutput::Polygons(mesh) => mesh.to_bytes(),
            StageOutput::Detail(detail) => detail.to_bytes(),
            StageOutput::Mesh(mesh) => mesh.to_bytes(),
        }
    }
}

/// Watches a build, and can stop it between stages. `()` does neither.
pub trait BuildObserver {
    /// A stage is about to run; after a break it does not, and the build ends as [`BuildFailure::Stopped`].
    fn begins(&mut self, stage: BuildStage) -> ControlFlow<()> {
        let _ = stage;
        ControlFlow::Continue(())
    }

    /// A stage has run.
    fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
        let _ = (stage, output);
    }
}

impl BuildObserver for () {}

/// Why a build gave no mesh.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildFailure {
    /// The input can't be built.
    #[error(transparent)]
    Refused(#[from] BuildError),
    /// The observer stopped it.
    #[error("stopped before stage {before}")]
    Stopped {
        /// The stage that was to run.
        before: BuildStage,
    },
}

/// Builds the navigation mesh of an input: nothing but the stages in their order.
///
/// An input with nothing to walk on gives a mesh without polygons.
///
/// # Errors
/// Those of [`Settings::new`], [`voxelize`] and [`nav_mesh`], and `Stopped`.
///
/// ```
/// use crowd_engine::build::build_mesh;
/// use replay_format::{Bits64, BuildInput, BuildSettingsBits};
///
/// let settings = BuildSettingsBits {
///     agent_radius: Bits64::new(0.5),
///     agent_height: Bits64::new(2.0),
///     walkable_climb: Bits64::new(0.5),
///     max_slope: Bits64::new(45.0),
///     cell_size: Bits64::new(0.25),
///     cell_height: Bits64::new(0.25),
///     contour_max_error: Bits64::new(1.0),
///     max_edge_length: Bits64::new(0.0),
///     detail_sample_distance: Bits64::new(0.0),
///     detail_max_error: Bits64::new(1.0),
///     min_region_area: 0,
///     merge_region_area: 0,
///     max_verts_per_poly: 6,
///     partition: 0,
/// };
/// let vertices = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
/// let input = BuildInput { settings, vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
/// let mesh = build_mesh(&input, &mut ()).expect("a floor");
/// assert_eq!(mesh.polygon_count(), 1);
/// ```
pub fn build_mesh(input: &BuildInput, observer: &mut impl BuildObserver) -> Result<NavMesh, BuildFailure> {
    let settings = Settings::new(&input.settings)?;
    let mut run = Run(observer);

    run.begins(BuildStage::Voxelize)?;
    let solid = run.ended(BuildStage::Voxelize, voxelize(input, &settings)?);
    run.begins(BuildStage::LowHanging)?;
    let solid = run.ended(BuildStage::LowHanging, filter_low_hanging(solid, &settings));
    run.begins(BuildStage::Ledges)?;
    let solid = run.ended(BuildStage::Ledges, filter_ledges(solid, &settings));
    run.begins(BuildStage::LowCeilings)?;
    let solid = run.ended(BuildStage::LowCeilings, filter_low_ceilings(solid, &settings));

    run.begins(BuildStage::Compact)?;
    let open = run.ended(BuildStage::Compact, compact(&solid, &settings));
    drop(solid);
    run.begins(BuildStage::Erode)?;
    let open = run.ended(BuildStage::Erode, erode(open, settings.radius_cells));

    let distances = if BuildStage::Distance.is_of(settings.partition) {
        run.begins(BuildStage::Distance)?;
        run.ended(BuildStage::Distance, distance_field(&open))
    } else {
        Vec::new()
    };
    run.begins(BuildStage::Regions)?;
    let map = run.ended(BuildStage::Regions, regions(&open, &distances, &settings));
    run.begins(BuildStage::Contours)?;
    let set = run.ended(BuildStage::Contours, contours(&open, &map, &settings));
    run.begins(BuildStage::Polygons)?;
    let polygons = run.ended(BuildStage::Polygons, polygonize(&set, &settings));
    run.begins(BuildStage::Detail)?;
    let heights = run.ended(BuildStage::Detail, detail(&polygons, &open, &map, &settings));
    run.begins(BuildStage::Mesh)?;
    Ok(run.ended(BuildStage::Mesh, nav_mesh(&polygons, &heights, &open)?))
}

/// Tells the observer.
struct Run<'a, O>(&'a mut O);

impl<O: BuildObserver> Run<'_, O> {
    fn begins(&mut self, stage: BuildStage) -> Result<(), BuildFailure> {
        match self.0.begins(stage) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BuildFailure::Stopped { before: stage }),
        }
    }

    fn ended<T: Output>(&mut self, stage: BuildStage, output: T) -> T {
        self.0.ended(stage, output.as_output());
        output
    }
}

/// A stage's own output type.
trait Output {
    fn as_output(&self) -> StageOutput<'_>;
}

macro_rules! outputs {
    ($($type:ty => $variant:ident),+ $(,)?) => {
        $(impl Output for $type {
            fn as_output(&self) -> StageOutput<'_> {
                StageOutput::$variant(self)
            }
        })+
    };
}

outputs! {
    Heightfield => Heightfield,
    CompactHeightfield => Compact,
    Vec<u32> => Distances,
    RegionMap => Regions,
    ContourSet => Contours,
    PolygonMesh => Polygons,
    DetailMesh => Detail,
    NavMesh => Mesh,
}
