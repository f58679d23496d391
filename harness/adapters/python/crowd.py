"""CROWD and STEP."""
from math import sqrt
import formats
from formats import Error, Agent, R, read_ao, state_hash, I64MAX
from geometry import Geo, plan, d2, closest
import queries as Q

EPS = 2.0 ** -40
A_, B_, C_ = 0.9238795325112867, 0.3826834323650898, 0.7071067811865475
TURNS = ((1.0, 0.0), (A_, B_), (C_, C_), (B_, A_), (0.0, 1.0), (-B_, A_), (-C_, C_), (-A_, B_), (-1.0, 0.0), (-A_, -B_),
         (-C_, -C_), (-B_, -A_), (0.0, -1.0), (B_, -A_), (C_, -C_), (A_, -B_))
FOLLOWING = (2, 3)


def dot(a, b):
    """[STEP-0]"""
    return a[0] * b[0] + a[1] * b[1]


def mag(v):
    """[STEP-0]"""
    return sqrt(v[0] * v[0] + v[1] * v[1])


def shorten(v, m):
    """[STEP-0]"""
    s = dot(v, v)
    if s <= m * m:
        return v
    k = m / sqrt(s)
    return (v[0] * k, v[1] * k)


def parting(a, b):
    """[STEP-7]"""
    low, high = (a, b) if a < b else (b, a)
    t = TURNS[(low * 5 + high * 3) % 16]
    return (-t[0], -t[1]) if a > b else t


def leg_normal(apart, D, R, w, g):
    """[STEP-6.3] the normal of the nearest leg"""
    if apart[0] * w[1] - apart[1] * w[0] > 0:
        e = ((apart[0] * g - apart[1] * R) / D, (apart[0] * R + apart[1] * g) / D)
        return -e[1], e[0]
    e = ((apart[0] * g + apart[1] * R) / D, (apart[1] * g - apart[0] * R) / D)
    return e[1], -e[0]


def violation(pl, v):
    """[STEP-9]"""
    p, n = pl
    return n[0] * (p[0] - v[0]) + n[1] * (p[1] - v[1])


def segment(planes, i, speed):
    """[STEP-9] -> (low, high) or None"""
    p, n = planes[i]
    line = (n[1], -n[0])
    c = dot(p, line)
    d = c * c + speed * speed - dot(p, p)
    if d < 0:
        return None
    h = sqrt(d)
    low, high = -c - h, -c + h
    for k in range(i):
        q, m = planes[k]
        a = dot(m, line)
        b = dot(m, (q[0] - p[0], q[1] - p[1]))
        if abs(a) <= EPS:
            if b > 0:
                return None
            continue
        t = b / a
        if a > 0:
            if t > low:
                low = t
        elif t < high:
            high = t
        if low > high:
            return None
    return low, high


def program(planes, m, preferred, speed):
    """[STEP-9]"""
    if dot(preferred, preferred) <= speed * speed:
        v = preferred
    else:
        l = mag(preferred)
        v = (preferred[0] / l * speed, preferred[1] / l * speed)
    failed = None
    for i in range(len(planes)):
        if violation(planes[i], v) <= 0:
            continue
        s = segment(planes, i, speed)
        if s is None:
            failed = i
            break
        p, n = planes[i]
        line = (n[1], -n[0])
        t = dot(line, (preferred[0] - p[0], preferred[1] - p[1]))
        if t < s[0]:
            t = s[0]
        if t > s[1]:
            t = s[1]
        v = (p[0] + line[0] * t, p[1] + line[1] * t)
    if failed is None:
        return v
    if failed < m:
        return (0.0, 0.0)
    worst = 0.0
    for j in range(failed, len(planes)):
        if violation(planes[j], v) <= worst:
            continue
        pj, nj = planes[j]
        lst = list(planes[:m])
        for k in range(m, j):
            pk, nk = planes[k]
            q = (nk[0] - nj[0], nk[1] - nj[1])
            s = dot(q, q)
            if s < EPS:
                continue
            l = sqrt(s)
            n = (q[0] / l, q[1] / l)
            b = (dot(nk, pk) - dot(nj, pj)) / l
            lst.append(((n[0] * b, n[1] * b), n))
        u = farthest(lst, nj, speed)
        if u is not None:
            v = u
        worst = violation(planes[j], v)
    return v


def farthest(lst, nj, speed):
    """[STEP-9] 4"""
    u = (nj[0] * speed, nj[1] * speed)
    for i in range(len(lst)):
        if violation(lst[i], u) <= 0:
            continue
        s = segment(lst, i, speed)
        if s is None:
            return None
        p, n = lst[i]
        line = (n[1], -n[0])
        t = s[1] if dot(line, nj) > 0 else s[0]
        u = (p[0] + line[0] * t, p[1] + line[1] * t)
    return u


