//! Which polygons a query may use, and what walking through them costs.

use replay_format::limits::AREA_MAX;

/// The least and the greatest cost of an area.
const COSTS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Costs and exclusions by area, for one query. Without a filter every area but 0 is walkable and costs 1.
///
/// ```
/// use crowd_engine::QueryFilter;
///
/// let mut filter = QueryFilter::new();
/// filter.set_cost(2, 10.0)?; // mud
/// filter.exclude(3)?; // lava
/// assert!(filter.set_cost(2, f64::NAN).is_err());
/// # Ok::<(), crowd_engine::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct QueryFilter {
    cost: [f64; 64],
    excluded: u64,
}

impl QueryFilter {
    /// A filter in which every area costs 1 and none is excluded.
    #[must_use]
    pub fn new() -> QueryFilter {
        QueryFilter { cost: [1.0; 64], excluded: 0 }
    }

    /// Sets what a metre through polygons of `area` costs.
    ///
    /// # Errors
    /// Where the area is above 63, or the cost is not a number from 0.001 to 1000. Nothing is changed then.
    pub fn set_cost(&mut self, area: u8, cost: f64) -> Result<(), FilterError> {
        if !COSTS.contains(&cost) {
            return Err(FilterError::Cost { cost });
        }
        let slot = self.cost.get_mut(usize::from(area)).ok_or(FilterError::Area { area })?;
        *slot = cost;
        Ok(())
    }

    /// Makes polygons of `area` not walkable.
    ///
    /// # Errors
    /// Where the area is above 63.
    pub fn exclude(&mut self, area: u8) -> Result<(), FilterError> {
        if area > AREA_MAX {
            return Err(FilterError::Area { area });
        }
        self.excluded |= 1 << area;
        Ok(())
    }

    /// Whether polygons of `area` are excluded. Area 0 is not walkable in any case.
    #[must_use]
    pub fn excludes(&self, area: u8) -> bool {
        area > AREA_MAX || self.excluded >> area & 1 == 1
    }

    /// What a metre through polygons of `area` costs, 0.001 to 1000.
    #[must_use]
    pub fn cost(&self, area: u8) -> f64 {
        self.cost.get(usize::from(area)).copied().unwrap_or(1.0)
    }

    /// The lowest cost of the areas 1 to 63 that are not excluded; 1 where all are.
    #[must_use]
    pub fn lowest_cost(&self) -> f64 {
        let mut lowest = None;
        for area in (1..=AREA_MAX).filter(|&area| !self.excludes(area)) {
            let cost = self.cost(area);
            if lowest.is_none_or(|lowest| cost < lowest) {
                lowest = Some(cost);
            }
        }
        lowest.unwrap_or(1.0)
    }
}

impl Default for QueryFilter {
    fn default() -> QueryFilter {
        QueryFilter::new()
    }
}

/// What a filter refuses.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum FilterError {
    /// The area does not exist.
    #[error("area {area} does not exist; areas are 0 to 63")]
    Area {
        /// What was given.
        area: u8,
    },
    /// The cost is out of range, or not a number.
    #[error("a cost of {cost:?}; costs are 0.001 to 1000")]
    Cost {
        /// What was given.
        cost: f64,
    },
}
