//! The catalogue of malformed files: each a small valid file with one thing wrong, and the error that it must give.
//!
//! Expectations are **independent** of the reader under test. Files are laid out by a byte builder of their own, which notes
//! where every field went; a case breaks one field and states the error from that map and from SPEC.md. The reader is only
//! asked for the words of the message.
//!
//! | module | faults |
//! |---|---|
//! | `headers` | magic, version, kind, reserved bytes; files and blocks that end too early, or too late |
//! | `numbers` | time step, start step, lengths, counts |
//! | `outer` | positions, kinds, flags, indices of build inputs |
//! | `options` | crowd options, agent options |
//! | `nested` | mesh snapshots, crowd states |
//! | `playing` | operations that the crowd refuses, counters at their ends; two faults at once, which pin the order of checks |
//!
//! [`write_malformed`] writes them into a corpus, [`compare_malformed`] says what differs there.

mod bases;
mod building;
mod case;
mod files;
mod headers;
mod layout;
mod nested;
mod numbers;
mod options;
mod outer;
mod playing;
mod refusal;
#[cfg(test)]
mod tests;

pub use case::{Expectation, FileKind, MalformedCase};
pub use files::{CATALOGUE_TAG, compare_malformed, sidecar, write_malformed};
pub use refusal::refusal;

/// Every malformed file, sorted by kind and name.
#[must_use]
pub fn catalogue() -> Vec<MalformedCase> {
    let topics: [(&str, Vec<MalformedCase>); 19] = [
        ("headers", headers::headers()),
        ("truncated", headers::truncations()),
        ("surplus", headers::surpluses()),
        ("numbers", numbers::setup_numbers()),
        ("lengths", numbers::lengths()),
        ("counts", numbers::counts()),
        ("positions", outer::positions()),
        ("kinds", outer::kinds()),
        ("flags", outer::flags()),
        ("indices", outer::triangles()),
        ("crowd-options", options::crowd_options()),
        ("agent-options", options::agent_options_of_states()),
        ("agent-options", options::agent_options_of_operations()),
        ("mesh", nested::meshes()),
        ("state", nested::state_headers()),
        ("state", nested::agent_records()),
        ("play", playing::plays()),
        ("order", playing::orders()),
        ("build", building::refusals()),
    ];
    let mut cases: Vec<MalformedCase> = topics
        .into_iter()
        .flat_map(|(topic, cases)| {
            let tags = vec![CATALOGUE_TAG.to_owned(), topic.to_owned()];
            cases.into_iter().map(move |case| MalformedCase { tags: tags.clone(), ..case })
        })
        .collect();
    cases.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    cases
}
