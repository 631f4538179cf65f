import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function conditionsHandlers(
  _parts: Parts,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setPrimeTime' | 'setRideTypes' | 'setDriverAvailability'> {
  return {
    setPrimeTime: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    setRideTypes: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    setDriverAvailability: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
