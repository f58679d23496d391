//! Bits that must be the same everywhere: the cosine, products and sums, signs of zero, two processes.

use std::process::Command;

use crowd_engine::build::Settings;
use crowd_engine::{Crowd, CrowdOptions, SurfacePoint, cross};
use replay_format::{BuildInput, BuildSettingsBits};

use crate::scenes::{add, crowd, floor, mesh, person, plan, run, send};

/// REPORTS 35: the only angle that is computed with is the slope's. Degrees at which mathematical libraries differ in the last bit
/// (the true value is almost midway), and common ones; the bits are those of SPEC's printed steps.
#[test]
fn reports_35_golden_bits_of_the_cosine() {
    let settings = |degrees: f64| {
        let mut bytes = BuildInput {
            settings: BuildSettingsBits {
                agent_radius: 0.5_f64.into_bits(),
                agent_height: 2.0_f64.into_bits(),
                walkable_climb: 0.5_f64.into_bits(),
                max_slope: degrees.into_bits(),
                cell_size: 0.25_f64.into_bits(),
                cell_height: 0.25_f64.into_bits(),
                contour_max_error: 1.0_f64.into_bits(),
                max_edge_length: 0.0_f64.into_bits(),
                detail_sample_distance: 0.0_f64.into_bits(),
                detail_max_error: 1.0_f64.into_bits(),
                min_region_area: 0,
                merge_region_area: 0,
                max_verts_per_poly: 6,
                partition: 0,
            },
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        // By way of a file, as they come in.
        bytes = BuildInput::read(&bytes.write().expect("small")).expect("a build input");
        Settings::new(&bytes.settings).expect("in range").slope_cosine.to_bits()
    };
    let golden = [
        (0.929_443_359_375, 0x3fef_feec_1336_0ff6),
        (0.966_308_593_75, 0x3fef_fed5_c0c6_ab13),
        (2.591_064_453_125, 0x3fef_f79f_f079_70a7),
        (2.845_947_265_625, 0x3fef_f5e5_75fc_00e3),
        (3.121_826_171_875, 0x3fef_f3d7_d20c_2abc),
        (3.732_421_875, 0x3fef_ee9f_d17f_cc9d),
        (15.0, 0x3fee_e8dd_4748_bf15),
        (30.0, 0x3feb_b67a_e858_4cab),
        (44.999, 0x3fe6_a0b8_4825_7db4),
        (45.0, 0x3fe6_a09e_667f_3bcd),
        (45.001, 0x3fe6_a084_84bb_5f4a),
        (60.0, 0x3fe0_0000_0000_0001),
        (75.0, 0x3fd0_907d_c193_0690),
        (89.9, 0x3f5c_9870_1025_ea45),
        (90.0, 0x3c91_a626_3314_5c07),
    ];
    for (degrees, bits) in golden {
        assert_eq!(settings(degrees), bits, "{degrees}: {:016x}", settings(degrees));
    }
}

trait IntoBits {
    fn into_bits(self) -> replay_format::Bits64;
}

impl IntoBits for f64 {
    fn into_bits(self) -> replay_format::Bits64 {
        replay_format::Bits64::new(self)
    }
}

/// REPORTS 36: a point on an edge by rounded products is left of it, or right, where one product is fused with the difference. The
/// right side is 0, in both directions, and the point is on the polygons of both sides.
#[test]
fn reports_36_products_are_not_fused() {
    let step = f64::EPSILON;
    let (x, square) = (1.0 + step, 1.0 + 2.0 * step);
    let (one, two) = (x.mul_add(x, -square), (-x).mul_add(x, square));
    assert!(one > 0.0 && two < 0.0, "fused, these are not 0");
    assert_eq!(cross([0.0, 0.0], [x, square], [1.0, x]), 0.0);
    assert_eq!(cross([0.0, 0.0], [square, x], [x, 1.0]), 0.0);
    for (end, q) in [([x, square], [1.0, x]), ([square, x], [x, 1.0])] {
        let mesh = mesh(&[[0.0, 0.0], end, [-1.0, 2.0], [2.0, -1.0]], &[&[0, 1, 2], &[1, 0, 3]]);
        for polygon in 0..2 {
            assert!(mesh.contains(polygon, q), "polygon {polygon}");
        }
        // Nearest takes the lower one, and a walk along the edge never crosses it.
        let at = mesh.nearest(&[q[0], 0.0, q[1]], [0.5; 3], None);
        assert_eq!(at, Some(SurfacePoint { polygon: 0, point: [q[0], 0.0, q[1]] }));
    }
}

/// REPORTS 37: pushes are added nearest first, equally near ones by id, from +0.0: the bits of that order, which are not those of
/// others.
#[test]
fn reports_37_pushes_are_added_in_order() {
    let mut crowd = crowd(floor([-10.0, 10.0], [-10.0, 10.0]));
    let fixed = crowd_engine::AgentOptions { max_speed: 0.0, max_acceleration: 0.0, ..person() };
    let places = [[0.1, 0.2], [0.7, 0.1], [-0.3, 0.9], [0.7, 0.3], [-0.1, 0.8], [0.4, -0.2], [-0.2, -0.1], [0.7, 0.1]];
    let ids = places.map(|place| add(&mut crowd, place, &fixed));
    let traces = crowd.step_traced(0.05).expect("a step");
    let sum = |own: [f64; 2], order: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut sum = [0.0, 0.0];
        for other in order {
            let apart = [own[0] - other[0], own[1] - other[1]];
            let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
            if distance < 1.0 {
                let amount = (1.0 - distance) * 0.5;
                sum = [sum[0] + apart[0] / distance * amount, sum[1] + apart[1] / distance * amount];
            }
        }
        let squared: f64 = sum[0] * sum[0] + sum[1] * sum[1];
        let scale = if squared > 0.25 { 0.5 / squared.sqrt() } else { 1.0 };
        if squared > 0.25 { [sum[0] * scale, sum[1] * scale] } else { sum }
    };
    let mut others = 0;
    for (slot, trace) in traces.iter().enumerate() {
        // Two of them are at one point, and go apart by ids: that is another test's.
        if slot == 1 || slot == 7 {
            continue;
        }
        let own = places[slot];
        let mut order: Vec<usize> = (0..places.len()).filter(|&other| other != slot).collect();
        order.sort_by(|&a, &b| {
            let far = |other: usize| crowd_engine::distance_squared(own, places[other]);
            far(a).total_cmp(&far(b)).then(a.cmp(&b))
        });
        assert!(trace.neighbours.iter().map(|n| n.0).eq(order.iter().map(|&other| ids[other])));
        let nearest_first = sum(own, &mut order.iter().map(|&other| places[other]));
        assert_eq!(trace.push.map(f64::to_bits), nearest_first.map(f64::to_bits), "agent {}", trace.id);
        let by_id = sum(own, &mut (0..places.len()).filter(|&other| other != slot).map(|other| places[other]));
        others += usize::from(by_id.map(f64::to_bits) != nearest_first.map(f64::to_bits));
    }
    assert!(others > 0, "another order gives other bits");
}

