import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { type Schema as ContractSchema, resolve } from '../../scripts/generate/contract.ts';
import { contract } from './support/contract.ts';

interface Schema extends ContractSchema {
  readonly $ref?: string;
  readonly required?: readonly string[];
}

const NEITHER_TEXT_NOR_NUMBER = [{}, [], true];

/** What a field may be, as values that it may have and values that it may not. */
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
    no: ['nobody', null, ...NEITHER_TEXT_NOR_NUMBER],
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

/** The specification's tables of fields, by the contract's names. A field of an object is reached by a dot. */
const FIELDS: Readonly<Record<string, Kind>> = {
  'Place.lat': 'a double',
  'Place.lng': 'a double',
  'Place.address': 'a string or null',
  'AcceptedRide.origin.eta_seconds': 'an integer or null',
  'PickedUpRide.destination.eta_seconds': 'a double or null',
  'PickedUpRide.pickup.time': 'an instant',
  'DroppedOffRide.dropoff.time': 'an instant',
  'AcceptedRide.location.lat': 'a double',
  'AcceptedRide.location.lng': 'a double',
  'AcceptedRide.location.bearing': 'a double or null',
  'RideFacts.ride_id': 'an identifier',
  'RideFacts.ride_type': 'the name of a ride type',
  'RideFacts.primetime_percentage': 'a percentage',
  'DroppedOffRide.distance_miles': 'a double',
  'DroppedOffRide.duration_seconds': 'a double',
  'DroppedOffRide.line_items': 'a list, which may be empty',
  'DroppedOffRide.charges': 'a list, which may be empty',
  'RideFacts.requested_at': 'an instant',
  'RideFacts.generated_at': 'an instant',
  'RideFacts.ride_profile': 'personal or business',
  'AcceptedRide.beacon_color': 'a hex color',
  'RideFacts.pricing_details_url': 'a web address',
  'RideFacts.route_url': 'a web address',
  'RideFacts.can_cancel': 'a list of who may cancel',
  'CanceledRide.canceled_by': 'who canceled',
  'DroppedOffRide.rating': 'stars from 1 to 5',
  'DroppedOffRide.feedback': 'a string',
  'Passenger.user_id': 'an identifier',
  'Passenger.first_name': 'a string',
  'Passenger.last_name': 'a string',
  'Passenger.image_url': 'a web address or null',
  'Passenger.rating': 'stars as a string, or null',
  'Driver.user_id': 'an identifier',
  'Driver.first_name': 'a string',
  'Driver.image_url': 'a web address',
  'Driver.rating': 'stars as a string',
  'Driver.phone_number': 'a string',
  'Vehicle.make': 'a string',
  'Vehicle.model': 'a string',
  'Vehicle.year': 'an integer',
  'Vehicle.license_plate': 'a string',
  'Vehicle.license_plate_state': 'two letters or null',
  'Vehicle.color': 'a string',
  'Vehicle.image_url': 'a web address',
  'Price.amount': 'an integer',
  'Price.currency': 'a currency code',
  'Price.description': 'a string',
  'LineItem.amount': 'an integer',
  'LineItem.currency': 'a currency code',
  'LineItem.type': 'a string',
  'Charge.amount': 'an integer',
  'Charge.currency': 'a currency code',
  'Charge.payment_method': 'a string',
  'CancellationPrice.amount': 'an integer',
  'CancellationPrice.currency': 'a currency code',
  'CancellationPrice.token': 'a string',
  'CancellationPrice.token_duration': 'an integer',
  'CancellationPrice.description': 'a string',
  'RideType.ride_type': 'the name of a ride type',
  'RideType.display_name': 'a string',
  'RideType.image_url': 'a web address',
  'RideType.seats': 'an integer',
  'PricingDetails.base_charge': 'an integer',
  'PricingDetails.cost_per_mile': 'an integer',
  'PricingDetails.cost_per_minute': 'an integer',
  'PricingDetails.cost_minimum': 'an integer',
  'PricingDetails.trust_and_service': 'an integer',
  'PricingDetails.cancel_penalty_amount': 'an integer',
  'PricingDetails.currency': 'a currency code',
  'EtaEstimate.ride_type': 'the name of a ride type',
  'EtaEstimate.display_name': 'a string',
  'EtaEstimate.eta_seconds': 'an integer or null',
  'EtaEstimate.is_valid_estimate': 'a boolean',
  'CostEstimate.ride_type': 'the name of a ride type',
  'CostEstimate.display_name': 'a string',
  'CostEstimate.estimated_cost_cents_min': 'an integer',
  'CostEstimate.estimated_cost_cents_max': 'an integer',
  'CostEstimate.estimated_distance_miles': 'a double',
  'CostEstimate.estimated_duration_seconds': 'an integer',
  'CostEstimate.currency': 'a currency code',
  'CostEstimate.primetime_percentage': 'a percentage',
  'CostEstimate.primetime_confirmation_token': 'a string or null',
  'CostEstimate.cost_token': 'a string or null',
  'CostEstimate.is_valid_estimate': 'a boolean',
  'NearbyDriversOfType.ride_type': 'the name of a ride type',
  'NearbyDriver.locations': 'up to five positions',
  'PickupEtaList.timezone': 'a string',
  'PickupEta.ride_type': 'the name of a ride type',
  'PickupEta.display_name': 'a string',
  'PickupDurationRange.duration_ms': 'an integer',
  'PickupDurationRange.range_ms': 'an integer or null',
  'PickupTimeRange.timestamp_ms': 'an integer',
  'PickupTimeRange.range_ms': 'an integer or null',
  'Profile.id': 'an identifier',
  'Profile.first_name': 'a string',
  'Profile.last_name': 'a string',
  'Profile.has_taken_a_ride': 'a boolean',
  'Receipt.ride_id': 'an identifier',
  'Receipt.line_items': 'a list, which may be empty',
  'Receipt.charges': 'a list, which may be empty',
  'Receipt.requested_at': 'an instant',
  'Receipt.ride_profile': 'personal or business',
  'Failure.error_description': 'a string',
  'Failure.error_detail': 'a list of pairs',
  'Failure.error_uri': 'a web address',
  'WebhookFacts.event_id': 'an identifier',
  'WebhookFacts.href': 'a web address',
  'WebhookFacts.occurred_at': 'an instant',
};

