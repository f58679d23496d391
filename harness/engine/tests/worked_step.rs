//! SPEC.md works one step of a small crowd through, every intermediate value in hex. This test computes it and compares.
//!
//! After a change on purpose: `WRITE_SPEC=1 cargo test -p crowd-engine --test worked_step` writes the block anew.

use std::fmt::Write as _;
use std::path::Path;

use crowd_engine::{AgentOptions, AgentTrace, Crowd, CrowdOptions, NavMesh, PolygonSpec};

const DT: f64 = 0.125;
const BEGIN: &str = "<!-- worked step: begin -->\n";
const END: &str = "<!-- worked step: end -->\n";

fn crowd() -> Crowd {
    let vertices =
        vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [8.0, 1.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [8.0, 1.0, 4.0]];
    let polygons = [[0, 1, 4, 3], [1, 2, 5, 4]].map(|v| PolygonSpec { vertices: v.to_vec(), area: 1 });
    let mesh = NavMesh::from_polygons(vertices, polygons.to_vec()).expect("a valid mesh");
    let options =
        CrowdOptions { max_agents: 4, max_walls_per_agent: 2, max_walls_avoided: 1, ..CrowdOptions::default() };
    let mut crowd = Crowd::new(mesh, options);
    for (start, goal) in
        [([2.5, 0.0, 0.5], [7.0, 0.0, 1.0]), ([4.0, 0.0, 0.75], [1.0, 0.0, 0.5]), ([3.0, 0.0, 1.0], [3.0, 0.0, 1.0])]
    {
        let id = crowd.try_add(&start, &AgentOptions::default()).expect("valid").expect("on the mesh");
        if start != goal {
            crowd.set_destination(id, &goal).expect("an agent");
        }
    }
    crowd
}

fn bits(out: &mut String, name: &str, values: &[f64]) {
    let hex: Vec<String> = values.iter().map(|v| format!("{:016x}", v.to_bits())).collect();
    let decimal: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
    writeln!(out, "  {name:<12} {}   ({})", hex.join(" "), decimal.join(", ")).expect("a string");
}

fn bytes(out: &mut String, bytes: &[u8]) {
    for line in bytes.chunks(32) {
        let hex: String = line.iter().map(|b| format!("{b:02x}")).collect();
        writeln!(out, "  {hex}").expect("a string");
    }
}

fn agent(out: &mut String, trace: &AgentTrace) {
    writeln!(out, "agent {} (task {}, corridor {:?})", trace.id, trace.task, trace.corridor).expect("a string");
    bits(out, "wish", &trace.wish);
    bits(out, "reach", &[trace.reach]);
    for (id, distance) in &trace.neighbours {
        bits(out, &format!("neighbour {id}"), &[*distance]);
    }
    for (index, plane) in trace.planes.iter().enumerate() {
        let name = if index < trace.walls { "wall plane" } else { "other plane" };
        bits(out, name, &[plane.point[0], plane.point[1], plane.normal[0], plane.normal[1]]);
    }
    bits(out, "preferred", &trace.preferred);
    bits(out, "wanted", &trace.wanted);
    bits(out, "velocity", &trace.velocity);
    bits(out, "aim", &trace.aim);
    bits(out, "push", &trace.push);
    bits(out, "position", &trace.position);
    writeln!(out, "  polygon      {}", trace.polygon).expect("a string");
}

fn worked() -> String {
    let mut crowd = crowd();
    for _ in 0..3 {
        crowd.step(DT).expect("a step");
    }
    let mut out = String::from("```text\n");
    writeln!(out, "mesh ({:016x})", crowd.mesh().digest()).expect("a string");
    bytes(&mut out, &crowd.mesh().to_bytes());
    writeln!(out, "state before, hash {:016x}", crowd.state_hash()).expect("a string");
    bytes(&mut out, &crowd.save_state());
    for trace in crowd.step_traced(DT).expect("a step") {
        agent(&mut out, &trace);
    }
    writeln!(out, "state after, hash {:016x}", crowd.state_hash()).expect("a string");
    bytes(&mut out, &crowd.save_state());
    out + "```\n"
}

#[test]
fn the_step_in_spec_is_the_engines() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../format/SPEC.md");
    let spec = std::fs::read_to_string(&path).expect("SPEC.md stands in the format crate");
    let (head, rest) = spec.split_once(BEGIN).expect("SPEC.md marks where the worked step begins");
    let (block, tail) = rest.split_once(END).expect("SPEC.md marks where the worked step ends");
    let worked = worked();
    if std::env::var_os("WRITE_SPEC").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{worked}{END}{tail}")).expect("SPEC.md can be written");
    } else {
        assert!(block == worked, "SPEC.md's worked step is not the engine's, which is:\n{worked}");
    }
}
