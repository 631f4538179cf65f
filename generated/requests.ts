// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { OperationId } from './server.ts';

/** The part of a schema that the server reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The earliest accepted time, ISO 8601. */
  readonly 'x-earliest'?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The values that mean the same as omitting the property. */
  readonly absent?: Readonly<Record<string, readonly (null | '')[]>>;
  readonly items?: Schema;
}

/** What an operation accepts. */
export interface RequestRules {
  readonly path: Readonly<Record<string, Schema>>;
  readonly query: Readonly<Record<string, Schema>>;
  /** Whether unknown query parameters are ignored. */
  readonly hasOpenQuery: boolean;
  /** All media types have the same schema. Null if the operation has no body. */
  readonly body: Schema | null;
  readonly needsBody: boolean;
}

const TokenRequest: Schema = {
  type: 'object',
  properties: {
    grant_type: { type: 'string' },
    scope: { type: ['string', 'null'] },
    code: { type: ['string', 'null'], format: 'password' },
    redirect_uri: { type: ['string', 'null'] },
    code_verifier: { type: ['string', 'null'], format: 'password', pattern: '^[A-Za-z0-9._~-]{43,128}$' },
    refresh_token: { type: ['string', 'null'], format: 'password' },
    client_id: { type: ['string', 'null'] },
    client_secret: { type: ['string', 'null'], format: 'password' },
  },
  absent: {
    grant_type: [''],
    scope: [null, ''],
    code: [null, ''],
    redirect_uri: [null, ''],
    code_verifier: [null, ''],
    refresh_token: [null, ''],
    client_id: [null, ''],
    client_secret: [null, ''],
  },
};
const RevocationRequest: Schema = {
  type: 'object',
  properties: {
    token: { type: 'string', format: 'password' },
    token_type_hint: { type: ['string', 'null'] },
    client_id: { type: ['string', 'null'] },
    client_secret: { type: ['string', 'null'], format: 'password' },
  },
  absent: { token: [''], token_type_hint: [null, ''], client_id: [null, ''], client_secret: [null, ''] },
};
const RevokeRequest: Schema = {
  type: 'object',
  properties: {
    token: { type: 'string', format: 'password' },
    client_id: { type: ['string', 'null'] },
    client_secret: { type: ['string', 'null'], format: 'password' },
  },
  absent: { token: [''], client_id: [null, ''], client_secret: [null, ''] },
};
const lat: Schema = { type: 'number', format: 'double', minimum: -90, maximum: 90 };
const lng: Schema = { type: 'number', format: 'double', minimum: -180, maximum: 180 };
const RideTypeKey: Schema = { type: 'string', minLength: 1, maxLength: 64 };
const destination_lat: Schema = { type: 'number', format: 'double', minimum: -90, maximum: 90 };
const destination_lng: Schema = { type: 'number', format: 'double', minimum: -180, maximum: 180 };
const start_lat: Schema = { type: 'number', format: 'double', minimum: -90, maximum: 90 };
const start_lng: Schema = { type: 'number', format: 'double', minimum: -180, maximum: 180 };
const end_lat: Schema = { type: 'number', format: 'double', minimum: -90, maximum: 90 };
const end_lng: Schema = { type: 'number', format: 'double', minimum: -180, maximum: 180 };
const Latitude: Schema = { type: 'number', format: 'double', minimum: -90, maximum: 90 };
const Longitude: Schema = { type: 'number', format: 'double', minimum: -180, maximum: 180 };
const RequestedPlace: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    lat: Latitude,
    lng: Longitude,
    address: { type: ['string', 'null'], maxLength: 500 },
    eta_seconds: { type: ['number', 'null'] },
    time: { type: ['string', 'null'], format: 'date-time' },
  },
  absent: { address: [null], eta_seconds: [null], time: [null] },
};
const OptionalPlace: Schema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    lat: Latitude,
    lng: Longitude,
    address: { type: ['string', 'null'], maxLength: 500 },
    eta_seconds: { type: ['number', 'null'] },
    time: { type: ['string', 'null'], format: 'date-time' },
  },
  absent: { address: [null], eta_seconds: [null], time: [null] },
};
const RideRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    origin: RequestedPlace,
    destination: OptionalPlace,
    ride_type: RideTypeKey,
    cost_token: { type: ['string', 'null'], maxLength: 2000 },
    primetime_confirmation_token: { type: ['string', 'null'], maxLength: 2000 },
  },
  absent: { destination: [null], cost_token: [null, ''], primetime_confirmation_token: [null, ''] },
};
const Identifier: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const Currency: Schema = { type: 'string', pattern: '^[A-Z]{3}$' };
const Tip: Schema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { amount: { type: 'integer', format: 'int64', minimum: 1 }, currency: Currency },
};
const RatingRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    rating: { type: 'integer', format: 'int32', minimum: 1, maximum: 5 },
    tip: Tip,
    feedback: { type: ['string', 'null'], maxLength: 2000 },
  },
  absent: { tip: [null], feedback: [null] },
};
const CancelRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { cancel_confirmation_token: { type: ['string', 'null'], maxLength: 2000 } },
  absent: { cancel_confirmation_token: [null, ''] },
};
const RideStatus: Schema = {
  type: 'string',
  enum: ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'unknown'],
};
const RideMove: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: RideStatus,
    canceled_by: { type: ['string', 'null'], enum: ['passenger', 'driver', 'no_drivers_available', null] },
  },
  absent: { canceled_by: [null] },
};
const PrimeTimeSetting: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    lat: Latitude,
    lng: Longitude,
    primetime_percentage: { type: ['string', 'null'], pattern: '^(0|25|50|75|[123](00|25|50|75)|400)%$' },
  },
};
const RideTypesSetting: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { lat: Latitude, lng: Longitude, ride_types: { type: 'array', maxItems: 50, items: RideTypeKey } },
};
const DriverAvailability: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { lat: Latitude, lng: Longitude, driver_availability: { type: 'boolean' } },
};
const WorldRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: ['string', 'null'], pattern: '^[A-Za-z0-9 ._-]+$', minLength: 1, maxLength: 64 },
    clock: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        state: { type: ['string', 'null'], enum: ['running', 'frozen', null] },
        now: {
          type: ['string', 'null'],
          pattern:
            '^(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,30})?)?|\\d{8}[Tt]\\d{4}(\\d\\d([.,]\\d{1,30})?)?)([Zz]|[+-]\\d\\d(:?\\d\\d)?)$',
          'x-earliest': '2015-01-01T00:00:00Z',
        },
      },
      absent: { state: [null], now: [null] },
    },
    auto_advance: { type: ['boolean', 'null'] },
    limits: { type: ['boolean', 'null'] },
  },
  absent: { seed: [null], clock: [null], auto_advance: [null], limits: [null] },
};
const WorldChange: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { auto_advance: { type: ['boolean', 'null'] }, limits: { type: ['boolean', 'null'] } },
  absent: { auto_advance: [null], limits: [null] },
};
const Scope: Schema = { type: 'string', enum: ['public', 'rides.read', 'rides.request', 'profile', 'offline'] };
const PassengerRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: { type: ['string', 'null'], format: 'email', maxLength: 254 },
    has_taken_a_ride: { type: ['boolean', 'null'] },
    scopes: { type: ['array', 'null'], minItems: 1, maxItems: 5, items: Scope },
    expires_in: { type: ['integer', 'null'], format: 'int32', minimum: 1, maximum: 3600 },
    first_name: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    last_name: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    phone_number: { type: ['string', 'null'], pattern: '^\\+[1-9][0-9]{6,14}$' },
    phone_verified: { type: ['boolean', 'null'] },
    payment_method: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    account_disabled: { type: ['boolean', 'null'] },
    driver_mode: { type: ['boolean', 'null'] },
    business_profile: { type: ['boolean', 'null'] },
    rating: { type: ['string', 'null'], pattern: '^([0-4]\\.\\d|5\\.0)$' },
  },
  absent: {
    email: [null],
    has_taken_a_ride: [null],
    scopes: [null],
    expires_in: [null],
    first_name: [null],
    last_name: [null],
    phone_verified: [null],
    account_disabled: [null],
    driver_mode: [null],
    business_profile: [null],
  },
};
const PassengerChange: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    first_name: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    last_name: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    phone_number: { type: ['string', 'null'], pattern: '^\\+[1-9][0-9]{6,14}$' },
    phone_verified: { type: ['boolean', 'null'] },
    payment_method: { type: ['string', 'null'], minLength: 1, maxLength: 100 },
    account_disabled: { type: ['boolean', 'null'] },
    driver_mode: { type: ['boolean', 'null'] },
    business_profile: { type: ['boolean', 'null'] },
    rating: { type: ['string', 'null'], pattern: '^([0-4]\\.\\d|5\\.0)$' },
  },
  absent: {
    first_name: [null],
    last_name: [null],
    phone_verified: [null],
    account_disabled: [null],
    driver_mode: [null],
    business_profile: [null],
  },
};
const ClockState: Schema = { type: 'string', enum: ['running', 'frozen'] };
const ClockSetting: Schema = { type: 'object', additionalProperties: false, properties: { state: ClockState } };
const ClockAdvance: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: { seconds: { type: 'integer', format: 'int32', minimum: 1, maximum: 2592000 } },
};
const WebhookSettings: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { type: ['string', 'null'], format: 'uri', maxLength: 2000 },
    duplicates: { type: ['integer', 'null'], format: 'int32', minimum: 0, maximum: 5 },
    hold_seconds: { type: ['integer', 'null'], format: 'int32', minimum: 0, maximum: 3600 },
    reorder: { type: ['boolean', 'null'] },
    drop_first: { type: ['integer', 'null'], format: 'int32', minimum: 0, maximum: 9 },
    wrong_signature: { type: ['boolean', 'null'] },
  },
  absent: {
    url: [null],
    duplicates: [null],
    hold_seconds: [null],
    reorder: [null],
    drop_first: [null],
    wrong_signature: [null],
  },
};
const ResendRequest: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    since: {
      type: 'string',
      pattern:
        '^(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,30})?)?|\\d{8}[Tt]\\d{4}(\\d\\d([.,]\\d{1,30})?)?)([Zz]|[+-]\\d\\d(:?\\d\\d)?)$',
      'x-earliest': '2015-01-01T00:00:00Z',
    },
    until: {
      type: ['string', 'null'],
      pattern:
        '^(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,30})?)?|\\d{8}[Tt]\\d{4}(\\d\\d([.,]\\d{1,30})?)?)([Zz]|[+-]\\d\\d(:?\\d\\d)?)$',
      'x-earliest': '2015-01-01T00:00:00Z',
    },
    event_type: { type: ['string', 'null'], enum: ['ride.status.updated', 'ride.receipt.ready', null] },
    failed_only: { type: ['boolean', 'null'] },
  },
  absent: { until: [null], event_type: [null], failed_only: [null] },
};

