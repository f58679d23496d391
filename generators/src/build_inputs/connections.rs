//! Ways that are easily lost between spans and polygons: regions that wind over themselves, cracks, necks.

use super::Level;
use super::buildings::spiral_level;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;

/// For an agent without radius, that is 12 cells high.
const SMALL: Numbers = Numbers { agent_radius: 0.0, agent_height: 1.5, walkable_climb: 1.0, max_slope: 50.0, ..EVEN };

pub(super) fn levels() -> Vec<Level> {
    let merged = Numbers { merge_region_area: 1000, ..EVEN };
    vec![
        // Merging joins regions that share no column, so that one may go once around and end beside its beginning, 3 m above.
        spiral_level("spiral-merged", merged),
        spiral_level("spiral-monotone-merged", Numbers { partition: 1, ..merged }),
        Level::new(
            "crack-in-a-ramp",
            "a ramp that comes down over a floor to its level: a way from the floor under it up to its top",
            &["BUILD-19", "BUILD-29", "BUILD-34"],
            &[],
            Shape::default()
                .flat((0.0, 1.75), 0.0, (0.0, 1.25))
                .floor((0.0, 2.0), (2.0, 0.0), (0.0, 0.75))
                .input(Numbers { contour_max_error: 0.0, max_edge_length: 2.0, ..SMALL }),
        )
        .way([0.375, 1.75, 0.375], [1.125, 1.25, 0.375], true)
        .way([0.375, 0.0, 0.875], [1.625, 0.75, 0.375], true),
        Level::new(
            "neck-one-column-wide",
            "a roof a climb above two floors, down to a neck a column wide: a way down from it",
            &["BUILD-21", "BUILD-32", "BUILD-34"],
            &[],
            Shape::default()
                .flat((0.25, 0.75), 0.0, (0.0, 1.75))
                .flat((0.75, 1.25), 0.5, (0.0, 1.75))
                .flat((0.0, 0.75), 1.5, (0.5, 1.25))
                .input(Numbers { partition: 2, max_verts_per_poly: 3, min_region_area: 8, ..SMALL }),
        )
        .way([0.375, 1.5, 0.9375], [0.875, 0.5, 0.875], true),
    ]
}
