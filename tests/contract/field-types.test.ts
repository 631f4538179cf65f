import { expect, test } from 'vitest';
import { at, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { validatorAt } from './support/validator.ts';

const NEITHER_TEXT_NOR_NUMBER = [{}, [], true];

/** For each kind of field, values that it accepts and values that it rejects. */
const KINDS = {
  'a string': { yes: ['a', ''], no: [7, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'a string or null': { yes: ['a', null], no: [7, ...NEITHER_TEXT_NOR_NUMBER] },
  'an identifier': { yes: ['01a1_fd5c-8A'], no: [7, null, '', 'a b', 'x'.repeat(65), ...NEITHER_TEXT_NOR_NUMBER] },
  'the name of a ride type': { yes: ['svc', 'svc_luxsuv', 'hovercraft'], no: [7, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'a web address': { yes: ['https://example.com/a'], no: [7, null, 'nowhere', ...NEITHER_TEXT_NOR_NUMBER] },
  'a web address or null': { yes: ['https://example.com/a', null], no: [7, 'nowhere', ...NEITHER_TEXT_NOR_NUMBER] },
  'an instant': {
    yes: ['2026-05-15T01:04:05.000+00:00', '2015-01-01T00:00:00Z'],
    no: [1778807045, null, 'today', '2026-05-15', '2026-05-15T01:04:05', ...NEITHER_TEXT_NOR_NUMBER],
  },
  'an integer': { yes: [1, 5], no: [1.5, '1', null, ...NEITHER_TEXT_NOR_NUMBER] },
  'an integer or null': { yes: [1, null], no: [1.5, '1', ...NEITHER_TEXT_NOR_NUMBER] },
  'a double': { yes: [1.5, 2], no: ['1.5', null, ...NEITHER_TEXT_NOR_NUMBER] },
  'a double or null': { yes: [1.5, 2, null], no: ['1.5', ...NEITHER_TEXT_NOR_NUMBER] },
  'a boolean': { yes: [true, false], no: ['true', 0, null, {}] },
  'a currency code': { yes: ['USD', 'GBP'], no: ['usd', 'US', 'EURO', 840, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'a percentage': { yes: ['0%', '50%', '100%'], no: ['50', 50, 0.5, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'stars as a string': { yes: ['0.0', '4.9', '5.0'], no: ['5.1', '6.0', '5', 4.9, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'stars as a string, or null': { yes: ['0.0', '5.0', null], no: ['5.1', '6.0', '5', 4.9, ...NEITHER_TEXT_NOR_NUMBER] },
  'stars from 1 to 5': { yes: [1, 5], no: [0, 6, 4.5, '5', null, ...NEITHER_TEXT_NOR_NUMBER] },
  'two letters or null': { yes: ['CA', null], no: ['California', 'C', 7, ...NEITHER_TEXT_NOR_NUMBER] },
  'a hex color': { yes: ['#FFFFFF', '#7A4DFF'], no: ['white', 'FFFFFF', 7, null, ...NEITHER_TEXT_NOR_NUMBER] },
  'personal or business': { yes: ['personal', 'business'], no: ['private', null, ...NEITHER_TEXT_NOR_NUMBER] },
  'a list of who may cancel': {
    yes: [[], ['driver', 'passenger', 'dispatcher']],
    no: [['nobody'], 'passenger', null, {}],
  },
  'who canceled': {
    yes: ['passenger', 'driver', 'no_drivers_available'],
    no: ['dispatcher', 'nobody', null, ...NEITHER_TEXT_NOR_NUMBER],
  },
  'a list, which may be empty': { yes: [[]], no: [[null], {}, null, 'a'] },
  'a list of pairs': {
    yes: [[], [{ lat: 'is required' }]],
    no: [[{}], [{ lat: 1 }], [{ a: '', b: '' }], {}, null, 'a'],
  },
  'up to five positions': {
    yes: [Array(1).fill({ lat: 1, lng: 1 }), Array(5).fill({ lat: 1, lng: 1 })],
    no: [Array(6).fill({ lat: 1, lng: 1 }), [{ lat: 1 }], null],
  },
} satisfies Record<string, { yes: unknown[]; no: unknown[] }>;
type Kind = keyof typeof KINDS;

/** The specification's tables of fields: `object | fields: kind`. A dot separates a nested field. */
const FIELDS = tableOf(`
  Place | lat, lng: a double | address: a string or null
  AcceptedRide | origin.eta_seconds: an integer or null | location.lat, location.lng: a double
  AcceptedRide | location.bearing: a double or null | beacon_color: a hex color
  PickedUpRide | destination.eta_seconds: a double or null | pickup.time: an instant
  DroppedOffRide | dropoff.time: an instant | distance_miles, duration_seconds: a double
  DroppedOffRide | line_items, charges: a list, which may be empty | rating: stars from 1 to 5 | feedback: a string
  RideFacts | ride_id: an identifier | ride_type: the name of a ride type | primetime_percentage: a percentage
  RideFacts | requested_at, generated_at: an instant | ride_profile: personal or business
  RideFacts | pricing_details_url, route_url: a web address | can_cancel: a list of who may cancel
  CanceledRide | canceled_by: who canceled
  Passenger | user_id: an identifier | first_name, last_name: a string | image_url: a web address or null
  Passenger | rating: stars as a string, or null
  Driver | user_id: an identifier | first_name, phone_number: a string | image_url: a web address
  Driver | rating: stars as a string
  Vehicle | make, model, license_plate, color: a string | year: an integer
  Vehicle | license_plate_state: two letters or null | image_url: a web address
  Price | amount: an integer | currency: a currency code | description: a string
  LineItem | amount: an integer | currency: a currency code | type: a string
  Charge | amount: an integer | currency: a currency code | payment_method: a string
  CancellationPrice | amount, token_duration: an integer | currency: a currency code | token, description: a string
  RideType | ride_type: the name of a ride type | display_name: a string | image_url: a web address
  RideType | seats: an integer
  PricingDetails | base_charge, cost_per_mile, cost_per_minute, cost_minimum, trust_and_service, cancel_penalty_amount: an integer
  PricingDetails | currency: a currency code
  EtaEstimate | ride_type: the name of a ride type | display_name: a string | eta_seconds: an integer or null
  EtaEstimate | is_valid_estimate: a boolean
  CostEstimate | ride_type: the name of a ride type | display_name: a string
  CostEstimate | estimated_cost_cents_min, estimated_cost_cents_max, estimated_duration_seconds: an integer
  CostEstimate | estimated_distance_miles: a double | currency: a currency code | primetime_percentage: a percentage
  CostEstimate | primetime_confirmation_token, cost_token: a string or null | is_valid_estimate: a boolean
  NearbyDriversOfType | ride_type: the name of a ride type
  NearbyDriver | locations: up to five positions
  PickupEtaList | timezone: a string
  PickupEta | ride_type: the name of a ride type | display_name: a string
  PickupDurationRange | duration_ms: an integer | range_ms: an integer or null
  PickupTimeRange | timestamp_ms: an integer | range_ms: an integer or null
  Profile | id: an identifier | first_name, last_name: a string | has_taken_a_ride: a boolean
  Receipt | ride_id: an identifier | line_items, charges: a list, which may be empty | requested_at: an instant
  Receipt | ride_profile: personal or business
  Failure | error_description: a string | error_detail: a list of pairs | documentation_url: a web address | error_uri: a web address
  WebhookFacts | event_id: an identifier | href: a web address | occurred_at: an instant
`);

/** Fields that a response may leave out. ride-fields.test.ts lists the optional fields of rides. */
const OPTIONAL: readonly string[] = [
  'CostEstimate.estimated_cost_cents_min',
  'CostEstimate.estimated_cost_cents_max',
  'CostEstimate.estimated_distance_miles',
  'CostEstimate.estimated_duration_seconds',
  'CostEstimate.primetime_confirmation_token',
  'Failure.documentation_url',
  'Failure.error_uri',
];
const OBJECTS = [...new Set(FIELDS.map(([field]) => field.split('.')[0]!))].filter(
  (name) => !/Ride$|^RideFacts$/.test(name),
);

test.each(FIELDS)('%s is %s', (field, kind) => {
  const validate = validatorAt(pointerTo(field));
  const { yes, no } = KINDS[kind];
  expect(yes.filter((value) => !validate(value))).toEqual([]);
  expect(no.filter((value) => validate(value))).toEqual([]);
});

test.each(OBJECTS)('%s always has all of its fields', (name) => {
  const { required = [] } = contract.components!.schemas![name]!;
  const own = FIELDS.map(([field]) => field).filter((field) => field.startsWith(`${name}.`));
  const stated = own.filter((field) => !OPTIONAL.includes(field)).map((field) => field.split('.')[1]);
  expect(required).toEqual(expect.arrayContaining(stated));
});

function tableOf(text: string): [field: string, kind: Kind][] {
  return text
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [object, ...cells] = row.trim().split(' | ');
      return cells.flatMap((cell) => {
        const [names = '', kind] = cell.split(': ') as [string, Kind];
        return names.split(', ').map((name): [string, Kind] => [`${object}.${name}`, kind]);
      });
    });
}

/** Returns the pointer to the schema of a field. Throws if the field does not exist. */
function pointerTo(field: string): string {
  const [name, ...way] = field.split('.');
  return way.reduce((pointer, part) => propertyPointer(pointer, part), `#/components/schemas/${name}`);
}

function propertyPointer(pointer: string, name: string): string {
  const { $ref, properties = {}, allOf = [] } = at<Schema>(contract, pointer);
  if ($ref !== undefined) return propertyPointer($ref, name);
  if (name in properties) return `${pointer}/properties/${name}`;
  const part = allOf.findIndex((inner) => name in (inner.properties ?? {}));
  if (part === -1) throw new Error(`${pointer} has no ${name}`);
  return propertyPointer(`${pointer}/allOf/${part}`, name);
}
