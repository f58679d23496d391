//! The layouts of SPEC.md, as a walk goes through them. A length or count that lies ends the walk where it stands.

use std::ops::ControlFlow;

use replay_format::Path;

use super::{Cursor, Ending, Walked};

impl Cursor<'_, '_> {
    /// Chapter OPRP.
    pub(super) fn replay(&mut self, path: &Path<'_>) -> Walked {
        self.header(path, true)?;
        let length = self.i32(&path.field("setup_length"))?;
        let setup = path.field("setup");
        self.block(length, &setup, |cursor| cursor.setup(&setup))?;
        let count = self.i32(&path.field("step_count"))?;
        let steps = path.field("steps");
        self.items(count, |cursor, index| {
            let step = steps.index(index);
            let length = cursor.i32(&step.field("operations_length"))?;
            let operations = step.field("operations");
            cursor.block(length, &operations, |cursor| cursor.operations(&operations))?;
            cursor.u64(&step.field("hash"))?;
            ControlFlow::Continue(())
        })
    }

    /// Chapter OPRS.
    pub(super) fn setup(&mut self, path: &Path<'_>) -> Walked {
        self.header(path, true)?;
        self.f64(&path.field("dt"))?;
        self.i64(&path.field("start_step"))?;
        let options = path.field("options");
        self.i32(&options.field("max_agents"))?;
        self.i32(&options.field("query_nodes"))?;
        self.u8(&options.field("query_node_model"))?;
        self.i32(&options.field("max_walls_per_agent"))?;
        self.f64(&options.field("wall_refresh_distance"))?;
        self.i32(&options.field("max_walls_avoided"))?;
        let length = self.i32(&path.field("mesh_length"))?;
        let mesh = path.field("mesh");
        self.block(length, &mesh, |cursor| cursor.mesh(&mesh))?;
        let length = self.i32(&path.field("state_length"))?;
        let state = path.field("state");
        self.block(length, &state, |cursor| cursor.state(&state))
    }

    /// Chapter OPLR.
    pub(super) fn live(&mut self, path: &Path<'_>) -> Walked {
        self.setup(&path.field("setup"))?;
        let records = path.field("records");
        let mut index = 0;
        while self.left() > 0 {
            let record = records.index(index);
            match self.u8(&record.field("kind"))? {
                replay_format::RECORD_OPERATION => self.operation(&record.field("operation"))?,
                replay_format::RECORD_STEP => {
                    self.u64(&record.field("hash"))?;
                }
                _ => return ControlFlow::Break(Ending::Broken),
            }
            index += 1;
        }
        ControlFlow::Continue(())
    }

    fn operations(&mut self, path: &Path<'_>) -> Walked {
        let mut index = 0;
        while self.left() > 0 {
            self.operation(&path.index(index))?;
            index += 1;
        }
        ControlFlow::Continue(())
    }

