import type { ServerProcess } from '../../../../scripts/support/server-process.ts';
import type { Engine, Store } from '../../../../server/store/open.ts';
import type { Receiver } from './receiver.ts';
import type { Tally } from './wire.ts';

/** What an attack prepares before the server starts. */
export interface Stage {
  readonly store: Store;
  readonly receiver: Receiver;
}

/** A running server, as an attack sees it. */
export interface Scene {
  readonly server: ServerProcess;
  readonly receiver: Receiver;
  /** Stops the server, lets `between` change its database, and starts it again on the same port. */
  restart(between: (store: Store) => Promise<void>): Promise<void>;
  /**
   * From now on the server's open connections to PostgreSQL are silent: nothing arrives, and nothing closes them. Does
   * nothing unless the attack `canSilenceDatabase`.
   */
  silenceDatabase(): void;
}

/** What a noisy tenant does, and what the others are promised meanwhile. */
export interface Attack {
  readonly name: string;
  /** A clause for the help and the table. */
  readonly what: string;
  /** Absent: on both. */
  readonly engines?: readonly Engine[];
  /** What the others do: calls of listRideTypes by default, or webhooks of their live world that arrive. */
  readonly others?: 'calls' | 'webhooks';
  /** Whether the server reaches PostgreSQL through a proxy. Its work would slow down all calls of other attacks. */
  readonly canSilenceDatabase?: boolean;
  /** Highest p99 of the others during the attack, beside the ratio. */
  readonly mostP99Ms?: number;
  /** Failures this early in the attack are allowed, and their times do not count. */
  readonly forgivenMs?: number;
  /** How long the attack lasts, if not the default. */
  readonly attackMs?: number;
  /** Most descriptors of the server process during the attack. */
  readonly mostDescriptors?: number;
  /** Most memory of the server process during the attack. */
  readonly mostMegabytes?: number;
  /** Fills the database before the server starts. */
  prepare?(stage: Stage): Promise<void>;
  /** Prepares what only a running server can, before the attack is measured. */
  begin?(scene: Scene): Promise<void>;
  /** Attacks until the signal. @returns what the server answered, by status */
  run(scene: Scene, until: AbortSignal): Promise<Tally>;
}
