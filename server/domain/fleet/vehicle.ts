/** Classes of cars, by the requirements of the ride types. */
export type VehicleClass = 'regular' | 'large' | 'premium' | 'luxury' | 'luxuryLarge';

/** Makes and models by class. Cars in `large` and `luxuryLarge` seat six. */
// biome-ignore format: one model per line would fill a screen
export const MODELS: Readonly<Record<VehicleClass, ReadonlyArray<readonly [make: string, model: string]>>> = {
  regular: [
    ['Toyota', 'Prius'], ['Toyota', 'Corolla'], ['Toyota', 'Camry'], ['Honda', 'Civic'], ['Honda', 'Accord'],
    ['Hyundai', 'Elantra'], ['Nissan', 'Sentra'], ['Kia', 'Niro'], ['Volkswagen', 'Jetta'], ['Ford', 'Focus'],
  ],
  large: [
    ['Honda', 'Odyssey'], ['Toyota', 'Sienna'], ['Toyota', 'Highlander'], ['Ford', 'Explorer'], ['Kia', 'Carnival'],
    ['Chrysler', 'Pacifica'],
  ],
  premium: [
    ['Lexus', 'ES 350'], ['Audi', 'A4'], ['Tesla', 'Model 3'], ['Acura', 'TLX'], ['Volvo', 'S60'],
  ],
  luxury: [
    ['BMW', '7 Series'], ['Mercedes-Benz', 'E-Class'], ['Audi', 'A8'], ['Lexus', 'LS 500'], ['Tesla', 'Model S'],
  ],
  luxuryLarge: [
    ['Cadillac', 'Escalade'], ['Lincoln', 'Navigator'], ['Mercedes-Benz', 'GLS'], ['BMW', 'X7'],
  ],
};

export const LUXURY_COLORS = ['Black', 'Black', 'Black', 'Dark Gray'] as const;
export const COLORS = ['Black', 'White', 'Silver', 'Gray', 'Blue', 'Red', 'Green', 'Beige'] as const;

interface ClassRule {
  readonly kind: VehicleClass;
  /** The most expensive ride type of the class. */
  readonly needed: string;
  readonly serves: readonly string[];
}

/** A car's most expensive ride type determines its class. A car with none of these is `regular`. */
const CLASSES: readonly ClassRule[] = [
  { kind: 'luxuryLarge', needed: 'svc_luxsuv', serves: ['svc_premier', 'svc_lux', 'svc_luxsuv'] },
  { kind: 'luxury', needed: 'svc_lux', serves: ['svc_premier', 'svc_lux'] },
  { kind: 'premium', needed: 'svc_premier', serves: ['svc_line', 'svc', 'svc_premier'] },
  { kind: 'large', needed: 'svc_plus', serves: ['svc_line', 'svc', 'svc_plus'] },
];

export function vehicleClassOf(rideTypes: readonly string[]): VehicleClass {
  return ruleFor(rideTypes)?.kind ?? 'regular';
}

/**
 * Removes ride types that no car serves together with the most expensive of them: a luxury car never serves Standard
 * rides.
 */
export function servedTogether(rideTypes: readonly string[]): string[] {
  const rule = ruleFor(rideTypes);
  return rideTypes.filter((rideType) => rule === undefined || rule.serves.includes(rideType));
}

function ruleFor(rideTypes: readonly string[]): ClassRule | undefined {
  return CLASSES.find(({ needed }) => rideTypes.includes(needed));
}
