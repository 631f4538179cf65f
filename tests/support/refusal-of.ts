import { Refusal } from '../../server/domain/refusal.ts';

/** The refusal that an action throws. Fails when it throws none. */
export function refusalOf(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('The action did not throw a Refusal.');
}
