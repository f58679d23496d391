# Every command a contributor runs. `just` alone lists them.

default:
    @just --list --unsorted

# The corpus against the reference engine.
run *ARGS:
    cargo run --release -p conform -- run {{ARGS}}

# Unit tests, and the corpus as tests.
test *ARGS:
    cargo test --workspace {{ARGS}}

# What gates a submission (all of it, or the parts named in CI_PARTS).
check:
    .ci/run

# Format and lint.
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets -- -D warnings

# What an agent-step costs.
bench *ARGS:
    cargo bench -p crowd-engine {{ARGS}}

# The mesh build beside another library's: `compare`, or `bench` for times.
peers COMMAND="compare":
    cargo run --release --manifest-path harness/peers/Cargo.toml -- {{COMMAND}}

# Write what came out as what must come out; look at what it prints.
bless *ARGS:
    cargo run --release -p conform -- bless {{ARGS}}

# Write the malformed files and build inputs again from their catalogue.
corpus:
    cargo run --release -p generators --example write-corpus -- corpus

# Record every scenario of the corpus again (after a change of the engine on purpose), and look at what changed.
record:
    cargo run --release -p generators --example record-corpus -- corpus
    cargo run --release -p conform -- bless

# Each fuzz target, RUNS executions.
fuzz RUNS="20000":
    fuzz/run {{RUNS}}

# The corpus in the second implementation (Python, from SPEC alone); ARGS such as `--steps 20`, otherwise every step.
second *ARGS:
    python3 harness/adapters/python/check_corpus.py corpus {{ARGS}}
