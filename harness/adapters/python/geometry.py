"""GEO. Plan points are (x, z), points (x, y, z)."""
from math import sqrt


def plan(p):
    """[GEO-2]"""
    return (p[0], p[2])


def cross(a, b, q):
    """[GEO-3]"""
    return (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])


def dot3(p, a, b):
    """[GEO-3] dot(p, a, b)"""
    return (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1])


def d2(a, b):
    """[GEO-4]"""
    dx = b[0] - a[0]
    dz = b[1] - a[1]
    return dx * dx + dz * dz


def d3(a, b):
    """[GEO-4]"""
    dx = b[0] - a[0]
    dy = b[1] - a[1]
    dz = b[2] - a[2]
    return (dx * dx + dy * dy) + dz * dz


def unit(v):
    """[GEO-5]"""
    if v > 0:
        return v if v < 1 else 1.0
    return 0.0


def cut(v, low, high):
    """[GEO-5]"""
    if v < low:
        return low
    if v > high:
        return high
    return v


def between1(a, b, t):
    """[GEO-5]"""
    if t <= 0:
        return a
    if t >= 1:
        return b
    v = a + (b - a) * t
    return cut(v, a, b) if a <= b else cut(v, b, a)


def between(a, b, t):
    """[GEO-5] of points"""
    return tuple(between1(x, y, t) for x, y in zip(a, b))


def closest(p, a, b):
    """[GEO-6] -> point, t"""
    dx = b[0] - a[0]
    dz = b[1] - a[1]
    l = dx * dx + dz * dz
    t = unit(((p[0] - a[0]) * dx + (p[1] - a[1]) * dz) / l) if l > 0 else 0.0
    return (between1(a[0], b[0], t), between1(a[1], b[1], t)), t


class Geo:
    """A mesh with what the clauses name about it."""

    def __init__(self, mesh):
        self.m = mesh
        self.v = mesh.vertices
        self.vp = [plan(p) for p in mesh.vertices]
        self.n = len(mesh.corners)
        self.corners, self.links, self.area = mesh.corners, mesh.links, mesh.area
        self.low, self.high, self.edges, self.lohi = [], [], [], []
        for c in mesh.corners:
            lo, hi = list(self.v[c[0]]), list(self.v[c[0]])
            for k in c[1:]:
                p = self.v[k]
                for x in range(3):
                    if p[x] < lo[x]:
                        lo[x] = p[x]
                    if p[x] > hi[x]:
                        hi[x] = p[x]
            self.low.append(lo)
            self.high.append(hi)
            es = [(c[i], c[(i + 1) % len(c)]) for i in range(len(c))]
            self.edges.append(es)
            self.lohi.append([(a, b) if a < b else (b, a) for a, b in es])
        self.boundary = set()
        for i in range(self.n):
            """[GEO-13]"""
            if self.area[i] != 0:
                for e, (a, b) in enumerate(self.edges[i]):
                    if not self.passage(i, e):
                        self.boundary.add(a)
                        self.boundary.add(b)

    def walkable(self, p):
        """[GEO-11]"""
        return self.area[p] != 0

    def passage(self, p, e):
        """[GEO-11]"""
        q = self.links[p][e]
        return q >= 0 and self.area[q] != 0

    def side(self, p, e, q):
        """[GEO-7]"""
        a, b = self.edges[p][e]
        if a < b:
            return cross(self.vp[a], self.vp[b], q)
        return -cross(self.vp[b], self.vp[a], q)

    def contains(self, p, q):
        """[GEO-8]"""
        lo, hi = self.low[p], self.high[p]
        if not (lo[0] <= q[0] <= hi[0] and lo[2] <= q[1] <= hi[2]):
            return False
        for e in range(len(self.edges[p])):
            if not self.side(p, e, q) >= 0:
                return False
        return True

    def height(self, p, q):
        """[GEO-9]"""
        low, high = self.low[p][1], self.high[p][1]
        if low == high:
            return low
        c = self.corners[p]
        o, op = self.v[c[0]], self.vp[c[0]]
        for i in range(1, len(c) - 1):
            a, b = c[i], c[i + 1]
            ap, bp = self.vp[a], self.vp[b]
            whole = cross(op, ap, bp)
            da = cross(op, ap, q)
            db = cross(op, bp, q)
            if whole > 0 and da >= 0 and db <= 0 and self.side(p, i, q) >= 0:
                u = unit(-db / whole)
                v = unit(da / whole)
                oy = o[1]
                return cut((oy + (self.v[a][1] - oy) * u) + (self.v[b][1] - oy) * v, low, high)
        return self.closest_edge_point(p, q)[1]

    def closest_edge_point(self, p, q):
        """[GEO-10]"""
        best = None
        for a, b in self.lohi[p]:
            c, t = closest(q, self.vp[a], self.vp[b])
            d = d2(c, q)
            if best is None or d < best[0]:
                best = (d, a, b, t)
        return between(self.v[best[1]], self.v[best[2]], best[3])