class Crowd:
    """[CROWD-1]"""

    def __init__(self, options, mesh, state):
        self.opt, self.mesh, self.s = options, mesh, state
        self.g = Geo(mesh)
        self.trace = None

    def hash(self):
        return state_hash(self.mesh, self.s)

    def snap(self, o, p):
        """[CROWD-2]"""
        h = (o.radius + 2, o.height + 2, o.radius + 2)
        return Q.nearest(self.g, p, h)

    def apply(self, op, data):
        """[CROWD-3..8]"""
        s = self.s
        if op.kind == 1:
            r = R(data, op.settings_at, op.settings_at + len(op.settings), 'play')
            o = read_ao(r, op.path + '.settings')
            if s.next_id == I64MAX:
                raise Error('ids-exhausted', 'play', op.at, op.path, 'the crowd has given out its last id', 'an operation that the crowd can do')
            if len(s.agents) >= self.opt.max_agents:
                return
            f = self.snap(o, op.position)
            if f is None:
                return
            a = Agent()
            a.id, a.o, a.polygon, a.pos = s.next_id, o, f[0], f[1]
            a.vel, a.task, a.destination, a.target, a.corridor, a.anchor, a.walls = (0.0, 0.0), 0, None, None, [], None, []
            s.agents.append(a)
            s.next_id += 1
            return
        for a in s.agents:
            if a.id == op.agent:
                break
        else:
            raise Error('unknown-agent', 'play', op.agent_at, op.path + '.agent', op.agent, 'the id of an agent that is in the crowd')
        if op.kind == 2:
            s.agents.remove(a)
        elif op.kind == 3:
            a.task, a.destination, a.target, a.corridor = 1, op.destination, None, []
        elif op.kind == 4:
            a.task, a.destination, a.target, a.corridor = 0, None, None, []
        else:
            """[CROWD-7]"""
            f = self.snap(a.o, op.position)
            if f is None:
                return
            a.polygon, a.pos = f
            a.vel, a.anchor, a.walls = (0.0, 0.0), None, []
            if a.task in (1, 2, 3):
                self.request(a)
            else:
                a.task, a.destination, a.target, a.corridor = 0, None, None, []

    def request(self, a):
        a.task, a.target, a.corridor = 1, None, []

    def settle(self, a, task):
        a.task, a.destination, a.target, a.corridor = task, None, None, []

    def wall_normal(self, wall, pos):
        """[STEP-4] -> normal, distance or None"""
        a, b = self.g.edges[wall[0]][wall[1]]
        a, b = self.g.vp[a], self.g.vp[b]
        q, _ = closest(pos, a, b)
        f = (pos[0] - q[0], pos[1] - q[1])
        s = dot(f, f)
        if s > EPS:
            d = sqrt(s)
            return (f[0] / d, f[1] / d), d
        i = (a[1] - b[1], b[0] - a[0])
        l = mag(i)
        if l <= 0:
            return None
        return (i[0] / l, i[1] / l), 0.0

    def wall_end(self, wall, pos):
        """[STEP-4] where the closest point is an end: the way there, else None"""
        a, b = self.g.edges[wall[0]][wall[1]]
        q, u = closest(pos, self.g.vp[a], self.g.vp[b])
        return (q[0] - pos[0], q[1] - pos[1]) if u <= 0 or u >= 1 else None

    def end_plane(self, a, apart, n):
        """[STEP-4] the half-plane of a wall's end"""
        D, R, h = dot(apart, apart), a.o.wall_clearance, a.o.wall_horizon
        c = (apart[0] / h, apart[1] / h)
        w = (a.vel[0] - c[0], a.vel[1] - c[1])
        W, k, RR = dot(w, w), dot(w, apart), R * R
        if k < 0 and k * k > RR * W:
            if not W < EPS:
                l = sqrt(W)
                n = (w[0] / l, w[1] / l)
            r = R / h
            return (c[0] + n[0] * r, c[1] + n[1] * r), n
        return (0.0, 0.0), leg_normal(apart, D, R, w, sqrt(D - RR))

    def arrived(self, a, point):
        """[STEP-13]"""
        r = a.o.arrival_distance
        return d2(plan(a.pos), plan(point)) <= r * r and abs(a.pos[1] - point[1]) <= a.o.height

    def path_request(self, a):
        """[STEP-1]"""
        f = self.snap(a.o, a.destination)
        if f is None:
            self.settle(a, 6)
            return
        corridor, partial = Q.find_path(self.g, (a.polygon, a.pos), f, self.opt.query_nodes, self.opt.query_node_model)
        if partial:
            poly = corridor[-1]
            end = Q.closest_point(self.g, poly, plan(f[1]))
        else:
            poly, end = f
        for _ in range(4):
            w = Q.walls_near(self.g, poly, plan(end), a.o.wall_clearance, 1)
            if not w:
                break
            nd = self.wall_normal(w[0], plan(end))
            if nd is None:
                break
            n, d = nd
            missing = a.o.wall_clearance - d
            if missing <= 0:
                break
            poly, end, _c = Q.move(self.g, poly, end, (end[0] + n[0] * missing, end[2] + n[1] * missing))
        if partial and len(corridor) == 1 and self.arrived(a, end):
            self.settle(a, 5)
            return
        a.task = 3 if partial else 2
        a.target, a.corridor = end, corridor

    def neighbours(self, a):
        """[STEP-2]"""
        out = []
        reach = a.o.neighbour_distance
        rr = reach * reach
        for slot, b in enumerate(self.s.agents):
            if b is a:
                continue
            if not (a.pos[1] < b.pos[1] + b.o.height and b.pos[1] < a.pos[1] + a.o.height):
                continue
            dx = b.pos[0] - a.pos[0]
            dz = b.pos[2] - a.pos[2]
            d = dx * dx + dz * dz
            if d < rr:
                out.append((d, slot))
        out.sort()
        return [self.s.agents[k] for d, k in out[:a.o.max_neighbours]]

    def keep_walls(self, a):
        """[STEP-3]"""
        w = self.opt.wall_refresh_distance
        p = plan(a.pos)
        if a.anchor is None or d2(a.anchor, p) > w * w:
            r = a.o.wall_clearance + a.o.max_speed * a.o.wall_horizon + w
            a.walls = Q.walls_near(self.g, a.polygon, p, r, self.opt.max_walls_per_agent)
            a.anchor = p

    def wall_planes(self, a):
        """[STEP-4]"""
        p = plan(a.pos)
        out = []
        for k, w in enumerate(a.walls):
            nd = self.wall_normal(w, p)
            if nd is not None:
                out.append((nd[1], k, nd[0]))
        out.sort(key=lambda t: t[:2])
        planes = []
        for d, k, n in out[:self.opt.max_walls_avoided]:
            apart = self.wall_end(a.walls[k], p)
            if apart is not None and d > 0 and dot(apart, apart) > a.o.wall_clearance * a.o.wall_clearance:
                planes.append(self.end_plane(a, apart, n))
                continue
            room = d - a.o.wall_clearance
            approach = room / a.o.wall_horizon if room > 0 else 0.0
            planes.append(((-n[0] * approach, -n[1] * approach), n))
        return planes

    def wish(self, a):
        """[STEP-5] sets a.wish, a.reach, a.sees"""
        a.wish, a.reach, a.sees = (0.0, 0.0), a.o.radius, False
        if a.task not in FOLLOWING:
            return
        p, target = plan(a.pos), plan(a.target)
        corners = Q.funnel(self.g, p, a.corridor, target, a.o.wall_clearance, 2)
        a.sees = len(corners) == 1
        if not corners:
            return
        way = (corners[0][0] - p[0], corners[0][1] - p[1])
        length = mag(way)
        if length <= 0:
            return
        direction = (way[0] / length, way[1] / length)
        if len(corners) > 1:
            after = (corners[1][0] - corners[0][0], corners[1][1] - corners[0][1])
            l2 = mag(after)
            if l2 > 0 and length < 1 and a.o.corner_cut > 0:
                w = a.o.corner_cut * (1 - length / 1)
                mixed = (direction[0] + after[0] / l2 * w, direction[1] + after[1] / l2 * w)
                m = mag(mixed)
                if m >= 0.125:
                    direction = (mixed[0] / m, mixed[1] / m)
        speed = a.o.max_speed
        t = sqrt(d2(p, target))
        if len(corners) == 1 and t < a.o.slowing_distance:
            speed = speed * (t / a.o.slowing_distance)
        a.wish = (direction[0] * speed, direction[1] * speed)
        a.reach = length if len(corners) == 1 else length + 0.015625

    def share(self, a, b, apart):
        """[STEP-6]"""
        ia = a.wish[0] == 0 and a.wish[1] == 0
        ib = b.wish[0] == 0 and b.wish[1] == 0
        if ia and ib:
            return 0.5
        if ia:
            return 1.0
        if ib:
            return 0.0
        front = dot(apart, a.wish) > 0
        back = dot(apart, b.wish) < 0
        if front and not back:
            return 1.0
        if back and not front:
            return 0.0
        if not front:
            return 0.5
        if dot(a.wish, b.wish) > 0 and a.reach != b.reach:
            return 1.0 if a.reach > b.reach else 0.0
        return 1.0 if a.id > b.id else 0.0

    def neighbour_plane(self, a, b):
        """[STEP-6] -> plane or None"""
        apart = (b.pos[0] - a.pos[0], b.pos[2] - a.pos[2])
        share = self.share(a, b, apart)
        if share == 0:
            return None
        rel = (a.vel[0] - b.vel[0], a.vel[1] - b.vel[1])
        D = dot(apart, apart)
        Rr = a.o.radius + b.o.radius
        RR = Rr * Rr
        overlap = D <= RR
        it = 1 / 0.25 if overlap else 1 / a.o.agent_horizon
        w = (rel[0] - apart[0] * it, rel[1] - apart[1] * it)
        W = dot(w, w)
        k = dot(w, apart)
        if overlap or (k < 0 and k * k > RR * W):
            if W < EPS:
                n, l = parting(a.id, b.id), 0.0
            else:
                l = sqrt(W)
                n = (w[0] / l, w[1] / l)
            c = (Rr * it - l) * share
        else:
            n = leg_normal(apart, D, Rr, w, sqrt(D - RR))
            c = -dot(rel, n) * share
        return ((a.vel[0] + n[0] * c, a.vel[1] + n[1] * c), n)

    def new_velocity(self, a, dt):
        """[STEP-8]"""
        walls = self.wall_planes(a)
        planes = list(walls)
        base = None
        for b in a.nb:
            pl = self.neighbour_plane(a, b)
            if pl is None:
                continue
            planes.append(pl)
            if dot((b.pos[0] - a.pos[0], b.pos[2] - a.pos[2]), a.wish) > 0:
                if base is None:
                    base = 0.125
                if dot(b.wish, a.wish) < 0:
                    base = 0.4375
        preferred = a.wish
        if base is not None:
            part = base + 0.0625 * (a.id % 8) / 8
            preferred = (a.wish[0] + a.wish[1] * part, a.wish[1] - a.wish[0] * part)
        wanted = program(planes, len(walls), preferred, a.o.max_speed)
        ch = shorten((wanted[0] - a.vel[0], wanted[1] - a.vel[1]), a.o.max_acceleration * dt)
        a.nvel = (a.vel[0] + ch[0], a.vel[1] + ch[1])
        dis = shorten((a.nvel[0] * dt, a.nvel[1] * dt), a.reach)
        a.aim = (a.pos[0] + dis[0], a.pos[2] + dis[1])
        if self.trace is not None:
            self.trace[a.id] = dict(wish=a.wish, reach=a.reach, nb=[(b.id, d2(plan(a.pos), plan(b.pos))) for b in a.nb],
                                    walls=walls, others=planes[len(walls):], preferred=preferred, wanted=wanted,
                                    velocity=a.nvel, aim=a.aim)

    def push(self, a):
        """[STEP-10]"""
        sx, sz = 0.0, 0.0
        for b in a.nb:
            apart = (a.aim[0] - b.aim[0], a.aim[1] - b.aim[1])
            s = dot(apart, apart)
            Rr = a.o.radius + b.o.radius
            if s >= Rr * Rr:
                continue
            if s < EPS:
                d, dist = parting(a.id, b.id), 0.0
            else:
                dist = sqrt(s)
                d = (apart[0] / dist, apart[1] / dist)
            amount = (Rr - dist) * 0.5
            sx = sx + d[0] * amount
            sz = sz + d[1] * amount
        return shorten((sx, sz), a.o.radius)

    def follow(self, a, visited):
        """[STEP-12]"""
        if a.task not in FOLLOWING or a.corridor[0] == a.polygon:
            return
        v = None
        for k in range(len(visited)):
            if visited[k] in a.corridor:
                v = k
        if v is None or len(visited) - 1 - v > 8:
            self.request(a)
            return
        c = None
        for k in range(len(a.corridor)):
            if a.corridor[k] == visited[v]:
                c = k
        a.corridor = visited[v + 1:][::-1] + a.corridor[c:]

    def step(self, dt):
        """[STEP-0]"""
        agents = self.s.agents
        for a in agents:
            if a.task == 1:
                self.path_request(a)
        for a in agents:
            self.keep_walls(a)
            self.wish(a)
        for a in agents:
            a.nb = self.neighbours(a)
        for a in agents:
            self.new_velocity(a, dt)
        for a in agents:
            p = self.push(a)
            """[STEP-11]"""
            a.polygon, a.pos, visited = Q.move(self.g, a.polygon, a.pos, (a.aim[0] + p[0], a.aim[1] + p[1]))
            a.vel = a.nvel
            if self.trace is not None:
                self.trace[a.id].update(push=p, position=a.pos, polygon=a.polygon)
            self.follow(a, visited)
            """[STEP-13]"""
            if a.task in FOLLOWING and a.sees and self.arrived(a, a.target):
                if a.task == 2:
                    self.settle(a, 4)
                else:
                    self.request(a)
        self.s.step_count += 1
