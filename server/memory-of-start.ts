import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Startup creates much garbage, because it compiles modules and the contract. V8 would grow by 60 MB for it, and keep
// that memory while the server is idle. The server must load this module first.
setFlagsFromString('--optimize-for-size');

/**
 * Lets V8 use memory freely again, after collecting the garbage of the startup. This blocks the process for about 50
 * ms.
 */
export function endStart(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collectGarbage();
  setFlagsFromString('--no-optimize-for-size');
}
