import type { Geography } from '../domain/service-area.ts';
import { chicago } from './cities/chicago.ts';
import { london } from './cities/london.ts';
import { newYork } from './cities/new-york.ts';
import { sanFrancisco } from './cities/san-francisco.ts';
import { seattle } from './cities/seattle.ts';
import { rideTypes } from './ride-types.ts';

/** The cities served. A new city is a file in cities/ and its name in this list. */
export const geography: Geography = {
  areas: [sanFrancisco, newYork, chicago, seattle, london],
  rideTypes,
};
