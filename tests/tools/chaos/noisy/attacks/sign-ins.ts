import { hashPassword } from '../../../../../server/oauth/passwords.ts';
import { insertPassengerIfAbsent } from '../../../../../server/store/passengers.ts';
import { passenger } from '../../../../store/samples.ts';
import { newcomer } from '../../../../support/consent.ts';
import type { Attack } from '../attack.ts';
import { count, type Tally } from '../wire.ts';

const VISITORS = 50;
const PASSWORD = 'correct horse battery staple';
const emailOf = (visitor: number) => `guest-${visitor}@example.com`;

export const signIns: Attack = {
  name: 'sign-ins',
  what: `${VISITORS} clients repeatedly sign in with the correct password`,
  prepare: async ({ store }) => {
    const passwordHash = await hashPassword(PASSWORD);
    for (let i = 0; i < VISITORS; i++) {
      await insertPassengerIfAbsent(store.db, passenger({ id: `guest-${i}`, email: emailOf(i), passwordHash }));
    }
  },
  run: async ({ server }, until) => {
    const tally: Tally = new Map();
    const signIn = async (index: number) => {
      while (!until.aborted) {
        const visitor = await newcomer(server.baseUrl);
        const view = await visitor.submit({ email: emailOf(index), password: PASSWORD });
        count(tally, String(view.status));
      }
    };
    // if the server refused the page, there is no form to submit
    const visits = Array.from({ length: VISITORS }, (_, index) => signIn(index));
    await Promise.all(visits.map((visit) => visit.catch(() => count(tally, 'no form'))));
    return tally;
  },
};
