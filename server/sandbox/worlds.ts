import type { HandlersTagged } from '../../generated/server.ts';
import type { Contexts } from '../http/caller.ts';
import type { Parts } from '../parts.ts';
import { assertSandbox } from './only-in-sandbox.ts';

export function worldsHandlers(
  _parts: Parts,
): Pick<
  HandlersTagged<'Sandbox', Contexts>,
  'createWorld' | 'getWorld' | 'updateWorld' | 'deleteWorld' | 'resetWorld'
> {
  return {
    createWorld: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    getWorld: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    updateWorld: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    deleteWorld: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
    resetWorld: async ({ context }) => {
      assertSandbox(context.world);
      throw new Error('not there yet');
    },
  };
}
