import type { ServerProcess } from '../../../../scripts/support/server-process.ts';
import type { Engine, Store } from '../../../../server/store/engine/open.ts';
import type { Receiver } from './receiver.ts';
import type { Tally } from './wire.ts';

/** A running server, as an attack sees it. */
export interface Scene {
  readonly server: ServerProcess;
  readonly receiver: Receiver;
  /** Stops the server, lets `between` change its database, and starts it again on the same port. */
  restart(between: (store: Store) => Promise<void>): Promise<void>;
  /** The server's open connections to PostgreSQL are silent from now on: no data arrives, and they stay open. */
  silenceDatabase(): void;
}

/** What a noisy tenant does, and what the other tenants are promised meanwhile. */
export interface Attack {
  readonly name: string;
  /** A clause for the help. */
  readonly what: string;
  /** Default: both. */
  readonly engines?: readonly Engine[];
  /** What is measured for the others: calls of listRideTypes by default, or the arrival of their live webhooks. */
  readonly others?: 'calls' | 'webhooks';
  /** Whether it calls `silenceDatabase`. */
  readonly silencesDatabase?: boolean;
  /** The highest p99 of the others during the attack, in addition to the ratio. */
  readonly mostP99Ms?: number;
  /** For this long after the start of the attack, failures are allowed and durations of calls do not count. */
  readonly forgivenMs?: number;
  /** How long the attack lasts. Absent: the default. */
  readonly attackMs?: number;
  /** The most file descriptors of the server process during the attack. */
  readonly mostDescriptors?: number;
  /** The most memory of the server process during the attack. */
  readonly mostMegabytes?: number;
  /** Fills the database before the server starts. */
  prepare?(store: Store, receiver: Receiver): Promise<void>;
  /** Prepares what needs a running server, before the attack is measured. */
  begin?(scene: Scene): Promise<void>;
  /** Attacks until the signal aborts. @returns the number of responses by status */
  run(scene: Scene, until: AbortSignal): Promise<Tally>;
}
