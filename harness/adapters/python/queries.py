"""QRY."""
import heapq
from math import sqrt
from geometry import plan, cross, dot3, d2, d3, unit, between, closest, between1


def closest_point(g, p, q):
    """[QRY-2]"""
    if g.contains(p, q):
        return (q[0], g.height(p, q), q[1])
    return g.closest_edge_point(p, q)


def nearest(g, p, h):
    """[QRY-1] -> (polygon, point) or None"""
    best = None
    q = plan(p)
    for i in range(g.n):
        if not g.walkable(i):
            continue
        lo, hi = g.low[i], g.high[i]
        if lo[0] - p[0] > h[0] or p[0] - hi[0] > h[0] or lo[2] - p[2] > h[2] or p[2] - hi[2] > h[2]:
            continue
        c = closest_point(g, i, q)
        if abs(c[0] - p[0]) <= h[0] and abs(c[1] - p[1]) <= h[1] and abs(c[2] - p[2]) <= h[2]:
            d = d3(p, c)
            if best is None or d < best[0]:
                best = (d, i, c)
    return None if best is None else (best[1], best[2])


class Node:
    __slots__ = ('point', 'parent', 'g', 'h', 'f', 'closed')


def edge_point(g, p, e, model, parent_point, goal):
    """[QRY-3.3]"""
    a, b = g.lohi[p][e]
    t = 0.5
    if model == 1:
        f = plan(parent_point)
        w = (goal[0] - f[0], goal[2] - f[1])
        A, B = g.vp[a], g.vp[b]
        d = (B[0] - A[0], B[1] - A[1])
        s = d[0] * w[1] - d[1] * w[0]
        if s != 0:
            t = unit(((f[0] - A[0]) * w[1] - (f[1] - A[1]) * w[0]) / s)
    return between(g.v[a], g.v[b], t)


def find_path(g, start, goal, N, model):
    """[QRY-3] -> corridor, partial"""
    if N < 1:
        N = 1
    goal_polygon, goal_point = goal

    def estimate(p):
        """[QRY-3.1] costs are 1.0 without a filter"""
        return sqrt(d3(p, goal_point)) * 1.0
    nodes = {}
    n = Node()
    n.point, n.parent, n.g = start[1], None, 0.0
    n.h = n.f = estimate(start[1])
    n.closed = False
    nodes[start[0]] = n
    heap = [(n.f, start[0])]
    found = False
    while heap:
        f, p = heapq.heappop(heap)
        n = nodes[p]
        if n.closed or f != n.f:
            continue
        n.closed = True
        if p == goal_polygon:
            found = True
            break
        for e in range(len(g.links[p])):
            if not g.passage(p, e):
                continue
            q = g.links[p][e]
            k = nodes.get(q)
            if k is not None and k.closed:
                continue
            if k is None and len(nodes) >= N:
                continue
            pt = edge_point(g, p, e, model, n.point, goal_point)
            gg = n.g + sqrt(d3(n.point, pt)) * 1.0
            h = estimate(pt)
            f2 = gg + h
            if k is None:
                k = Node()
                k.closed = False
                nodes[q] = k
            elif not f2 < k.f:
                continue
            k.point, k.parent, k.g, k.h, k.f = pt, p, gg, h, f2
            heapq.heappush(heap, (f2, q))
    if found:
        last = goal_polygon
    else:
        """[QRY-3.4]"""
        last = None
        for q, k in nodes.items():
            key = (k.h, k.g, q)
            if last is None or key < last:
                last = key
        last = last[2]
    path = []
    while last is not None:
        path.append(last)
        last = nodes[last].parent
    path.reverse()
    return path, not found


def eq(a, b):
    return a[0] == b[0] and a[1] == b[1]


def portals(g, corridor):
    """[QRY-4.1] -> [(right vertex, left vertex)]"""
    out = []
    for i in range(len(corridor) - 1):
        for e, q in enumerate(g.links[corridor[i]]):
            if q == corridor[i + 1]:
                out.append(g.edges[corridor[i]][e])
                break
        else:
            break
    return out