    /// Chapter OP.
    fn operation(&mut self, path: &Path<'_>) -> Walked {
        let kind = self.u8(&path.field("kind"))?;
        if !(1..=5).contains(&kind) {
            return ControlFlow::Break(Ending::Broken);
        }
        if kind == 1 {
            self.point(&path.field("position"))?;
            return self.agent_options(&path.field("settings"));
        }
        self.i64(&path.field("agent"))?;
        match kind {
            3 => self.point(&path.field("destination")),
            5 => self.point(&path.field("position")),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Chapter AO.
    fn agent_options(&mut self, path: &Path<'_>) -> Walked {
        for name in [
            "radius",
            "height",
            "max_speed",
            "max_acceleration",
            "neighbour_distance",
            "agent_horizon",
            "wall_horizon",
            "wall_clearance",
        ] {
            self.f64(&path.field(name))?;
        }
        self.u8(&path.field("max_neighbours"))?;
        match self.u8(&path.field("has_follower"))? {
            0 => ControlFlow::Continue(()),
            1 => {
                let follower = path.field("follower");
                ["arrival_distance", "slowing_distance", "corner_cut"]
                    .into_iter()
                    .try_for_each(|name| self.f64(&follower.field(name)))
            }
            _ => ControlFlow::Break(Ending::Broken),
        }
    }

    /// Chapter MESH.
    pub(super) fn mesh(&mut self, path: &Path<'_>) -> Walked {
        self.header(path, false)?;
        self.i64(&path.field("revision"))?;
        let vertex_count = self.i32(&path.field("vertex_count"))?;
        let polygon_count = self.i32(&path.field("polygon_count"))?;
        let vertices = path.field("vertices");
        self.items(vertex_count, |cursor, index| cursor.point(&vertices.index(index)))?;
        let polygons = path.field("polygons");
        self.items(polygon_count, |cursor, index| {
            let polygon = polygons.index(index);
            let corners = i32::from(cursor.u8(&polygon.field("vertex_count"))?);
            cursor.u8(&polygon.field("area"))?;
            for list in ["vertices", "links"] {
                let list = polygon.field(list);
                cursor.items(corners, |cursor, index| cursor.i32(&list.index(index)).map_continue(drop))?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Chapter STATE.
    pub(super) fn state(&mut self, path: &Path<'_>) -> Walked {
        self.u32(&path.field("spec_version"))?;
        self.u64(&path.field("mesh_digest"))?;
        self.u64(&path.field("options_digest"))?;
        self.i64(&path.field("step_count"))?;
        self.i64(&path.field("next_id"))?;
        let count = self.i32(&path.field("agent_count"))?;
        let agents = path.field("agents");
        self.items(count, |cursor, index| cursor.agent(&agents.index(index)))
    }

    fn agent(&mut self, path: &Path<'_>) -> Walked {
        self.i64(&path.field("id"))?;
        self.agent_options(&path.field("options"))?;
        self.point(&path.field("position"))?;
        self.i32(&path.field("polygon"))?;
        self.ground(&path.field("velocity"))?;
        match self.u8(&path.field("task"))? {
            1 => self.point(&path.field("destination"))?,
            2 | 3 => {
                self.point(&path.field("destination"))?;
                self.point(&path.field("target"))?;
                let count = self.i32(&path.field("corridor_count"))?;
                let corridor = path.field("corridor");
                self.items(count, |cursor, index| cursor.i32(&corridor.index(index)).map_continue(drop))?;
            }
            _ => {}
        }
        let walls = path.field("walls");
        match self.u8(&walls.field("searched"))? {
            0 => ControlFlow::Continue(()),
            1 => {
                self.ground(&walls.field("anchor"))?;
                let count = i32::from(self.u8(&walls.field("count"))?);
                self.items(count, |cursor, index| {
                    let wall = walls.index(index);
                    cursor.i32(&wall.field("polygon"))?;
                    cursor.u8(&wall.field("edge")).map_continue(drop)
                })
            }
            _ => ControlFlow::Break(Ending::Broken),
        }
    }

    /// Chapter OPBI.
    pub(super) fn build_input(&mut self, path: &Path<'_>) -> Walked {
        self.header(path, false)?;
        let settings = path.field("settings");
        for name in [
            "agent_radius",
            "agent_height",
            "walkable_climb",
            "max_slope",
            "cell_size",
            "cell_height",
            "contour_max_error",
            "max_edge_length",
            "detail_sample_distance",
            "detail_max_error",
        ] {
            self.f64(&settings.field(name))?;
        }
        for name in ["min_region_area", "merge_region_area", "max_verts_per_poly", "partition"] {
            self.i32(&settings.field(name))?;
        }
        let vertex_count = self.i32(&path.field("vertex_count"))?;
        let triangle_count = self.i32(&path.field("triangle_count"))?;
        let vertices = path.field("vertices");
        self.items(vertex_count, |cursor, index| cursor.point(&vertices.index(index)))?;
        let triangles = path.field("triangles");
        self.items(triangle_count, |cursor, index| {
            let triangle = triangles.index(index);
            cursor.items(3, |cursor, corner| cursor.i32(&triangle.index(corner)).map_continue(drop))
        })
    }

    /// Magic, version and the fixed bytes after it.
    fn header(&mut self, path: &Path<'_>, kind: bool) -> Walked {
        self.magic(&path.field("magic"))?;
        self.u8(&path.field("version"))?;
        if kind {
            self.u8(&path.field("kind"))?;
        }
        self.reserved(if kind { 2 } else { 3 }, &path.field("reserved"))
    }

    /// A point without its height.
    fn ground(&mut self, path: &Path<'_>) -> Walked {
        self.f64(&path.field("x"))?;
        self.f64(&path.field("z"))
    }

    /// `count` items, as long as bytes are left.
    fn items(&mut self, count: i32, mut item: impl FnMut(&mut Self, u64) -> Walked) -> Walked {
        for index in 0..u64::try_from(count).unwrap_or(0) {
            item(self, index)?;
        }
        ControlFlow::Continue(())
    }
}
