"""REC."""
from formats import Error, restore, state_hash, I64MAX
from crowd import Crowd


def crowd_of(setup):
    """[REC-6] restore"""
    o, m, s = restore(setup)
    return Crowd(o, m, s)


def step(c, dt, path):
    """[STEP-0]"""
    if c.s.step_count == I64MAX:
        raise Error('steps-exhausted', 'play', None, path, 'the crowd has taken its last step', 'a crowd that can step')
    c.step(dt)


def play_replay(p, limit=None):
    """[REC-6] yields (index, expected, found)"""
    c = crowd_of(p.setup)
    for i, (ops, h) in enumerate(p.steps):
        if limit is not None and i >= limit:
            return
        for o in ops:
            c.apply(o, p.setup.data)
        step(c, p.setup.dt, 'steps[%d]' % i)
        yield i, h, c.hash()


def play_live(p, limit=None):
    """[REC-6], [LIVE-4]"""
    c = crowd_of(p.setup)
    n = 0
    pending = []
    for k, x, path in p.records:
        if k == 1:
            pending.append(x)
        else:
            if limit is not None and n >= limit:
                return
            for o in pending:
                c.apply(o, p.setup.data)
            pending = []
            step(c, p.setup.dt, path)
            yield n, x, c.hash()
            n += 1