/** Fields that an answer may do without. When a ride has which is in ride-fields.test.ts. */
const OPTIONAL: readonly string[] = [
  'CostEstimate.estimated_cost_cents_min',
  'CostEstimate.estimated_cost_cents_max',
  'CostEstimate.estimated_distance_miles',
  'CostEstimate.estimated_duration_seconds',
  'CostEstimate.primetime_confirmation_token',
  'Failure.error_uri',
];
const OBJECTS = [...new Set(Object.keys(FIELDS).map((field) => field.split('.')[0]!))].filter(
  (name) => !/Ride$|^RideFacts$/.test(name),
);

const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true, double: true } });
addFormats.default(ajv);
ajv.addSchema(contract, 'contract.json');

test.each(Object.entries(FIELDS))('%s is %s', (field, kind) => {
  const validate = ajv.compile({ $ref: `contract.json${pointerTo(field)}` });
  const { yes, no } = KINDS[kind];
  expect({ taken: yes.filter((value) => validate(value)), refused: no.filter((value) => !validate(value)) }).toEqual({
    taken: yes,
    refused: no,
  });
});

test.each(OBJECTS)('%s always has all of its fields', (name) => {
  const { required = [] } = schemaAt(`#/components/schemas/${name}`);
  const stated = Object.keys(FIELDS).filter((field) => field.startsWith(`${name}.`) && !OPTIONAL.includes(field));
  expect(required).toEqual(expect.arrayContaining(stated.map((field) => field.split('.')[1])));
});

/** Where the contract has the schema of a field. Throws when it has none. */
function pointerTo(field: string): string {
  const [name, ...way] = field.split('.');
  return way.reduce((pointer, part) => propertyPointer(pointer, part), `#/components/schemas/${name}`);
}

function propertyPointer(pointer: string, name: string): string {
  const { $ref, properties = {}, allOf = [] } = schemaAt(pointer);
  if ($ref !== undefined) return propertyPointer($ref, name);
  if (name in properties) return `${pointer}/properties/${name}`;
  const part = allOf.findIndex((inner) => name in (resolve(contract, inner).properties ?? {}));
  if (part === -1) throw new Error(`${pointer} has no ${name}`);
  return propertyPointer(`${pointer}/allOf/${part}`, name);
}

function schemaAt(pointer: string): Schema {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((found, key) => (found as Record<string, unknown>)[key], contract as unknown) as Schema;
}