/// A crowd in which much happens, after 200 steps.
fn busy() -> Crowd {
    let mut crowd = crowd(floor([-12.0, 12.0], [-12.0, 12.0]));
    for index in 0..60 {
        let place = [f64::from(index % 8) * 2.7 - 10.0, f64::from(index / 8) * 2.9 - 10.0];
        let id = add(&mut crowd, place, &person());
        send(&mut crowd, id, [-place[1], place[0] * 0.7]);
    }
    run(&mut crowd, 200, 0.05, |_| false);
    crowd
}

/// REPORTS 37: a hasher with a seed for each process would show between processes only.
#[test]
fn reports_37_two_processes_agree() {
    let own = format!("hash {:016x}", busy().state_hash());
    if std::env::var_os("CROWD_REPORTS_CHILD").is_some() {
        println!("{own}");
        return;
    }
    for _ in 0..2 {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child.args(["--exact", "arithmetic::reports_37_two_processes_agree", "--nocapture"]);
        let output = child.env("CROWD_REPORTS_CHILD", "1").output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(&own), "{own} is not in {text}");
    }
}

/// REPORTS 38: a zero keeps its sign in the state: what is saved is what was there, and the hash tells the two apart.
#[test]
fn reports_38_zeros_keep_their_signs() {
    let at = |x: f64, z: f64| {
        let mut crowd = crowd(floor([-5.0, 5.0], [-5.0, 5.0]));
        add(&mut crowd, [x, z], &person());
        crowd
    };
    let mut hashes = Vec::new();
    for (x, z) in [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0)] {
        let crowd = at(x, z);
        assert_eq!(plan(&crowd.agents()[0]).map(f64::to_bits), [x, z].map(f64::to_bits));
        let restored = Crowd::restore(&crowd.setup(0.05)).expect("its own state");
        assert_eq!(restored.save_state(), crowd.save_state());
        assert_eq!(restored.state_hash(), crowd.state_hash());
        hashes.push(crowd.state_hash());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 4);
    // A velocity too; and one that is no number is refused.
    let base = at(1.0, 1.0);
    let velocity = |bits: u64| {
        let mut setup = base.setup(0.05);
        let state = replay_format::CrowdState::read(
            &setup.state,
            0,
            &replay_format::Path::ROOT,
            &replay_format::StateContext {
                mesh: base.mesh().snapshot(),
                mesh_digest: base.mesh().digest(),
                options: &CrowdOptions::default(),
                options_digest: replay_format::xxh64(&{
                    let mut bytes = Vec::new();
                    CrowdOptions::default().to_bits().write(&mut bytes);
                    bytes
                }),
                start_step: None,
            },
        );
        let mut state = state.expect("its own state");
        state.agents[0].velocity[0] = f64::from_bits(bits);
        setup.state = state.write().expect("small");
        Crowd::restore(&setup)
    };
    let [plus, minus] = [0.0_f64, -0.0].map(|zero| velocity(zero.to_bits()).expect("a velocity"));
    assert_ne!(plus.state_hash(), minus.state_hash());
    assert_eq!(minus.agents()[0].velocity[0].to_bits(), (-0.0_f64).to_bits());
    for bits in [f64::NAN.to_bits(), f64::NAN.to_bits() | 1, (-f64::NAN).to_bits(), f64::NEG_INFINITY.to_bits()] {
        assert!(velocity(bits).is_err(), "{bits:016x}");
    }
}

/// REPORTS 38: an agent that runs into walls on both sides of a room gets zeros with signs by turns; a state with them goes on like
/// the crowd that it was saved from.
#[test]
fn reports_38_mirrored_walls() {
    let mut crowd = crowd(floor([-3.0, 3.0], [-3.0, 3.0]));
    let id = add(&mut crowd, [0.0, 0.0], &person());
    for (turn, x) in [3.0, -3.0, 0.0, -0.0, 2.5, -2.5].into_iter().enumerate() {
        send(&mut crowd, id, [x, if turn % 2 == 0 { -0.0 } else { 0.0 }]);
        for _ in 0..60 {
            crowd.step(0.05).expect("a step");
            let mut restored = Crowd::restore(&crowd.setup(0.05)).expect("its own state");
            assert_eq!(restored.state_hash(), crowd.state_hash());
            let mut copy = crowd.clone();
            restored.step(0.05).expect("a step");
            copy.step(0.05).expect("a step");
            assert_eq!(restored.save_state(), copy.save_state());
        }
    }
}
