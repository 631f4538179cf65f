import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function passengersHandlers(
  _parts: Parts,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'createPassenger' | 'updatePassenger'> {
  return {
    createPassenger: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    updatePassenger: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