def clear(g, r, l, clearance):
    """[QRY-4.2]"""
    right, left = g.vp[r], g.vp[l]
    length = sqrt(d2(right, left))
    nr, nl = right, left
    if clearance > 0 and length > 0:
        t = clearance / length
        if r in g.boundary:
            nr = between(right, left, t) if t < 0.5 else between(right, left, 0.5)
        if l in g.boundary:
            nl = between(left, right, t) if t < 0.5 else between(right, left, 0.5)
    return nr, nl


def passed(g, r, l, position):
    """[QRY-4.3]"""
    right, left = g.vp[r], g.vp[l]
    if not cross(right, left, position) <= 0:
        return False
    c, _ = closest(position, right, left)
    return d2(c, position) <= 2.0 ** -20


def narrows(apex, ray, nxt, other, side):
    """[QRY-4.4] next narrows ray"""
    if eq(ray, apex):
        return True
    turn = cross(apex, ray, nxt) * side
    if turn > 0:
        return True
    if turn == 0 and dot3(apex, nxt, ray) >= dot3(apex, ray, ray):
        return True
    return (turn == 0 and dot3(apex, nxt, ray) < 0 and cross(apex, other, nxt) == 0 and dot3(apex, other, nxt) > 0)


def funnel(g, position, corridor, target, clearance, M):
    """[QRY-4]"""
    ps = portals(g, corridor)
    first = 0
    while first < len(ps) and passed(g, ps[first][0], ps[first][1], position):
        first += 1
    ends = [None] * len(ps)
    goal = len(ps)
    out = []
    apex = left = right = position
    L = Ri = 0
    i = first
    while len(out) < M:
        if i >= goal:
            r = l = target
        else:
            if ends[i] is None:
                ends[i] = clear(g, ps[i][0], ps[i][1], clearance)
            r, l = ends[i]
        # 1
        if cross(apex, r, l) == 0 and dot3(apex, r, l) > 0:
            n = l if dot3(apex, l, l) < dot3(apex, r, r) else r
            l = r = n
        # 2
        if eq(l, apex) and eq(r, apex) and (eq(left, apex) or eq(right, apex)):
            left = right = apex
        # 3
        corner = None
        if (not eq(left, apex) and not eq(right, apex) and cross(apex, right, left) == 0 and dot3(apex, right, left) > 0):
            back = True
            for e in (l, r):
                if not (cross(apex, right, e) == 0 and dot3(apex, e, right) < dot3(apex, right, right)
                        and dot3(apex, e, left) < dot3(apex, left, left)):
                    back = False
            if back:
                corner = 'l' if dot3(apex, left, left) < dot3(apex, right, right) else 'r'
        # 4
        if corner is None and narrows(apex, right, r, left, 1):
            if not eq(left, apex) and not eq(right, apex) and cross(apex, left, r) > 0:
                corner = 'l'
            else:
                right, Ri = r, i
        # 5
        if corner is None and narrows(apex, left, l, right, -1):
            if not eq(left, apex) and not eq(right, apex) and cross(apex, right, l) < 0:
                corner = 'r'
            else:
                left, L = l, i
        # 6
        if corner is not None:
            c = left if corner == 'l' else right
            i = (L if corner == 'l' else Ri) + 1
            out.append(c)
            apex = left = right = c
        elif i >= goal:
            if not (eq(apex, target) and not eq(apex, position)):
                out.append(target)
            break
        else:
            i += 1
    return out


class Flood:
    def __init__(self, p):
        self.list = [p]
        self.by = {p: None}

    def join(self, q, by):
        if q not in self.by:
            self.by[q] = by
            self.list.append(q)

    def chain(self, p):
        out = []
        while p is not None:
            out.append(p)
            p = self.by[p]
        out.reverse()
        return out


