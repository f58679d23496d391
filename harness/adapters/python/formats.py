"""GEN ERR OPRS CO OPRP OP AO MESH STATE LIVE OPLR OPBI."""
import struct
from xxh64 import xxh64

LIM = 2097152.0
I64MAX = (1 << 63) - 1


class Error(Exception):
    """[ERR-5]"""

    def __init__(self, code, stage, offset, path, found='', expected=''):
        self.code, self.stage, self.offset, self.path = code, stage, offset, path
        at = '' if offset is None else ' at byte %d' % offset
        super().__init__('%s: found %s, expected %s (%s%s: %s)' % (path or 'file', found, expected, stage, at, code))


def dbl(v):
    """[ERR-9] doubles"""
    if v != v:
        return 'NaN'
    if v - v != 0.0:
        return 'inf' if v > 0 else '-inf'
    m, _, e = repr(abs(v)).partition('e')
    sign = '-' if repr(v)[0] == '-' else ''
    digits = m.replace('.', '')
    point = len(m.split('.')[0]) + (int(e) if e else 0)
    while len(digits) > 1 and digits[-1] == '0':
        digits = digits[:-1]
    while len(digits) > 1 and digits[0] == '0':
        digits, point = digits[1:], point - 1
    if v == 0:
        return sign + '0.0'
    if abs(v) < 1e-5 or abs(v) >= 1e16:
        return sign + digits[0] + ('.' + digits[1:] if len(digits) > 1 else '') + 'e%d' % (point - 1)
    if point <= 0:
        return sign + '0.' + '0' * -point + digits
    if len(digits) <= point:
        return sign + digits + '0' * (point - len(digits)) + '.0'
    return sign + digits[:point] + '.' + digits[point:]


def num(v):
    return dbl(v) if isinstance(v, float) else str(v)


def magic_text(b):
    """[ERR-9]"""
    out = ''
    for c in b:
        ch = chr(c)
        out += {'"': '\\"', "'": "\\'", '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'}.get(
            ch, ch if 32 <= c <= 126 else '\\x%02x' % c)
    return '"' + out + '"'


def size(n):
    return '1 byte' if n == 1 else '%d bytes' % n


def j(prefix, name):
    """[ERR-7]"""
    return prefix + '.' + name if prefix else name


