import type { Sightings } from '../tools/coverage/record.ts';

/** What the tests of a file have seen of the contract; `keep-sightings.ts` writes it down when they are through. */
export const sightings: Sightings = {};
