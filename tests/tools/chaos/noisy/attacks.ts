import type { Attack } from './attack.ts';
import { crowd, overLimit, quadratic, wrongSecrets, wrongTokens } from './attacks/calls.ts';
import { silentDatabase, slowReaders, unread } from './attacks/connections.ts';
import { resends } from './attacks/resends.ts';
import { signIns } from './attacks/sign-ins.ts';
import { hangingReceiver } from './attacks/webhooks.ts';
import { advance, backlog, bigWorlds, patchWorld } from './attacks/worlds.ts';

/** In the order of docs/performance.md. */
export const ATTACKS: readonly Attack[] = [
  ...[unread, slowReaders, advance, backlog, quadratic, resends, silentDatabase],
  ...[signIns, wrongSecrets, crowd, patchWorld, bigWorlds, wrongTokens, overLimit, hangingReceiver],
];
