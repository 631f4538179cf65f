import type { Sightings } from '../tools/coverage/record.ts';

/** What the tests of a file saw of the contract. `keep-sightings.ts` saves it at the end. */
export const sightings: Sightings = {};
