//! Operations and points in words, for messages.

use replay_format::{AgentOptions, Operation, Path, Point, Stage};

/// An operation in words, such as `SetDestination of agent 3 to (1.0, 0.0, 2.5)`.
#[must_use]
pub fn operation_in_words(operation: &Operation<'_>) -> String {
    match operation {
        Operation::Add { position, settings, .. } => {
            format!("Add at {}, {}", point(position), settings_in_words(settings))
        }
        Operation::Remove { agent } => format!("Remove agent {agent}"),
        Operation::SetDestination { agent, destination } => {
            format!("SetDestination of agent {agent} to {}", point(destination))
        }
        Operation::Stop { agent } => format!("Stop agent {agent}"),
        Operation::Teleport { agent, position } => format!("Teleport agent {agent} to {}", point(position)),
    }
}

fn settings_in_words(settings: &[u8]) -> String {
    match AgentOptions::read(settings, 0, &Path::ROOT, Stage::Play) {
        Ok(options) => format!(
            "radius {:?}, height {:?}, speed {:?}, acceleration {:?}{}",
            options.radius,
            options.height,
            options.max_speed,
            options.max_acceleration,
            if options.follower.is_some() { ", with path-follower settings" } else { "" },
        ),
        Err(error) => format!("settings that are refused ({})", error.code()),
    }
}

fn point(point: &Point) -> String {
    format!("({:?}, {:?}, {:?})", point[0], point[1], point[2])
}

/// `1 step`, `2 steps`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A length as 64 bits, which it always fits.
pub(crate) fn len64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_words() {
        let settings = AgentOptions { follower: Some(Default::default()), ..Default::default() }.to_bytes();
        let point = [1.0, -0.0, 2.5];
        let said = |operation| operation_in_words(&operation);
        assert_eq!(
            said(Operation::Add { position: point, settings: &settings, settings_offset: 0 }),
            "Add at (1.0, -0.0, 2.5), radius 0.3, height 1.8, speed 1.4, acceleration 8.0, with path-follower settings"
        );
        assert_eq!(
            said(Operation::Add { position: point, settings: &settings[..9], settings_offset: 0 }),
            "Add at (1.0, -0.0, 2.5), settings that are refused (truncated)"
        );
        assert_eq!(said(Operation::Remove { agent: -1 }), "Remove agent -1");
        assert_eq!(
            said(Operation::SetDestination { agent: 2, destination: point }),
            "SetDestination of agent 2 to (1.0, -0.0, 2.5)"
        );
        assert_eq!(said(Operation::Stop { agent: 3 }), "Stop agent 3");
        assert_eq!(said(Operation::Teleport { agent: 4, position: point }), "Teleport agent 4 to (1.0, -0.0, 2.5)");
    }
}
