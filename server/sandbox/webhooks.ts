import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function webhooksHandlers(
  _parts: Parts,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'setWebhooks' | 'listEvents' | 'resendEvent'> {
  return {
    setWebhooks: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    listEvents: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    resendEvent: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
