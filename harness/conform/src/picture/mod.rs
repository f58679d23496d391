//! Pictures of a mesh build, one per stage: where two builds part is a digest, what went wrong is something to look at.
//!
//! Each is an SVG file of its own, seen from above with x to the right and z downwards. The same build gives the same bytes on
//! every machine.
//!
//! 1. `canvas`: elements and paths; `colours`: what has which colour; `frame`: the plot with its axes; `legend`: what it all means.
//! 2. `cells`: columns and the sides between them, for the stages that have a grid.
//! 3. `solids` (voxelize and the filters), `spaces` (compact to regions), `outlines` (contours and polygons), `surfaces`
//!    (detail and mesh): what each stage shows.
//!
//! Limits: of a column at most three storeys are drawn; grids of more than 250,000 columns are drawn in blocks of several.

mod canvas;
mod cells;
mod colours;
mod frame;
mod labels;
mod legend;
mod outlines;
mod solids;
mod spaces;
mod surfaces;
#[cfg(test)]
mod tests;

use crowd_engine::build::{BuildStage, CompactHeightfield, RegionMap, Settings, StageOutput};

use canvas::{Canvas, Hundredths};
use frame::{Frame, PAGE_WIDTH, metres};
use legend::Legend;

/// The most characters of a title that are drawn.
const TITLE_MAX: usize = 80;

/// The name of a stage's picture: its number among all stages and its name, such as `04-low-ceilings.svg`.
#[must_use]
pub fn file_name(stage: BuildStage) -> String {
    format!("{:02}-{stage}.svg", stage.number())
}

/// Draws a build's stages while it runs.
///
/// It keeps what the pictures of later stages show of earlier ones; a stage whose earlier ones were not drawn is drawn without.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use conform::picture::{Painter, file_name};
/// use crowd_engine::build::{BuildObserver, BuildStage, Settings, StageOutput, build_mesh};
/// # use replay_format::{Bits64, BuildInput, BuildSettingsBits};
///
/// struct Pictures(Painter, BTreeMap<String, String>);
///
/// impl BuildObserver for Pictures {
///     fn ended(&mut self, stage: BuildStage, output: StageOutput<'_>) {
///         self.1.insert(file_name(stage), self.0.draw(stage, output));
///     }
/// }
///
/// # let settings = BuildSettingsBits {
/// #     agent_radius: Bits64::new(0.5),
/// #     agent_height: Bits64::new(2.0),
/// #     walkable_climb: Bits64::new(0.5),
/// #     max_slope: Bits64::new(45.0),
/// #     cell_size: Bits64::new(0.25),
/// #     cell_height: Bits64::new(0.25),
/// #     contour_max_error: Bits64::new(1.0),
/// #     max_edge_length: Bits64::new(0.0),
/// #     detail_sample_distance: Bits64::new(0.0),
/// #     detail_max_error: Bits64::new(1.0),
/// #     min_region_area: 0,
/// #     merge_region_area: 0,
/// #     max_verts_per_poly: 6,
/// #     partition: 0,
/// # };
/// # let vertices = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, 0.0]];
/// # let input = BuildInput { settings, vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] };
/// let settings = Settings::new(&input.settings)?;
/// let mut pictures = Pictures(Painter::new("a floor", &settings), BTreeMap::new());
/// build_mesh(&input, &mut pictures)?;
/// assert_eq!(pictures.1.len(), 12);
/// assert!(pictures.1["12-mesh.svg"].contains("1 polygon"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Painter {
    title: String,
    frame: Frame,
    /// The areas of the heightfield's spans after the last stage.
    areas: Vec<u8>,
    /// The compact heightfield after the last stage.
    spaces: Option<CompactHeightfield>,
    regions: Option<RegionMap>,
}

impl Painter {
    /// Begins with a build's title (the case's name) and its settings.
    #[must_use]
    pub fn new(title: &str, settings: &Settings) -> Painter {
        let frame = Frame::empty(settings);
        Painter { title: title.to_owned(), frame, areas: Vec::new(), spaces: None, regions: None }
    }

