"""HASH: XXH64 with seed 0."""
import struct
M = (1 << 64) - 1
P1, P2, P3 = 11400714785074694791, 14029467366897019727, 1609587929392839161
P4, P5 = 9650029242287828579, 2870177450012600261


def rotl(v, n):
    return ((v << n) | (v >> (64 - n))) & M


def rnd(a, w):
    return rotl((a + w * P2) & M, 31) * P1 & M


def merge(h, a):
    return ((h ^ rnd(0, a)) * P1 + P4) & M


def xxh64(b):
    """[HASH-1]"""
    n = len(b)
    i = 0
    if n >= 32:
        v1, v2, v3, v4 = (P1 + P2) & M, P2, 0, (-P1) & M
        whole = n // 32
        ws = struct.unpack_from('<%dQ' % (whole * 4), b, 0)
        for k in range(0, whole * 4, 4):
            v1 = rnd(v1, ws[k]); v2 = rnd(v2, ws[k + 1]); v3 = rnd(v3, ws[k + 2]); v4 = rnd(v4, ws[k + 3])
        i = whole * 32
        h = (rotl(v1, 1) + rotl(v2, 7) + rotl(v3, 12) + rotl(v4, 18)) & M
        h = merge(h, v1); h = merge(h, v2); h = merge(h, v3); h = merge(h, v4)
    else:
        h = P5
    h = (h + n) & M
    while n - i >= 8:
        w = struct.unpack_from('<Q', b, i)[0]
        h = (rotl(h ^ rnd(0, w), 27) * P1 + P4) & M
        i += 8
    if n - i >= 4:
        w = struct.unpack_from('<I', b, i)[0]
        h = (rotl(h ^ (w * P1 & M), 23) * P2 + P3) & M
        i += 4
    while i < n:
        h = rotl(h ^ (b[i] * P5 & M), 11) * P1 & M
        i += 1
    h ^= h >> 33
    h = h * P2 & M
    h ^= h >> 29
    h = h * P3 & M
    h ^= h >> 32
    return h


if __name__ == '__main__':
    for b, e in ((b'', 'ef46db3751d8e999'), (b'a', 'd24ec4f1a98c6e5b'), (b'abc', '44bc2cf5ad770999'),
                 (bytes(range(32)), 'cbf59c5116ff32b4'), (bytes(range(100)), '6ac1e58032166597')):
        print('%016x' % xxh64(b) == e)
