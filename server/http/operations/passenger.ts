import type { HandlersTagged } from '../../../generated/server.ts';
import type { Parts } from '../../parts.ts';
import { passengerOf } from '../../rides/load.ts';
import type { Contexts } from '../caller.ts';

export function passengerHandlers({ store }: Parts): HandlersTagged<'Passenger', Contexts> {
  return {
    getProfile: async ({ context }, reply) => {
      const { id, firstName, lastName, hasTakenARide } = await passengerOf(store.db, context);
      return reply(200, { id, first_name: firstName, last_name: lastName, has_taken_a_ride: hasTakenARide });
    },
  };
}