def move(g, polygon, point, to):
    """[QRY-5] -> polygon, point, chain"""
    if g.contains(polygon, to):
        """[QRY-5.1]"""
        return polygon, (to[0], g.height(polygon, to), to[1]), [polygon]
    s = plan(point)
    m = (s[0] + (to[0] - s[0]) * 0.5, s[1] + (to[1] - s[1]) * 0.5)
    r = sqrt(d2(s, to)) * 0.5 + 0.0009765625
    rr = r * r
    bp, bc = polygon, plan(closest_point(g, polygon, s))
    bd = d2(bc, to)
    fl = Flood(polygon)
    k = 0
    while k < len(fl.list):
        p = fl.list[k]
        k += 1
        if g.contains(p, to):
            return p, (to[0], g.height(p, to), to[1]), fl.chain(p)
        for e, (a, b) in enumerate(g.lohi[p]):
            if g.passage(p, e):
                q = g.links[p][e]
                if q not in fl.by and len(fl.list) < 256:
                    c, _ = closest(m, g.vp[a], g.vp[b])
                    if d2(c, m) <= rr:
                        fl.join(q, p)
            else:
                c, _ = closest(to, g.vp[a], g.vp[b])
                d = d2(c, to)
                if d < bd:
                    bp, bc, bd = p, c, d
    return bp, (bc[0], g.height(bp, bc), bc[1]), fl.chain(bp)


def walls_near(g, polygon, s, r, M):
    """[QRY-6] -> [(polygon, edge)]"""
    if r < 0:
        return []
    rr = r * r
    fl = Flood(polygon)
    kept = []
    k = 0
    while k < len(fl.list):
        p = fl.list[k]
        k += 1
        for e, (a, b) in enumerate(g.lohi[p]):
            c, _ = closest(s, g.vp[a], g.vp[b])
            d = d2(c, s)
            if d <= rr:
                if g.passage(p, e):
                    if len(fl.list) < 128:
                        fl.join(g.links[p][e], p)
                else:
                    kept.append((d, p, e))
    kept.sort()
    return [(p, e) for d, p, e in kept[:M]]


def ray(g, polygon, point, to):
    """[QRY-7] -> end polygon, end point, chain, t, wall or None (not used by a crowd)"""
    s = plan(point)
    w = 2.0 ** -20
    k = sqrt(d2(s, to)) * w
    fwd = s[0] < to[0] or (s[0] == to[0] and s[1] <= to[1])

    def rs(v):
        return cross(s, to, v) if fwd else -cross(to, s, v)
    fl = Flood(polygon)
    touched = arrived = wall = None
    i = 0
    while i < len(fl.list):
        p = fl.list[i]
        i += 1
        if g.contains(p, to):
            arrived = p
            break
        if touched is None and d2(plan(closest_point(g, p, to)), to) <= w * w:
            touched = p
        for e, (a, b) in enumerate(g.edges[p]):
            A, B = g.vp[a], g.vp[b]
            if rs(A) <= k and rs(B) >= -k:
                q = sqrt(d2(A, B)) * w
                e0, e1 = g.side(p, e, s), g.side(p, e, to)
                if e1 <= q:
                    if g.passage(p, e):
                        fl.join(g.links[p][e], p)
                    elif e1 < -q:
                        fr = unit(e0 / (e0 - e1)) if e0 > 0 else 0.0
                        if wall is None or fr > wall[0]:
                            wall = (fr, p, e)
    if arrived is None:
        arrived = touched
    if arrived is not None:
        return arrived, closest_point(g, arrived, to), fl.chain(arrived), 1.0, None
    if wall is not None:
        t, p, e = wall
    else:
        t, p, e = 0.0, polygon, None
    end = (s[0] + (to[0] - s[0]) * t, s[1] + (to[1] - s[1]) * t)
    return p, closest_point(g, p, end), fl.chain(p), t, None if e is None else (p, e)
