import type { Geography } from '../domain/service-area.ts';
import { chicago } from './chicago.ts';
import { london } from './london.ts';
import { newYork } from './new-york.ts';
import { rideTypes } from './ride-types.ts';
import { sanFrancisco } from './san-francisco.ts';
import { seattle } from './seattle.ts';

/** The cities served. A new city is a file in cities/ and its name in this list. */
export const geography: Geography = {
  areas: [sanFrancisco, newYork, chicago, seattle, london],
  rideTypes,
};
