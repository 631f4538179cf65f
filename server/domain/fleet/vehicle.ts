/** Classes of cars, by what the ride types require. */
export type VehicleClass = 'regular' | 'large' | 'premium' | 'luxury' | 'luxuryLarge';

/** Makes and models by class: `large` and `luxuryLarge` seat six. */
export const MODELS: Readonly<Record<VehicleClass, ReadonlyArray<readonly [make: string, model: string]>>> = {
  regular: [
    ['Toyota', 'Prius'],
    ['Toyota', 'Corolla'],
    ['Toyota', 'Camry'],
    ['Honda', 'Civic'],
    ['Honda', 'Accord'],
    ['Hyundai', 'Elantra'],
    ['Nissan', 'Sentra'],
    ['Kia', 'Niro'],
    ['Volkswagen', 'Jetta'],
    ['Ford', 'Focus'],
  ],
  large: [
    ['Honda', 'Odyssey'],
    ['Toyota', 'Sienna'],
    ['Toyota', 'Highlander'],
    ['Ford', 'Explorer'],
    ['Kia', 'Carnival'],
    ['Chrysler', 'Pacifica'],
  ],
  premium: [
    ['Lexus', 'ES 350'],
    ['Audi', 'A4'],
    ['Tesla', 'Model 3'],
    ['Acura', 'TLX'],
    ['Volvo', 'S60'],
  ],
  luxury: [
    ['BMW', '7 Series'],
    ['Mercedes-Benz', 'E-Class'],
    ['Audi', 'A8'],
    ['Lexus', 'LS 500'],
    ['Tesla', 'Model S'],
  ],
  luxuryLarge: [
    ['Cadillac', 'Escalade'],
    ['Lincoln', 'Navigator'],
    ['Mercedes-Benz', 'GLS'],
    ['BMW', 'X7'],
  ],
};

export const LUXURY_COLORS = ['Black', 'Black', 'Black', 'Dark Gray'] as const;
export const COLORS = ['Black', 'White', 'Silver', 'Gray', 'Blue', 'Red', 'Green', 'Beige'] as const;

/** The lowest class of car that may serve all these ride types. */
export function vehicleClassOf(rideTypes: readonly string[]): VehicleClass {
  const large = rideTypes.includes('svc_plus');
  if (rideTypes.includes('svc_luxsuv')) return 'luxuryLarge';
  if (rideTypes.includes('svc_lux')) return large ? 'luxuryLarge' : 'luxury';
  if (rideTypes.includes('svc_premier')) return large ? 'luxuryLarge' : 'premium';
  return large ? 'large' : 'regular';
}