class R:
    """A reader bounded by the innermost block; offsets are of the outermost file [ERR-5]."""

    def __init__(self, data, pos, end, stage):
        self.d, self.pos, self.end, self.stage = data, pos, end, stage

    def err(self, code, off, path, found='', expected=''):
        raise Error(code, self.stage, off, path, found, expected)

    def left(self):
        return self.end - self.pos

    def take(self, n, path):
        """[ERR-3]"""
        if self.end - self.pos < n:
            self.err('truncated', self.pos, path, '%d of its bytes' % self.left(), size(n))
        b = self.d[self.pos:self.pos + n]
        self.pos += n
        return b

    def u8(self, path):
        return self.take(1, path)[0]

    def i32(self, path):
        return struct.unpack('<i', self.take(4, path))[0]

    def u32(self, path):
        return struct.unpack('<I', self.take(4, path))[0]

    def i64(self, path):
        return struct.unpack('<q', self.take(8, path))[0]

    def u64(self, path):
        return struct.unpack('<Q', self.take(8, path))[0]

    def f64(self, path):
        """[GEN-2]"""
        return struct.unpack('<d', self.take(8, path))[0]

    def coord(self, path):
        """[GEN-8]"""
        off = self.pos
        v = self.f64(path)
        if v != v or v - v != 0.0:
            self.err('position-not-finite', off, path, dbl(v), 'a finite number')
        if abs(v) >= LIM:
            self.err('position-out-of-range', off, path, dbl(v), 'a magnitude below 2^21 (2097152)')
        return v

    def point(self, path):
        """[GEN-7]"""
        return (self.coord(path + '.x'), self.coord(path + '.y'), self.coord(path + '.z'))

    def length(self, path, limit=None):
        """[GEN-9]"""
        off = self.pos
        v = self.i32(path)
        if v < 0:
            self.err('length-negative', off, path, 'a length of %d bytes' % v, '0 or more')
        if limit is not None and v > limit:
            self.err('length-over-limit', off, path, 'a length of %d bytes' % v, 'at most %d' % limit)
        if v > self.left():
            self.err('length-exceeds-input', off, path, 'a length of %d bytes' % v, 'at most the %d bytes that are left' % self.left())
        return v

    def count(self, path, limit, each, extra=0):
        """[GEN-10]"""
        off = self.pos
        v = self.i32(path)
        if v < 0:
            self.err('count-negative', off, path, 'a count of %d' % v, '0 or more')
        if v > limit:
            self.err('count-over-limit', off, path, 'a count of %d' % v, 'at most %d' % limit)
        if v * each + extra > self.left():
            self.err('count-exceeds-input', off, path, 'a count of %d, which needs %d bytes' % (v, v * each + extra),
                     'one that needs at most the %d bytes that are left' % self.left())
        return v

    def index(self, path, n, low=0):
        """[GEN-11]"""
        off = self.pos
        v = self.i32(path)
        if not (low <= v < n):
            self.err('index-out-of-range', off, path, v, '%s0 or more and below %d' % ('-1, or ' if low else '', n))
        return v

    def flag(self, path):
        """[GEN-12]"""
        off = self.pos
        v = self.u8(path)
        if v > 1:
            self.err('flag-invalid', off, path, v, '0 or 1')
        return v

    def reserved(self, n, path):
        """[GEN-13]"""
        off = self.pos
        b = self.take(n, path)
        for k in range(n):
            if b[k]:
                self.err('reserved-nonzero', off + k, path, b[k], '0')

    def finish(self, path):
        """[ERR-4]"""
        if self.pos < self.end:
            n = self.left()
            self.err('trailing-bytes', self.pos, path, '1 more byte' if n == 1 else '%d more bytes' % n, 'the end')

    def header(self, prefix, magic, kind, reserved):
        """[ERR-8]"""
        off = self.pos
        b = self.take(4, j(prefix, 'magic'))
        if b != magic:
            self.err('magic-mismatch', off, j(prefix, 'magic'), magic_text(b), magic_text(magic))
        off = self.pos
        if self.u8(j(prefix, 'version')) != 1:
            self.err('version-unsupported', off, j(prefix, 'version'), self.d[off], '1')
        if kind:
            off = self.pos
            if self.u8(j(prefix, 'kind')) != 1:
                self.err('kind-unsupported', off, j(prefix, 'kind'), self.d[off], '1 (crowd)')
        self.reserved(reserved, j(prefix, 'reserved'))


CO_FIELDS = (('max_agents', 4), ('query_nodes', 4), ('query_node_model', 1), ('max_walls_per_agent', 4), ('wall_refresh_distance', 8),
             ('max_walls_avoided', 4))


class Setup:
    pass


def read_setup(r, prefix):
    """[OPRS-1..7]"""
    s = Setup()
    s.prefix = prefix
    s.data = r.d
    r.header(prefix, b'OPRS', True, 2)
    off = r.pos
    s.dt = r.f64(j(prefix, 'dt'))
    if not (s.dt > 0.0 and s.dt <= 3600.0):
        r.err('dt-out-of-range', off, j(prefix, 'dt'), dbl(s.dt), 'above 0 and at most 3600')
    off = r.pos
    s.start_step = r.i64(j(prefix, 'start_step'))
    if s.start_step < 0:
        r.err('start-step-negative', off, j(prefix, 'start_step'), s.start_step, '0 or more')
    at = r.pos
    for n, k in CO_FIELDS:  # the corpus: six fields, not one
        r.take(k, j(prefix, 'options.' + n))
    s.options = r.d[at:r.pos]
    n = r.length(j(prefix, 'mesh_length'))
    s.mesh_at = r.pos
    s.mesh = r.take(n, j(prefix, 'mesh'))
    n = r.length(j(prefix, 'state_length'))
    s.state_at = r.pos
    s.state = r.take(n, j(prefix, 'state'))
    return s


