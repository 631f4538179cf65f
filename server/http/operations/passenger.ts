import type { HandlersTagged } from '../../../generated/server.ts';
import type { Contexts } from '../caller.ts';

export function passengerHandlers(): HandlersTagged<'Passenger', Contexts> {
  return {
    getProfile: async ({ context: { passenger } }, reply) => {
      const { id, firstName, lastName, hasTakenARide } = passenger;
      return reply(200, { id, first_name: firstName, last_name: lastName, has_taken_a_ride: hasTakenARide });
    },
  };
}
