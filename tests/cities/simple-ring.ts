import type { Ring } from '../../server/domain/geo.ts';

type Vertex = Ring[number];

/** Returns twice the signed area of a triangle, which is positive if a, b, c turn left. */
function turn(a: Vertex, b: Vertex, c: Vertex): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Reports whether two segments have a point in common: neither is on one side of the other, and their boxes meet. */
function touch([a, b]: readonly [Vertex, Vertex], [c, d]: readonly [Vertex, Vertex]): boolean {
  const meets = (axis: 0 | 1) =>
    Math.max(a[axis], b[axis]) >= Math.min(c[axis], d[axis]) &&
    Math.max(c[axis], d[axis]) >= Math.min(a[axis], b[axis]);
  return meets(0) && meets(1) && turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
}

function edgesOf(ring: Ring) {
  return ring.slice(1).map((to, index) => [ring[index]!, to] as const);
}

/** Reports whether an edge of one closed ring meets an edge of the other. */
export function doMeet(ring: Ring, other: Ring): boolean {
  return edgesOf(ring).some((edge) => edgesOf(other).some((another) => touch(edge, another)));
}

/** Reports whether the edges of a closed ring meet only at the vertices that neighbors share. */
export function isSimple(ring: Ring): boolean {
  const edges = edgesOf(ring);
  return edges.every((edge, i) =>
    edges.every((other, j) => {
      const neighbors = j <= i + 1 || (i === 0 && j === edges.length - 1);
      return neighbors || !touch(edge, other);
    }),
  );
}