def setup_bytes(s):
    """OPRS, written."""
    return (b'OPRS\1\1\0\0' + struct.pack('<dq', s.dt, s.start_step) + s.options + struct.pack('<i', len(s.mesh)) + s.mesh
            + struct.pack('<i', len(s.state)) + s.state)


class Op:
    pass


def read_op(r, path):
    """[OP-1..6]"""
    o = Op()
    o.at, o.path = r.pos, path
    o.kind = r.u8(path + '.kind')
    if not 1 <= o.kind <= 5:
        r.err('operation-kind-unknown', o.at, path + '.kind', o.kind, '1 to 5')
    if o.kind == 1:
        o.position = r.point(path + '.position')
        o.settings_at = r.pos
        p = path + '.settings'
        if r.left() < 66:
            r.err('truncated', r.pos, p, '%d of its bytes' % r.left(), size(66))
        f = r.d[r.pos + 65]
        if f > 1:
            r.err('flag-invalid', r.pos + 65, p + '.optional_flag', f, '0 or 1')
        o.settings = r.take(90 if f else 66, p)
    else:
        o.agent_at = r.pos
        o.agent = r.i64(path + '.agent')
        if o.kind == 3:
            o.destination = r.point(path + '.destination')
        if o.kind == 5:
            o.position = r.point(path + '.position')
    o.bytes = r.d[o.at:r.pos]
    return o


class Replay:
    pass


def read_replay(data):
    """[OPRP-1..7]"""
    r = R(data, 0, len(data), 'read')
    p = Replay()
    r.header('', b'OPRP', True, 2)
    n = r.length('setup_length')
    q = R(data, r.pos, r.pos + n, 'read')
    p.setup = read_setup(q, 'setup')
    q.finish('setup')
    r.pos += n
    n = r.count('step_count', 67108864, 12)
    p.steps = []
    for i in range(n):
        path = 'steps[%d]' % i
        m = r.length(path + '.operations_length', 16777216)
        q = R(data, r.pos, r.pos + m, 'read')
        ops = []
        while q.left():
            ops.append(read_op(q, path + '.operations[%d]' % len(ops)))
        r.pos += m
        p.steps.append((ops, r.u64(path + '.hash')))
    r.finish('')
    return p


def replay_bytes(p):
    """OPRP, written."""
    s = setup_bytes(p.setup)
    out = [b'OPRP\1\1\0\0', struct.pack('<i', len(s)), s, struct.pack('<i', len(p.steps))]
    for ops, h in p.steps:
        b = b''.join(o.bytes for o in ops)
        out.append(struct.pack('<i', len(b)) + b + struct.pack('<Q', h))
    return b''.join(out)


def read_live(data):
    """[OPLR-1..5], [LIVE-1..2]; records are (kind, Op or hash, path)"""
    r = R(data, 0, len(data), 'read')
    p = Replay()
    p.setup = read_setup(r, 'setup')
    p.records = []
    total = 0
    while r.left():
        path = 'records[%d]' % len(p.records)
        at = r.pos
        k = r.u8(path + '.kind')
        if k == 1:
            o = read_op(r, path + '.operation')
            total += len(o.bytes)
            if total > 16777216:
                r.err('operations-over-limit', at, path, '%d bytes of operations since the last step' % total, 'at most 16777216')
            p.records.append((1, o, path))
        elif k == 2:
            total = 0
            p.records.append((2, r.u64(path + '.hash'), path))
        else:
            r.err('record-kind-unknown', at, path + '.kind', k, '1 (operation) or 2 (step)')
    return p


