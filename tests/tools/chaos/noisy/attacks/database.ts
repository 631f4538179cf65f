import { SECOND_MS } from '../../../../../server/domain/time.ts';
import type { Attack } from '../attack.ts';
import { ended } from '../wire.ts';

const BACK_WITHIN_MS = 10 * SECOND_MS;

export const silentDatabase: Attack = {
  name: 'silent-database',
  what: `the open connections to PostgreSQL stop responding; calls may fail for ${BACK_WITHIN_MS / SECOND_MS} s`,
  engines: ['postgres'],
  canSilenceDatabase: true,
  forgivenMs: BACK_WITHIN_MS,
  attackMs: BACK_WITHIN_MS + 6 * SECOND_MS,
  run: async ({ silenceDatabase }, until) => {
    silenceDatabase();
    await ended(until);
    return new Map([['silenced databases', 1]]);
  },
};
