/**
 * Runs pieces of work of one kind, a few in each turn of the event loop, so that other work runs in between. Work that
 * waits already is not added again.
 */
export function inTurns(mostInATurn: number): (work: () => void) => void {
  const waiting = new Set<() => void>();
  let isScheduled = false;
  const runSome = () => {
    let begun = 0;
    for (const work of waiting) {
      if (begun === mostInATurn) break;
      begun += 1;
      waiting.delete(work);
      work();
    }
    isScheduled = waiting.size > 0;
    if (isScheduled) setImmediate(runSome);
  };
  return (work) => {
    waiting.add(work);
    if (!isScheduled) setImmediate(runSome);
    isScheduled = true;
  };
}

/**
 * Milliseconds that one long list may take in a turn of the event loop.
 * @beyond the next turn continues
 * @heldBy tests/limits/in-turns.test.ts
 */
const MOST_MS_OF_A_PIECE = 1;

/** Waits for the turn of the next piece of long work. All work of one kind shares its turns. */
export function piecesOfAKind(): () => Promise<void> {
  const inTurn = inTurns(1);
  return () => new Promise((resolve) => inTurn(resolve));
}

const nextPieceOfCalls = piecesOfAKind();

/**
 * Maps a list whose elements may take long, in pieces, so that other work runs in between.
 * @param nextPiece absent: for calls
 * @param now milliseconds
 */
export async function inPieces<T, Mapped>(
  list: readonly T[],
  map: (element: T) => Mapped,
  nextPiece: () => Promise<void> = nextPieceOfCalls,
  now: () => number = () => performance.now(),
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  let begun = now();
  for (const element of list) {
    if (now() - begun > MOST_MS_OF_A_PIECE) {
      await nextPiece();
      begun = now();
    }
    mapped.push(map(element));
  }
  return mapped;
}
