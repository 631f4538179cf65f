import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function ridesHandlers(_parts: Parts): Pick<HandlersTagged<'Sandbox', Contexts>, 'setRideStatus'> {
  return {
    setRideStatus: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
