import type { Geography } from '../domain/service-area.ts';
import { chicago } from './chicago.ts';
import { london } from './london.ts';
import { newYork } from './new-york.ts';
import { rideTypes } from './ride-types.ts';
import { sanFrancisco } from './san-francisco.ts';
import { seattle } from './seattle.ts';

/** The served cities. To add one, add its file to cities/ and its name to this list. */
export const geography: Geography = {
  areas: [sanFrancisco, newYork, chicago, seattle, london],
  rideTypes,
};