/** What each operation accepts. */
export const REQUESTS: Readonly<Record<OperationId, RequestRules>> = {
  authorizeApplication: {
    path: {},
    query: {
      client_id: { type: 'string' },
      response_type: { type: 'string', enum: ['code'] },
      scope: { type: 'string' },
      state: { type: 'string' },
      redirect_uri: { type: 'string' },
      code_challenge: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
      code_challenge_method: { type: 'string', enum: ['S256'] },
    },
    hasOpenQuery: true,
    body: null,
    needsBody: false,
  },
  createToken: {
    path: {},
    query: {},
    hasOpenQuery: true,
    body: TokenRequest,
    needsBody: true,
  },
  revokeToken: {
    path: {},
    query: {},
    hasOpenQuery: true,
    body: RevocationRequest,
    needsBody: true,
  },
  revokeRefreshToken: {
    path: {},
    query: {},
    hasOpenQuery: true,
    body: RevokeRequest,
    needsBody: true,
  },
  listRideTypes: {
    path: {},
    query: { lat, lng, ride_type: RideTypeKey },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  estimateEta: {
    path: {},
    query: { lat, lng, destination_lat, destination_lng, ride_type: RideTypeKey },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  estimateCost: {
    path: {},
    query: { start_lat, start_lng, end_lat, end_lng, ride_type: RideTypeKey },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  listDrivers: {
    path: {},
    query: { lat, lng },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  listPickupEtas: {
    path: {},
    query: { lat, lng, destination_lat, destination_lng, ride_type: RideTypeKey },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  listRides: {
    path: {},
    query: {
      start_time: {
        type: 'string',
        pattern:
          '^(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,30})?)?|\\d{8}[Tt]\\d{4}(\\d\\d([.,]\\d{1,30})?)?)([Zz]|[ +-]\\d\\d(:?\\d\\d)?)$',
        'x-earliest': '2015-01-01T00:00:00Z',
      },
      end_time: {
        type: 'string',
        pattern:
          '^(\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d([.,]\\d{1,30})?)?|\\d{8}[Tt]\\d{4}(\\d\\d([.,]\\d{1,30})?)?)([Zz]|[ +-]\\d\\d(:?\\d\\d)?)$',
        'x-earliest': '2015-01-01T00:00:00Z',
      },
      limit: { type: 'integer', format: 'int32', minimum: 1, maximum: 50 },
    },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  requestRide: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: RideRequest,
    needsBody: true,
  },
  getRide: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  updateDestination: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: RequestedPlace,
    needsBody: true,
  },
  rateRide: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: RatingRequest,
    needsBody: true,
  },
  getReceipt: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  cancelRide: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: CancelRequest,
    needsBody: false,
  },
  getProfile: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  setRideStatus: {
    path: { ride_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: RideMove,
    needsBody: true,
  },
  setPrimeTime: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: PrimeTimeSetting,
    needsBody: true,
  },
  setRideTypes: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: RideTypesSetting,
    needsBody: true,
  },
  setDriverAvailability: {
    path: { ride_type: RideTypeKey },
    query: {},
    hasOpenQuery: false,
    body: DriverAvailability,
    needsBody: true,
  },
  createWorld: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: WorldRequest,
    needsBody: false,
  },
  getWorld: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  deleteWorld: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  updateWorld: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: WorldChange,
    needsBody: true,
  },
  resetWorld: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  createPassenger: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: PassengerRequest,
    needsBody: false,
  },
  updatePassenger: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: PassengerChange,
    needsBody: true,
  },
  getClock: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  setClock: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: ClockSetting,
    needsBody: true,
  },
  advanceClock: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: ClockAdvance,
    needsBody: true,
  },
  setWebhooks: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: WebhookSettings,
    needsBody: true,
  },
  listEvents: {
    path: {},
    query: {
      ride_id: Identifier,
      limit: { type: 'integer', format: 'int32', minimum: 1, maximum: 100 },
      cursor: Identifier,
    },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  resendEvent: {
    path: { event_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  listWebhookEvents: {
    path: {},
    query: {
      ride_id: Identifier,
      limit: { type: 'integer', format: 'int32', minimum: 1, maximum: 100 },
      cursor: Identifier,
    },
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  getWebhookEvent: {
    path: { event_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  resendWebhookEvent: {
    path: { event_id: Identifier },
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  getResend: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
  resendWebhookEvents: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: ResendRequest,
    needsBody: true,
  },
  cancelResend: {
    path: {},
    query: {},
    hasOpenQuery: false,
    body: null,
    needsBody: false,
  },
};

/** The secret fields of a response, and the fields that contain them, of each operation that returns any. */
export const SECRETS_IN_ANSWERS: Readonly<Partial<Record<OperationId, Schema>>> = {
  createToken: { properties: { access_token: { format: 'password' }, refresh_token: { format: 'password' } } },
  createWorld: {
    properties: {
      token: { properties: { access_token: { format: 'password' }, refresh_token: { format: 'password' } } },
    },
  },
  createPassenger: {
    properties: {
      token: { properties: { access_token: { format: 'password' }, refresh_token: { format: 'password' } } },
    },
  },
  setWebhooks: { properties: { verification_token: { format: 'password' } } },
};
