"""check_corpus.py CORPUS [--steps N]

Plays every replay and live capture of a corpus (the first N steps of each), restores every setup, and compares every malformed
file's error (stage, code, offset, field) with its sidecar. The mesh build is not a part of it: files that only a build refuses must be
read without an error, and are counted apart. Exit code 0: all as expected; 1: something differs, which is printed.
"""
import argparse
import glob
import os
import sys
import time
import tomllib

import formats
import player


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def sidecars(corpus, folder, ending=''):
    """Each file of a folder (with a sidecar), by name, and what its sidecar expects."""
    for sidecar in sorted(glob.glob(os.path.join(corpus, folder, '*.toml'))):
        with open(sidecar, 'rb') as file:
            expect = tomllib.load(file).get('expect', {})
        for path in glob.glob(glob.escape(sidecar[:-5]) + '.*'):
            if path != sidecar and path.endswith(ending):
                yield path, expect


def played(path, limit):
    """The first step whose hash differs, or None, and how many steps were played."""
    data = read(path)
    steps = 0
    if path.endswith('.oplr'):
        run = player.play_live(formats.read_live(data), limit)
    else:
        replay = formats.read_replay(data)
        assert formats.replay_bytes(replay) == data, 'not the same bytes when written again'
        run = player.play_replay(replay, limit)
    for index, recorded, found in run:
        steps += 1
        if recorded != found:
            return index, steps
    return None, steps


def check_runs(corpus, limit):
    steps = wrong = 0
    for folder, ending in (('replays', '.oprp'), ('live', '.oplr')):
        for path, expect in sidecars(corpus, folder, ending):
            bad, count = played(path, limit)
            steps += count
            due = expect.get('first_bad_step')
            due = None if due is not None and limit is not None and due >= limit else due
            if bad != due:
                wrong += 1
                print(f'{path}: first bad step {bad}, expected {due}')
    return steps, wrong


def check_setups(corpus):
    wrong = 0
    for path, expect in sidecars(corpus, 'setups', '.oprs'):
        data = read(path)
        source = formats.R(data, 0, len(data), 'read')
        setup = formats.read_setup(source, '')
        source.finish('')
        _, _, state = formats.restore(setup)
        found = format(formats.state_hash(formats.restore(setup)[1], state), '016x')
        if found != expect['state_hash']:
            wrong += 1
            print(f'{path}: state hash {found}, expected {expect["state_hash"]}')
    return wrong


def refusal(kind, data):
    """The error that a malformed file gives, as a sidecar has it."""
    try:
        if kind == 'setup':
            source = formats.R(data, 0, len(data), 'read')
            setup = formats.read_setup(source, '')
            source.finish('')
            formats.restore(setup)
        elif kind == 'replay':
            for _ in player.play_replay(formats.read_replay(data)):
                pass
        elif kind == 'live':
            for _ in player.play_live(formats.read_live(data)):
                pass
        elif kind == 'mesh':
            formats.read_mesh(data, 0, len(data), '')
        else:
            formats.read_build(data)
    except formats.Error as error:
        return error.stage, error.code, error.offset, error.path
    return None


def check_malformed(corpus):
    files = unbuilt = wrong = 0
    for kind in ('setup', 'replay', 'live', 'mesh', 'build'):
        for path, expect in sidecars(corpus, os.path.join('malformed', kind)):
            found = refusal(kind, read(path))
            if expect['stage'] == 'build' and found is None:
                unbuilt += 1
                continue
            files += 1
            due = expect['stage'], expect['code'], expect.get('offset'), expect.get('field', '')
            if found != due:
                wrong += 1
                print(f'{path}: {found}, expected {due}')
    return files, unbuilt, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--steps', type=int, help='play this many steps of each run at most')
    options = parser.parse_args()
    if not os.path.isdir(os.path.join(options.corpus, 'replays')):
        parser.error(f'{options.corpus} is not a corpus')
    begin = time.monotonic()
    steps, wrong_runs = check_runs(options.corpus, options.steps)
    files, unbuilt, wrong_files = check_malformed(options.corpus)
    wrong = wrong_runs + wrong_files + check_setups(options.corpus)
    cut = '' if options.steps is None else f' (the first {options.steps} of each run)'
    print(f'{steps} steps{cut}, {files} malformed files ({unbuilt} more need a mesh build), {time.monotonic() - begin:.0f} s: '
          f'{"all as expected" if not wrong else f"{wrong} differ"}')
    sys.exit(1 if wrong or not steps or not files else 0)


if __name__ == '__main__':
    main()