def read_build(data):
    """[OPBI-1..7]"""
    r = R(data, 0, len(data), 'read')
    r.header('', b'OPBI', False, 3)
    for n in ('agent_radius agent_height walkable_climb max_slope cell_size cell_height contour_max_error max_edge_length '
              'detail_sample_distance detail_max_error').split():
        r.f64('settings.' + n)
    for n in 'min_region_area merge_region_area max_verts_per_poly partition'.split():
        r.i32('settings.' + n)
    v = r.count('vertex_count', 4000000, 24)
    t = r.count('triangle_count', 8000000, 12, 24 * v)
    for i in range(v):
        r.point('vertices[%d]' % i)
    for i in range(t):
        for k in range(3):
            r.index('triangles[%d][%d]' % (i, k), v)
    r.finish('')


class Options:
    pass


def read_options(b, prefix):
    """[CO-1..7]"""
    o = Options()
    (o.max_agents, o.query_nodes, o.query_node_model, o.max_walls_per_agent, o.wall_refresh_distance,
     o.max_walls_avoided) = struct.unpack('<iiBidi', b)
    o.bytes = b
    for n, lo, hi in (('max_agents', 1, 1000000), ('query_nodes', 1, 1000000), ('query_node_model', 0, 1),
                      ('max_walls_per_agent', 0, 64), ('wall_refresh_distance', 0.0, 1024.0), ('max_walls_avoided', 0, 64)):
        if not (lo <= getattr(o, n) <= hi):
            raise Error('option-out-of-range', 'restore', None, j(prefix, 'options.' + n), num(getattr(o, n)), '%s to %s' % (num(lo), num(hi)))
    return o


class AO:
    pass


AO_FIELDS = (('radius', 0.0, 1024.0), ('height', 0.0, 1024.0), ('max_speed', 0.0, 1024.0), ('max_acceleration', 0.0, 65536.0),
             ('neighbour_distance', 0.0, 1024.0), ('agent_horizon', 0.015625, 64.0), ('wall_horizon', 0.015625, 64.0),
             ('wall_clearance', 0.0, 1024.0))
FOLLOWER = (('arrival_distance', 0.0, 1024.0), ('slowing_distance', 0.0, 1024.0), ('corner_cut', 0.0, 1.0))


def read_ao(r, path):
    """[AO-1..6]"""
    a = AO()
    at = r.pos

    def field(name, lo, hi):
        off = r.pos
        v = r.f64(path + '.' + name)
        if v - v != 0.0:
            r.err('value-not-finite', off, path + '.' + name, dbl(v), 'a finite number')
        if not (lo <= v <= hi):
            r.err('value-out-of-range', off, path + '.' + name, dbl(v), '%s to %s' % (dbl(lo), dbl(hi)))
        return v
    for n, lo, hi in AO_FIELDS:
        setattr(a, n, field(n, lo, hi))
    off = r.pos
    a.max_neighbours = r.u8(path + '.max_neighbours')
    if a.max_neighbours > 32:
        r.err('value-out-of-range', off, path + '.max_neighbours', a.max_neighbours, 'at most 32')
    a.arrival_distance, a.slowing_distance, a.corner_cut = 0.125, 0.5, 0.0
    if r.flag(path + '.has_follower'):
        for n, lo, hi in FOLLOWER:
            setattr(a, n, field('follower.' + n, lo, hi))
    a.bytes = r.d[at:r.pos]
    return a


class Mesh:
    pass


