import { drawCar, HATCHBACK, SEDAN, SUV, VAN } from './car-drawing.ts';
import type { Html } from './html.ts';

/** Models other than sedans. */
const BODIES = new Map([
  ...['Prius', 'Niro', 'Focus'].map((model) => [model, HATCHBACK] as const),
  ...['Odyssey', 'Sienna', 'Carnival', 'Pacifica'].map((model) => [model, VAN] as const),
  ...['Highlander', 'Explorer', 'Escalade', 'Navigator', 'GLS', 'X7'].map((model) => [model, SUV] as const),
]);

const PAINTS: ReadonlyMap<string, string> = new Map([
  ['Black', '#23262e'],
  ['White', '#f7f8fa'],
  ['Silver', '#c3c8cf'],
  ['Gray', '#868d98'],
  ['Dark Gray', '#4a505b'],
  ['Blue', '#2f6fd0'],
  ['Red', '#c93636'],
  ['Green', '#2e8b57'],
  ['Beige', '#d9c7a3'],
]);
const UNKNOWN_PAINT = '#9b8fb0';

/** A driver's car. Also works for past rides with models that have left the fleet. */
export function vehiclePicture(make: string, model: string, color: string): Html {
  const body = BODIES.get(model) ?? SEDAN;
  return drawCar(`${color} ${make} ${model}`, { body, paint: PAINTS.get(color) ?? UNKNOWN_PAINT, trim: null });
}
