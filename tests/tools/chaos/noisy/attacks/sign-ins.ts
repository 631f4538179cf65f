import { hashPassword } from '../../../../../server/oauth/passwords.ts';
import { insertPassengerIfAbsent } from '../../../../../server/store/passengers.ts';
import { passenger } from '../../../../store/samples.ts';
import { newcomer } from '../../../../support/consent.ts';
import type { Visitor } from '../../../../support/visitor.ts';
import type { Attack } from '../attack.ts';
import { count, type Tally } from '../wire.ts';

const VISITORS = 50;
const PASSWORD = 'correct horse battery staple';
const emailOf = (visitor: number) => `guest-${visitor}@example.com`;

export function signIns(): Attack {
  let visitors: Visitor[] = [];
  return {
    name: 'sign-ins',
    what: `${VISITORS} clients repeatedly sign in with the correct password`,
    prepare: async ({ store }) => {
      const passwordHash = await hashPassword(PASSWORD);
      for (let i = 0; i < VISITORS; i++) {
        await insertPassengerIfAbsent(store.db, passenger({ id: `guest-${i}`, email: emailOf(i), passwordHash }));
      }
    },
    begin: async ({ server }) => {
      visitors = await Promise.all(Array.from({ length: VISITORS }, () => newcomer(server.baseUrl)));
    },
    run: async ({ server }, until) => {
      const tally: Tally = new Map();
      const signIn = async (index: number) => {
        let visitor = visitors[index]!;
        while (!until.aborted) {
          const view = await visitor.submit({ email: emailOf(index), password: PASSWORD });
          count(tally, String(view.status));
          visitor = await newcomer(server.baseUrl);
        }
      };
      // if the server refused the page, there is no form to submit
      await Promise.all(visitors.map((_, index) => signIn(index).catch(() => count(tally, 'no form'))));
      return tally;
    },
  };
}