    /// The picture of what a stage gave, as the text of an SVG file.
    pub fn draw(&mut self, stage: BuildStage, output: StageOutput<'_>) -> String {
        let mut plot = Canvas::new();
        let mut legend = Legend::default();
        match output {
            StageOutput::Heightfield(solids) => {
                let first = stage == BuildStage::Voxelize || self.areas.len() != solids.spans.len();
                if first {
                    self.frame = Frame::of_solids(solids);
                }
                let before = (!first).then_some(self.areas.as_slice());
                solids::draw(&mut plot, &mut legend, &self.frame, solids, before);
                self.areas = solids.spans.iter().map(|span| span.area).collect();
            }
            StageOutput::Compact(spaces) => {
                if self.areas.is_empty() {
                    self.frame = Frame::of_spaces(spaces);
                }
                spaces::draw_spaces(&mut plot, &mut legend, &self.frame, spaces, stage == BuildStage::Erode);
                self.spaces = Some(spaces.clone());
            }
            StageOutput::Distances(distances) => {
                if let Some(spaces) = &self.spaces {
                    spaces::draw_distances(&mut plot, &mut legend, &self.frame, spaces, distances);
                }
            }
            StageOutput::Regions(map) => {
                if let Some(spaces) = &self.spaces {
                    spaces::draw_regions(&mut plot, &mut legend, &self.frame, spaces, map);
                }
                self.regions = Some(map.clone());
            }
            StageOutput::Contours(set) => {
                if let (Some(spaces), Some(map)) = (&self.spaces, &self.regions) {
                    spaces::draw_pale_regions(&mut plot, &self.frame, spaces, map);
                }
                outlines::draw_contours(&mut plot, &mut legend, &self.frame, set);
            }
            StageOutput::Polygons(mesh) => outlines::draw_polygons(&mut plot, &mut legend, &self.frame, mesh),
            StageOutput::Detail(detail) => surfaces::draw_detail(&mut plot, &mut legend, &self.frame, detail),
            StageOutput::Mesh(mesh) => surfaces::draw_mesh(&mut plot, &mut legend, &self.frame, mesh),
        }
        let vectors = matches!(output, StageOutput::Polygons(_) | StageOutput::Detail(_) | StageOutput::Mesh(_));
        if self.frame.block > 1 && !vectors {
            let block = self.frame.block;
            let text = "of each the one that matters most, and no lines shorter than a block.";
            legend.note(&format!("A large grid: columns are drawn in blocks of {block} by {block}, {text}"));
        }
        self.page(stage, plot, &legend)
    }

    fn page(&self, stage: BuildStage, plot: Canvas, legend: &Legend) -> String {
        let (low, high) = (self.frame.bottom(), legend.bottom());
        let [width, height] = [PAGE_WIDTH, if low > high { low } else { high }].map(Hundredths::of);
        let mut page = Canvas::new();
        page.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("width", &width),
                ("height", &height),
                ("font-family", &"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"),
                ("fill", &legend::TEXT),
            ],
        );
        page.text("title", &[], &format!("{}: {stage}", self.title));
        page.shape("rect", &[("width", &width), ("height", &height), ("fill", &colours::PAGE)]);
        let mut title: String = self.title.chars().take(TITLE_MAX).collect();
        if title.len() < self.title.len() {
            title.push('\u{2026}');
        }
        page.text("text", &[("x", &24), ("y", &30), ("font-size", &18), ("font-weight", &"bold")], &title);
        let (number, all) = (stage.number(), BuildStage::ALL.len());
        let text = format!("Stage {number} of {all}, {stage}: {}", subject(stage));
        page.text("text", &[("x", &24), ("y", &52), ("font-size", &13)], &text);
        let [size, step] = [self.frame.cell_size, self.frame.cell_height].map(metres);
        let text =
            format!("Seen from above: x to the right, z downwards. Columns of {size} m, heights in steps of {step} m.");
        page.text("text", &[("x", &24), ("y", &70), ("font-size", &11), ("fill", &colours::FAINT)], &text);
        self.frame.draw(&mut page, plot);
        legend.draw(&mut page);
        page.close("svg");
        page.finish()
    }
}

/// What a stage's picture is about.
fn subject(stage: BuildStage) -> &'static str {
    match stage {
        BuildStage::Voxelize => "the solid spans of each column, and which tops are walkable.",
        BuildStage::LowHanging => "low obstacles that an agent steps onto become walkable.",
        BuildStage::Ledges => "tops beside a drop stop being walkable.",
        BuildStage::LowCeilings => "tops without room for an agent stop being walkable.",
        BuildStage::Compact => "the open space above walkable tops, and where it is not linked.",
        BuildStage::Erode => "what is closer to a wall or a drop than the agent's radius is taken away.",
        BuildStage::Distance => "how far each place is from the nearest wall or drop.",
        BuildStage::Regions => "the walkable columns cut into regions.",
        BuildStage::Contours => "the outlines of the regions, simplified.",
        BuildStage::Polygons => "the outlines cut into convex polygons.",
        BuildStage::Detail => "triangles that follow the heights.",
        BuildStage::Mesh => "the navigation mesh and its links.",
    }
}
