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
