import { expect, test } from 'vitest';
import { at, type Schema } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { validatorAt } from './support/validator.ts';

/** Values of each JSON type. A field rejects those of every type that it does not have. */
const OF_TYPE = { string: ['a'], number: [7, 1.5], boolean: [true], null: [null], array: [[]], object: [{}] };
type Type = keyof typeof OF_TYPE;

/** For each kind of field, its types, values that it accepts, and values of its types that it rejects. */
const KINDS = {
  'a string': [['string'], ['a', ''], []],
  'a string or null': [['string', 'null'], ['a', null], []],
  'an identifier': [['string'], ['01a1_fd5c-8A'], ['', 'a b', 'x'.repeat(65)]],
  'the name of a ride type': [['string'], ['svc', 'svc_luxsuv', 'hovercraft'], []],
  'a web address': [['string'], ['https://example.com/a'], ['nowhere']],
  'a web address or null': [['string', 'null'], ['https://example.com/a', null], ['nowhere']],
  'an instant': [
    ['string'],
    ['2026-05-15T01:04:05.000+00:00', '2015-01-01T00:00:00Z'],
    ['today', '2026-05-15', '2026-05-15T01:04:05'],
  ],
  'an integer': [['number'], [1, 5], [1.5]],
  'an integer or null': [['number', 'null'], [1, null], [1.5]],
  'a double': [['number'], [1.5, 2], []],
  'a whole double': [['number'], [1, 2], [1.5]],
  'a whole double or null': [['number', 'null'], [1, 2, null], [1.5]],
  'a double or null': [['number', 'null'], [1.5, 2, null], []],
  'a boolean': [['boolean'], [true, false], []],
  'a currency code': [['string'], ['USD', 'GBP'], ['usd', 'US', 'EURO']],
  'a percentage': [['string'], ['0%', '50%', '100%'], ['50']],
  'stars as a string': [['string'], ['0.0', '4.9', '5.0'], ['5.1', '6.0', '5']],
  'stars as a string, or null': [
    ['string', 'null'],
    ['0.0', '5.0', null],
    ['5.1', '6.0', '5'],
  ],
  'stars from 1 to 5': [['number'], [1, 5], [0, 6, 4.5]],
  'two letters or null': [
    ['string', 'null'],
    ['CA', null],
    ['California', 'C'],
  ],
  'a hex color': [['string'], ['#FFFFFF', '#7A4DFF'], ['white', 'FFFFFF']],
  'a phone number': [['string'], ['+14155550143'], ['555-0143', '+0415', '']],
  'personal or business': [['string'], ['personal', 'business'], ['private']],
  'a list of who may cancel': [['array'], [[], ['driver', 'passenger', 'dispatcher']], [['nobody']]],
  'who canceled': [['string'], ['passenger', 'driver', 'no_drivers_available'], ['dispatcher', 'nobody']],
  'a list, which may be empty': [['array'], [[]], [[null]]],
  'a list of pairs': [['array'], [[], [{ lat: 'is required' }]], [[{}], [{ lat: 1 }], [{ a: '', b: '' }]]],
  'up to five positions': [['array'], [positions(1), positions(5)], [positions(6), [{ lat: 1 }]]],
} satisfies Record<string, [types: Type[], yes: unknown[], no: unknown[]]>;
type Kind = keyof typeof KINDS;

/** The specification's tables of fields: `object | fields: kind`. A dot separates a nested field. */
const FIELDS = tableOf(`
  Place | lat, lng: a double | address: a string or null
  AcceptedRide | origin.eta_seconds: an integer or null | location.lat, location.lng: a double
  AcceptedRide | location.bearing: a double or null | beacon_color: a hex color
  PickedUpRide | destination.eta_seconds: a whole double or null | pickup.time: an instant
  DroppedOffRide | dropoff.time: an instant | distance_miles: a double | duration_seconds: a whole double
  DroppedOffRide | line_items, charges: a list, which may be empty | rating: stars from 1 to 5 | feedback: a string
  PendingRide | ride_id: an identifier | ride_type: the name of a ride type | primetime_percentage: a percentage
  PendingRide | requested_at, generated_at: an instant | ride_profile: personal or business
  PendingRide | pricing_details_url, route_url: a web address | can_cancel: a list of who may cancel
  CanceledRide | canceled_by: who canceled
  Passenger | user_id: an identifier | first_name, last_name: a string | image_url: a web address or null
  Passenger | rating: stars as a string, or null
  Driver | user_id: an identifier | first_name: a string | phone_number: a phone number | image_url: a web address
  Driver | rating: stars as a string
  Vehicle | make, model, license_plate, color: a string | year: an integer
  Vehicle | license_plate_state: two letters or null | image_url: a web address
  Price | amount: an integer | currency: a currency code | description: a string
  LineItem | amount: an integer | currency: a currency code | type: a string
  Charge | amount: an integer | currency: a currency code | payment_method: a string
  CancellationPrice | amount, token_duration: an integer | currency: a currency code | token, description: a string
  OfferedRideType | ride_type: the name of a ride type | display_name: a string | image_url: a web address
  OfferedRideType | seats: an integer
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
const OBJECTS = [...new Set(FIELDS.map(([field]) => field.split('.')[0]!))].filter((name) => !/Ride$/.test(name));

test.each(FIELDS)('%s is %s', (field, kind) => {
  const validate = validatorAt(pointerTo(field));
  const [types, yes, no]: [readonly string[], unknown[], unknown[]] = KINDS[kind];
  const ofOtherTypes = Object.entries(OF_TYPE).flatMap(([type, values]) => (types.includes(type) ? [] : values));
  expect(yes.filter((value) => !validate(value))).toEqual([]);
  expect([...no, ...ofOtherTypes].filter((value) => validate(value))).toEqual([]);
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

function positions(count: number): object[] {
  return Array(count).fill({ lat: 1, lng: 1 });
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
