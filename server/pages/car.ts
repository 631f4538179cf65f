import { digest } from '../domain/chance.ts';
import type { RideTypeInfo } from '../domain/service-area.ts';
import { type Appearance, drawCar, HATCHBACK, SEDAN, SUV, VAN } from './car-drawing.ts';
import type { Html } from './html.ts';

const LOOKS: ReadonlyMap<string, Appearance> = new Map([
  ['svc_line', { body: HATCHBACK, paint: '#13a38b', trim: null }],
  ['svc', { body: SEDAN, paint: '#5b5bd6', trim: null }],
  ['svc_plus', { body: VAN, paint: '#d9663b', trim: null }],
  ['svc_premier', { body: SEDAN, paint: '#8a97a8', trim: '#f4f6f8' }],
  ['svc_lux', { body: SEDAN, paint: '#343b49', trim: '#d8b45a' }],
  ['svc_luxsuv', { body: SUV, paint: '#343b49', trim: '#d8b45a' }],
]);

const MORE_PAINTS = ['#b8477f', '#3c82c9', '#7a8f2a', '#a0623c'];

/** A ride type's picture. Without an entry in LOOKS, the name sets the color and the seats set the body. */
export function carPicture({ rideType, displayName, seats }: RideTypeInfo): Html {
  const look = LOOKS.get(rideType) ?? {
    body: seats > 4 ? VAN : SEDAN,
    paint: MORE_PAINTS[digest('paint', rideType)[0]! % MORE_PAINTS.length]!,
    trim: null,
  };
  return drawCar(displayName, look);
}