def read_mesh(data, at, end, prefix):
    """[MESH-1..10]"""
    r = R(data, at, end, 'restore')
    m = Mesh()
    r.header(prefix, b'OPNM', False, 3)
    off = r.pos
    m.revision = r.i64(j(prefix, 'revision'))
    if m.revision < 0:
        r.err('value-out-of-range', off, j(prefix, 'revision'), m.revision, '0 or more')
    v = r.count(j(prefix, 'vertex_count'), 8000000, 24)
    p = r.count(j(prefix, 'polygon_count'), 4000000, 26, 24 * v)
    m.vertices = [r.point(j(prefix, 'vertices[%d]' % i)) for i in range(v)]
    m.corners, m.links, m.area = [], [], []
    link_at = []
    for i in range(p):
        path = j(prefix, 'polygons[%d]' % i)
        off = r.pos
        k = r.u8(path + '.vertex_count')
        if not 3 <= k <= 16:
            r.err('value-out-of-range', off, path + '.vertex_count', k, '3 to 16')
        off = r.pos
        a = r.u8(path + '.area')
        if a > 63:
            r.err('value-out-of-range', off, path + '.area', a, 'at most 63')
        c = []
        for e in range(k):
            off = r.pos
            x = r.index(path + '.vertices[%d]' % e, v)
            if x in c:
                r.err('polygon-vertex-repeated', off, path + '.vertices[%d]' % e, 'vertex %d again' % x, 'each vertex once')
            c.append(x)
        link_at.append(r.pos)
        m.corners.append(c)
        m.area.append(a)
        m.links.append([r.index(path + '.links[%d]' % e, p, -1) for e in range(k)])
    for i in range(p):
        n = len(m.corners[i])
        for e in range(n):
            q = m.links[i][e]
            if q < 0:
                continue
            a, b = m.corners[i][e], m.corners[i][(e + 1) % n]
            ok = False
            if q != i:
                c = m.corners[q]
                for f in range(len(c)):
                    if c[f] == b and c[(f + 1) % len(c)] == a and m.links[q][f] == i:
                        ok = True
            if not ok:
                r.err('link-mismatch', link_at[i] + 4 * e, j(prefix, 'polygons[%d].links[%d]' % (i, e)),
                      '%d, which has no edge from vertex %d to %d that links back to %d' % (q, b, a, i),
                      'links that agree on both sides of an edge')
    r.finish(prefix)
    m.digest = xxh64(data[at:end])
    return m


class Agent:
    pass


class State:
    pass


