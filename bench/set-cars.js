/**
 * Sets the density of the cars in each city of a built server to `?perSquareKm=` of this module's URL. For
 * `node --import`. It is JavaScript, because Node loads it without tsx.
 */
import { pathToFileURL } from 'node:url';

const { geography } = await import(new URL('cities/geography.js', pathToFileURL(process.argv[1])).href);
for (const { fleet } of geography.areas) {
  fleet.carsPerSquareKm = Number(new URL(import.meta.url).searchParams.get('perSquareKm'));
}
