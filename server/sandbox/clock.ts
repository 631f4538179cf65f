import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function clockHandlers(
  _parts: Parts,
): Pick<HandlersTagged<'Sandbox', Contexts>, 'getClock' | 'setClock' | 'advanceClock'> {
  return {
    getClock: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    setClock: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    advanceClock: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
