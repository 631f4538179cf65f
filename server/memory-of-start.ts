import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A start makes much garbage: modules are compiled, and the contract. V8 would take 60 MB more for it, and keep them for as
// long as the server is idle. This module is the first one that a server loads.
setFlagsFromString('--optimize-for-size');

/** Lets V8 take what memory it likes, once the start has left no garbage. It stops the process for some 50 ms. */
export function endStart(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collectGarbage();
  setFlagsFromString('--no-optimize-for-size');
}