def read_state(data, at, end, prefix, mesh, options, start_step):
    """[STATE-1..17]"""
    r = R(data, at, end, 'restore')
    s = State()

    def P(n):
        return j(prefix, n)
    off = r.pos
    x = r.u32(P('spec_version'))
    if x != 0x00010000:
        r.err('spec-version-mismatch', off, P('spec_version'), '0x%08x' % x, '0x00010000 (1.0)')
    off = r.pos
    x = r.u64(P('mesh_digest'))
    if x != mesh.digest:
        r.err('mesh-digest-mismatch', off, P('mesh_digest'), '%016x' % x, '%016x' % mesh.digest)
    off = r.pos
    s.options_digest = xxh64(options.bytes)
    x = r.u64(P('options_digest'))
    if x != s.options_digest:
        r.err('options-digest-mismatch', off, P('options_digest'), '%016x' % x, '%016x' % s.options_digest)
    off = r.pos
    s.step_count = r.i64(P('step_count'))
    if s.step_count < 0:
        r.err('value-out-of-range', off, P('step_count'), s.step_count, '0 or more')
    if s.step_count != start_step:
        r.err('start-step-mismatch', off, P('step_count'), s.step_count, "the setup's start step, %d" % start_step)
    off = r.pos
    s.next_id = r.i64(P('next_id'))
    if s.next_id < 1:
        r.err('value-out-of-range', off, P('next_id'), s.next_id, '1 or more')
    n = r.count(P('agent_count'), options.max_agents, 120)
    np = len(mesh.corners)
    s.agents = []
    last = 0
    for i in range(n):
        path = P('agents[%d]' % i)
        a = Agent()
        off = r.pos
        a.id = r.i64(path + '.id')
        if not last < a.id < s.next_id:
            r.err('id-order', off, path + '.id', a.id, 'above %d and below the next id, %d' % (last, s.next_id))
        last = a.id
        a.o = read_ao(r, path + '.options')
        a.pos = r.point(path + '.position')
        a.polygon = r.index(path + '.polygon', np)
        x = r.coord(path + '.velocity.x')
        a.vel = (x, r.coord(path + '.velocity.z'))
        off = r.pos
        a.task = r.u8(path + '.task')
        if a.task > 6:
            r.err('value-out-of-range', off, path + '.task', a.task, 'at most 6')
        a.destination = a.target = None
        a.corridor = []
        if a.task in (1, 2, 3):
            a.destination = r.point(path + '.destination')
        if a.task in (2, 3):
            a.target = r.point(path + '.target')
            off = r.pos
            c = r.count(path + '.corridor_count', 1000000, 4)
            if c == 0:
                r.err('value-out-of-range', off, path + '.corridor_count', c, '1 or more')
            for k in range(c):
                off = r.pos
                q = r.index(path + '.corridor[%d]' % k, np)
                if (q != a.polygon) if k == 0 else (q not in mesh.links[a.corridor[-1]]):
                    r.err('corridor-invalid', off, path + '.corridor[%d]' % k, q,
                          "the agent's polygon, %d" % a.polygon if k == 0 else 'a polygon that is linked with %d' % a.corridor[-1])
                a.corridor.append(q)
        a.anchor = None
        a.walls = []
        if r.flag(path + '.walls.searched'):
            x = r.coord(path + '.walls.anchor.x')
            a.anchor = (x, r.coord(path + '.walls.anchor.z'))
            off = r.pos
            w = r.u8(path + '.walls.count')
            if w > options.max_walls_per_agent:
                r.err('value-out-of-range', off, path + '.walls.count', w, 'at most %d' % options.max_walls_per_agent)
            for k in range(w):
                q = r.index(path + '.walls[%d].polygon' % k, np)
                off = r.pos
                e = r.u8(path + '.walls[%d].edge' % k)
                if e >= len(mesh.corners[q]) or (q, e) in a.walls:
                    r.err('wall-invalid', off, path + '.walls[%d].edge' % k, e,
                          'an edge of polygon %d (below %d), each once' % (q, len(mesh.corners[q])))
                a.walls.append((q, e))
        s.agents.append(a)
    r.finish(prefix)
    return s


def record_bytes(a):
    """[STATE] agent record"""
    b = struct.pack('<q', a.id) + a.o.bytes + struct.pack('<dddi', *a.pos, a.polygon) + struct.pack('<ddB', *a.vel, a.task)
    if a.task in (1, 2, 3):
        b += struct.pack('<ddd', *a.destination)
    if a.task in (2, 3):
        b += struct.pack('<dddi', *a.target, len(a.corridor)) + struct.pack('<%di' % len(a.corridor), *a.corridor)
    if a.anchor is None:
        return b + b'\0'
    b += b'\1' + struct.pack('<ddB', *a.anchor, len(a.walls))
    for q, e in a.walls:
        b += struct.pack('<iB', q, e)
    return b


def state_header(mesh, s):
    return struct.pack('<IQQqqi', 0x00010000, mesh.digest, s.options_digest, s.step_count, s.next_id, len(s.agents))


def state_bytes(mesh, s):
    """[STATE-1]"""
    return state_header(mesh, s) + b''.join(record_bytes(a) for a in s.agents)


def state_hash(mesh, s):
    """[STATE-18]"""
    return xxh64(state_header(mesh, s) + b''.join(struct.pack('<Q', xxh64(record_bytes(a))) for a in s.agents))


def restore(setup):
    """[OPRS-8]: options, mesh, state"""
    o = read_options(setup.options, setup.prefix)
    m = read_mesh(setup.data, setup.mesh_at, setup.mesh_at + len(setup.mesh), j(setup.prefix, 'mesh'))
    s = read_state(setup.data, setup.state_at, setup.state_at + len(setup.state), j(setup.prefix, 'state'), m, o,
                   setup.start_step)
    return o, m, s
