// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { operations } from './types.ts';

export interface RateLimit {
  readonly bucket: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What the contract says about an operation, in addition to its types. */
export interface Route {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** As in the contract, with `{name}` for a path parameter. */
  readonly path: string;
  /** For Express, with `:name` for a path parameter. */
  readonly expressPath: string;
  readonly tag: string;
  readonly summary: string;
  /** The accepted credentials. Empty if the operation needs none. */
  readonly security: ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;
  /** Calls allowed in a window. Operations with the same bucket share a count. */
  readonly rateLimit: RateLimit | null;
  /** Limits that apply instead of it, by the `grant_type` of the body. */
  readonly grantRateLimits: Readonly<Record<string, RateLimit>>;
  readonly requestMediaTypes: readonly string[];
  /** Deprecated query parameters and body properties: name to the time of deprecation, ISO 8601. */
  readonly deprecatedFields: Readonly<Record<string, string | null>>;
  readonly successStatus: number;
  /** Null if the response has no body. */
  readonly successMediaType: string | null;
  readonly statuses: readonly number[];
  /** The error codes in redirects to an application. */
  readonly redirectErrors: readonly string[];
  /** Error code to status. */
  readonly failures: Readonly<Record<string, number>>;
  /** Status to the seconds in the contract's example of `Retry-After`. */
  readonly retryAfterSeconds: Readonly<Record<number, number>>;
  /** Whether caches must not store its responses (RFC 6749, section 5.1). */
  readonly isNeverStored: boolean;
}

/** Every operation of the contract: its path, security, limit and possible responses. */
export const OPERATIONS = {
  authorizeApplication: {
    method: 'get',
    path: '/oauth/authorize',
    expressPath: '/oauth/authorize',
    tag: 'Consent',
    summary: 'Ask a passenger for access',
    security: [],
    rateLimit: { bucket: 'oauth.authorize', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'text/html',
    statuses: [200, 302, 400, 429, 500, 503],
    redirectErrors: ['access_denied', 'invalid_request', 'unsupported_response_type', 'invalid_scope'],
    failures: {
      invalid_request: 400,
      unsupported_response_type: 400,
      invalid_scope: 400,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: true,
  },
  createToken: {
    method: 'post',
    path: '/oauth/token',
    expressPath: '/oauth/token',
    tag: 'Tokens',
    summary: 'Create an access token',
    security: [{ scheme: 'clientBasic', scopes: [] }],
    rateLimit: { bucket: 'oauth.token', limit: 1000, windowSeconds: 60 },
    grantRateLimits: { client_credentials: { bucket: 'oauth.client_credentials', limit: 300, windowSeconds: 60 } },
    requestMediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 413, 429, 500, 503],
    redirectErrors: [],
    failures: {
      invalid_request: 400,
      unsupported_grant_type: 400,
      invalid_grant: 400,
      invalid_scope: 400,
      invalid_client: 401,
      payload_too_large: 413,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: true,
  },
  revokeToken: {
    method: 'post',
    path: '/oauth/revoke',
    expressPath: '/oauth/revoke',
    tag: 'Tokens',
    summary: 'Revoke a token',
    security: [{ scheme: 'clientBasic', scopes: [] }],
    rateLimit: { bucket: 'oauth.revoke_any', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 413, 429, 500, 503],
    redirectErrors: [],
    failures: {
      invalid_request: 400,
      invalid_client: 401,
      payload_too_large: 413,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: true,
  },
  revokeRefreshToken: {
    method: 'post',
    path: '/oauth/revoke_refresh_token',
    expressPath: '/oauth/revoke_refresh_token',
    tag: 'Tokens',
    summary: 'Revoke a refresh token',
    security: [{ scheme: 'clientBasic', scopes: [] }],
    rateLimit: { bucket: 'oauth.revoke', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 413, 429, 500, 503],
    redirectErrors: [],
    failures: {
      invalid_request: 400,
      invalid_client: 401,
      payload_too_large: 413,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: true,
  },
  listRideTypes: {
    method: 'get',
    path: '/v1/ridetypes',
    expressPath: '/v1/ridetypes',
    tag: 'Availability',
    summary: 'List ride types at a place',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'ridetypes', limit: 10000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  estimateEta: {
    method: 'get',
    path: '/v1/eta',
    expressPath: '/v1/eta',
    tag: 'Availability',
    summary: 'Estimate the time to pickup',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'eta', limit: 10000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  estimateCost: {
    method: 'get',
    path: '/v1/cost',
    expressPath: '/v1/cost',
    tag: 'Availability',
    summary: 'Estimate the price of a ride',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'cost', limit: 10000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  listDrivers: {
    method: 'get',
    path: '/v1/drivers',
    expressPath: '/v1/drivers',
    tag: 'Availability',
    summary: 'List nearby drivers',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'drivers', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  listPickupEtas: {
    method: 'get',
    path: '/v1/nearby-drivers-pickup-etas',
    expressPath: '/v1/nearby-drivers-pickup-etas',
    tag: 'Availability',
    summary: 'List nearby drivers with pickup times',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'pickup_etas', limit: 10000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  listRides: {
    method: 'get',
    path: '/v1/rides',
    expressPath: '/v1/rides',
    tag: 'Rides',
    summary: 'List past rides',
    security: [{ scheme: 'userToken', scopes: ['rides.read'] }],
    rateLimit: { bucket: 'rides.history', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  requestRide: {
    method: 'post',
    path: '/v1/rides',
    expressPath: '/v1/rides',
    tag: 'Rides',
    summary: 'Request a ride',
    security: [{ scheme: 'userToken', scopes: ['rides.request'] }],
    rateLimit: { bucket: 'rides.write', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: { primetime_confirmation_token: '2026-01-01T00:00:00Z' },
    successStatus: 201,
    successMediaType: 'application/json',
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_primetime_confirmation: 400,
      destination_prohibited: 400,
      client_error: 400,
      primetime_confirmation_required: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      user_payment_required: 403,
      account_disabled: 403,
      user_in_driver_mode: 403,
      verified_phone_required: 403,
      no_drivers_available: 409,
      user_already_in_ride: 409,
      too_many_rides: 409,
      too_many_events: 409,
      too_many_bytes: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getRide: {
    method: 'get',
    path: '/v1/rides/{ride_id}',
    expressPath: '/v1/rides/:ride_id',
    tag: 'Rides',
    summary: 'Get a ride',
    security: [{ scheme: 'userToken', scopes: ['rides.read'] }],
    rateLimit: { bucket: 'rides.read', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 404, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  updateDestination: {
    method: 'put',
    path: '/v1/rides/{ride_id}/destination',
    expressPath: '/v1/rides/:ride_id/destination',
    tag: 'Rides',
    summary: 'Change the destination',
    security: [{ scheme: 'userToken', scopes: ['rides.request'] }],
    rateLimit: { bucket: 'rides.write', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 404, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_destination: 400,
      destination_prohibited: 400,
      ride_is_lyft_line: 400,
      ride_is_finished: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  rateRide: {
    method: 'put',
    path: '/v1/rides/{ride_id}/rating',
    expressPath: '/v1/rides/:ride_id/rating',
    tag: 'Rides',
    summary: 'Rate and tip a ride',
    security: [{ scheme: 'userToken', scopes: ['rides.request'] }],
    rateLimit: { bucket: 'rides.write', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      user_cannot_rate_this_ride: 400,
      tip_too_large: 400,
      tip_currency_not_accepted: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      ride_not_finished: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getReceipt: {
    method: 'get',
    path: '/v1/rides/{ride_id}/receipt',
    expressPath: '/v1/rides/:ride_id/receipt',
    tag: 'Rides',
    summary: 'Get a receipt',
    security: [{ scheme: 'userToken', scopes: ['rides.read'] }],
    rateLimit: { bucket: 'rides.read', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 404, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      receipt_not_available: 404,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  cancelRide: {
    method: 'post',
    path: '/v1/rides/{ride_id}/cancel',
    expressPath: '/v1/rides/:ride_id/cancel',
    tag: 'Rides',
    summary: 'Cancel a ride',
    security: [{ scheme: 'userToken', scopes: ['rides.request'] }],
    rateLimit: { bucket: 'rides.write', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_cancel_confirmation: 400,
      cancel_confirmation_required: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      ride_is_finished: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getProfile: {
    method: 'get',
    path: '/v1/profile',
    expressPath: '/v1/profile',
    tag: 'Passenger',
    summary: "Get the passenger's profile",
    security: [{ scheme: 'userToken', scopes: ['profile'] }],
    rateLimit: { bucket: 'profile', limit: 5, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setRideStatus: {
    method: 'put',
    path: '/sandbox/v1/rides/{ride_id}',
    expressPath: '/sandbox/v1/rides/:ride_id',
    tag: 'Sandbox',
    summary: "Set a ride's status",
    security: [{ scheme: 'userToken', scopes: ['rides.request'] }],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 404, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      ride_does_not_belong_to_user: 403,
      ride_not_found: 404,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setPrimeTime: {
    method: 'put',
    path: '/sandbox/v1/primetime',
    expressPath: '/sandbox/v1/primetime',
    tag: 'Sandbox',
    summary: 'Set Prime Time',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setRideTypes: {
    method: 'put',
    path: '/sandbox/v1/ridetypes',
    expressPath: '/sandbox/v1/ridetypes',
    tag: 'Sandbox',
    summary: 'Set the available ride types',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setDriverAvailability: {
    method: 'put',
    path: '/sandbox/v1/ridetypes/{ride_type}',
    expressPath: '/sandbox/v1/ridetypes/:ride_type',
    tag: 'Sandbox',
    summary: 'Set driver availability',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      no_service_in_area: 400,
      ridetype_unavailable_in_region: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  createWorld: {
    method: 'post',
    path: '/sandbox/v1/worlds',
    expressPath: '/sandbox/v1/worlds',
    tag: 'Sandbox',
    summary: 'Create a world',
    security: [{ scheme: 'clientToken', scopes: ['public'] }],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 201,
    successMediaType: 'application/json',
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      too_many_worlds: 409,
      too_many_bytes: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getWorld: {
    method: 'get',
    path: '/sandbox/v1/world',
    expressPath: '/sandbox/v1/world',
    tag: 'Sandbox',
    summary: 'Get the world',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  deleteWorld: {
    method: 'delete',
    path: '/sandbox/v1/world',
    expressPath: '/sandbox/v1/world',
    tag: 'Sandbox',
    summary: 'Delete the world',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 409, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      world_is_default: 409,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  updateWorld: {
    method: 'patch',
    path: '/sandbox/v1/world',
    expressPath: '/sandbox/v1/world',
    tag: 'Sandbox',
    summary: 'Update the world',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  resetWorld: {
    method: 'post',
    path: '/sandbox/v1/world/reset',
    expressPath: '/sandbox/v1/world/reset',
    tag: 'Sandbox',
    summary: 'Reset the world',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 403, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  createPassenger: {
    method: 'post',
    path: '/sandbox/v1/passengers',
    expressPath: '/sandbox/v1/passengers',
    tag: 'Sandbox',
    summary: 'Create a passenger',
    security: [{ scheme: 'clientToken', scopes: ['public'] }],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 201,
    successMediaType: 'application/json',
    statuses: [201, 400, 401, 403, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      too_many_passengers: 409,
      too_many_bytes: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  updatePassenger: {
    method: 'patch',
    path: '/sandbox/v1/passenger',
    expressPath: '/sandbox/v1/passenger',
    tag: 'Sandbox',
    summary: 'Update the passenger',
    security: [{ scheme: 'userToken', scopes: ['public'] }],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getClock: {
    method: 'get',
    path: '/sandbox/v1/clock',
    expressPath: '/sandbox/v1/clock',
    tag: 'Sandbox',
    summary: 'Get the clock',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setClock: {
    method: 'put',
    path: '/sandbox/v1/clock',
    expressPath: '/sandbox/v1/clock',
    tag: 'Sandbox',
    summary: 'Freeze or run the clock',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  advanceClock: {
    method: 'post',
    path: '/sandbox/v1/clock/advance',
    expressPath: '/sandbox/v1/clock/advance',
    tag: 'Sandbox',
    summary: 'Advance the clock',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  setWebhooks: {
    method: 'put',
    path: '/sandbox/v1/webhooks',
    expressPath: '/sandbox/v1/webhooks',
    tag: 'Sandbox',
    summary: 'Set the webhook URL and faults',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  listEvents: {
    method: 'get',
    path: '/sandbox/v1/events',
    expressPath: '/sandbox/v1/events',
    tag: 'Sandbox',
    summary: 'List events',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 403, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  resendEvent: {
    method: 'post',
    path: '/sandbox/v1/events/{event_id}/resend',
    expressPath: '/sandbox/v1/events/:event_id/resend',
    tag: 'Sandbox',
    summary: 'Resend an event',
    security: [
      { scheme: 'userToken', scopes: ['public'] },
      { scheme: 'clientToken', scopes: ['public'] },
    ],
    rateLimit: { bucket: 'sandbox', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 202,
    successMediaType: null,
    statuses: [202, 400, 401, 403, 404, 409, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      sandbox_only: 403,
      event_not_found: 404,
      too_many_bytes: 409,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  listWebhookEvents: {
    method: 'get',
    path: '/v1/events',
    expressPath: '/v1/events',
    tag: 'Webhooks',
    summary: 'List webhook events',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'events', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getWebhookEvent: {
    method: 'get',
    path: '/v1/events/{event_id}',
    expressPath: '/v1/events/:event_id',
    tag: 'Webhooks',
    summary: 'Get a webhook event',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'events', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 404, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      event_not_found: 404,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  resendWebhookEvent: {
    method: 'post',
    path: '/v1/events/{event_id}/resend',
    expressPath: '/v1/events/:event_id/resend',
    tag: 'Webhooks',
    summary: 'Resend a webhook event',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'events', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 202,
    successMediaType: null,
    statuses: [202, 400, 401, 404, 409, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      event_not_found: 404,
      no_webhook_url: 409,
      too_many_bytes: 409,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  getResend: {
    method: 'get',
    path: '/v1/events/resend',
    expressPath: '/v1/events/resend',
    tag: 'Webhooks',
    summary: 'Get the resend of a range',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'events', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 200,
    successMediaType: 'application/json',
    statuses: [200, 400, 401, 404, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      resend_not_found: 404,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  resendWebhookEvents: {
    method: 'post',
    path: '/v1/events/resend',
    expressPath: '/v1/events/resend',
    tag: 'Webhooks',
    summary: 'Resend a range of webhook events',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'resends', limit: 10, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: ['application/json'],
    deprecatedFields: {},
    successStatus: 202,
    successMediaType: 'application/json',
    statuses: [202, 400, 401, 409, 413, 415, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      no_webhook_url: 409,
      resend_running: 409,
      too_many_bytes: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
  cancelResend: {
    method: 'delete',
    path: '/v1/events/resend',
    expressPath: '/v1/events/resend',
    tag: 'Webhooks',
    summary: 'Cancel the resend of a range',
    security: [{ scheme: 'clientToken', scopes: ['events'] }],
    rateLimit: { bucket: 'events', limit: 1000, windowSeconds: 60 },
    grantRateLimits: {},
    requestMediaTypes: [],
    deprecatedFields: {},
    successStatus: 204,
    successMediaType: null,
    statuses: [204, 400, 401, 404, 429, 500, 503],
    redirectErrors: [],
    failures: {
      bad_parameter: 400,
      invalid_token: 401,
      insufficient_scope: 401,
      token_expired: 401,
      resend_not_found: 404,
      rate_limit_exceeded: 429,
      internal_error: 500,
      temporarily_unavailable: 503,
    },
    retryAfterSeconds: { '429': 42, '503': 42 },
    isNeverStored: false,
  },
} as const satisfies Record<Exclude<keyof operations, 'onRideStatusUpdated' | 'onRideReceiptReady'>, Route>;

export type OperationId = keyof typeof OPERATIONS;

/** The scopes that each kind of token can have. */
export const SCOPES = {
  userToken: ['public', 'rides.read', 'rides.request', 'profile', 'offline'],
  clientToken: ['public', 'events'],
} as const;

/** What each scope of a user token lets an application do, as a sentence. */
export const SCOPE_SENTENCES = {
  public: 'See ride types, arrival times, prices and nearby drivers.',
  'rides.read': 'See your current and past rides and their receipts.',
  'rides.request': 'Request rides for you, and change, cancel, rate and tip your rides.',
  profile: 'See your name and whether you’ve taken a ride.',
  offline: 'Stay signed in when you’re away.',
} as const;

/** The scopes of a token if the request names none, limited to the scopes that it can have. */
export const DEFAULT_SCOPES = ['public', 'rides.read'] as const;

/** The version of the contract. */
export const CONTRACT_VERSION = '1.2.0';

/** Body of a request. @beyond 413 `payload_too_large` @heldBy tests/http/bodies.test.ts */
export const MAX_BODY_BYTES = 65536;

/** Head of a request, and times for it, the whole request and a response that is not read. @beyond 431 `headers_too_large` or 408 `request_timeout`, and the connection closes */
export const REQUEST_LIMITS = {
  headBytes: 16384,
  headers: 100,
  headSeconds: 15,
  seconds: 30,
  unreadSeconds: 30,
} as const;

/** Work of one call that advances a clock. @beyond it ends after its current step, and repeating it continues */
export const ADVANCE_LIMITS = { steps: 1000, seconds: 20 } as const;

/** How many calls of an application run at once and how many more wait. Live and sandbox calls count separately. */
export const CALLS_AT_ONCE = { running: 8, waiting: 120 } as const;

/** Calls of an application in all its sandboxes together. @beyond 429 with `Retry-After` */
export const SANDBOX_LIMIT = { bucket: 'sandboxes', limit: 5000, windowSeconds: 10 } as const;

/** Sandboxes besides the default one, days without a call, and what all sandboxes of an application contain. @beyond 409 `too_many_worlds` and so on; an unused one is deleted, unless webhooks are still to be sent @heldBy tests/sandbox/room.test.ts */
export const WORLD_LIMITS = {
  worlds: 1000,
  days: 30,
  passengers: 100000,
  rides: 100000,
  events: 500000,
  bytes: 1000000000,
} as const;

/** Events that one resend of a range looks at. @beyond it ends with the last one of them @heldBy tests/workers/resends.test.ts */
export const RESEND_LIMITS = { events: 100000 } as const;

/** Access tokens of a passenger that an application can use at once, and consents whose code or tokens are kept. @beyond the oldest access token ends as if it had expired, and the oldest consent ends @heldBy tests/api/createToken-refresh.test.ts */
export const CONSENT_LIMITS = { accessTokens: 20, consents: 100 } as const;

/** Unused refresh token, and the previous one after a rotation. @beyond 400 `invalid_grant`; the previous one also revokes all tokens of its consent */
export const REFRESH_TOKEN_LIMITS = { unusedDays: 365, graceSeconds: 30 } as const;

/** How many days a live ride is kept after its end, and for how many hours its map is shown. */
export const KEPT = { rideDays: 1095, mapHours: 24 } as const;

/** The header that requests a failure in a sandbox. */
export const SCENARIO = 'Svc-Sandbox-Scenario';

/** The header value that requests no failure. */
export const NO_SCENARIO = 'none';

/** The response headers that pages on other origins may read. */
export const READABLE_HEADERS = [
  'Deprecation',
  'Link',
  'Location',
  'Request-ID',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'error',
];

/** The server URL in the links of the examples. */
export const EXAMPLE_URL = 'http://localhost:8080';

/** The failures of requests that match no operation: code to status. */
export const FAILURES: Readonly<Record<string, number>> = {
  bad_parameter: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  headers_too_large: 431,
  internal_error: 500,
  temporarily_unavailable: 503,
};

/** Query parameters with a default, by operation. */
interface DefaultedQuery {
  listRides: 'limit';
  listEvents: 'limit';
  listWebhookEvents: 'limit';
}

/** Body fields in which null is a value. */
type NullIsValue = 'phone_number' | 'payment_method' | 'rating';

/** The error codes of an operation. `OPERATIONS[…].failures` has their statuses. */
export type FailureCode<Op extends OperationId = OperationId> = Op extends OperationId
  ? keyof (typeof OPERATIONS)[Op]['failures']
  : never;

/** The error codes in an operation's redirects to an application. */
export type RedirectError = (typeof OPERATIONS)[OperationId]['redirectErrors'][number];

/** The security schemes that an operation accepts; `nobody` if it needs no credentials. */
export type SchemeOf<Op extends OperationId> = Op extends OperationId
  ? (typeof OPERATIONS)[Op]['security'] extends readonly []
    ? 'nobody'
    : (typeof OPERATIONS)[Op]['security'][number]['scheme']
  : never;
export type SecurityScheme = SchemeOf<OperationId>;

export type Tag = (typeof OPERATIONS)[OperationId]['tag'];

/** The statuses that a handler can return. For all other statuses, it throws a refusal. */
export type SuccessStatus<Op extends OperationId> = Extract<
  keyof operations[Op]['responses'],
  200 | 201 | 202 | 204 | 302 | 303
>;

type Nothing = Record<never, never>;
type Given<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>;
type Content<T> = T extends { content: infer Media } ? Media[keyof Media] : undefined;
type Declared<T> = { readonly [Name in keyof T as string extends Name ? never : Name]?: T[Name] };

export type PathParameters<Op extends OperationId> = Given<operations[Op]['parameters']['path']>;

type DeclaredQuery<Op extends OperationId> = Given<operations[Op]['parameters']['query']>;

/** Query parameters as a handler gets them: coerced, and with defaults. */
export type Query<Op extends OperationId> = Op extends keyof DefaultedQuery
  ? DeclaredQuery<Op> & Required<Pick<DeclaredQuery<Op>, DefaultedQuery[Op] & keyof DeclaredQuery<Op>>>
  : DeclaredQuery<Op>;

/** A body as a handler gets it. A null field is omitted, unless null is a value of the field. */
type WithoutNulls<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]: Name extends NullIsValue ? T[Name] : WithoutNulls<Exclude<T[Name], null>> }
    : T;

/** The request body; undefined if the operation declares none or the request omits an optional one. */
export type Body<Op extends OperationId> = WithoutNulls<Content<operations[Op]['requestBody']>>;

export type ResponseBody<Op extends OperationId, Status extends SuccessStatus<Op>> = Content<
  operations[Op]['responses'][Status]
>;

type ResponseHeaders<
  Op extends OperationId,
  Status extends SuccessStatus<Op>,
> = operations[Op]['responses'][Status] extends { headers: infer Headers } ? Declared<Headers> : Nothing;

declare const answered: unique symbol;

/** What a handler returns. Only `reply` can make it, so a handler cannot return anything undeclared. */
export interface Answer<Op extends OperationId = OperationId> {
  readonly [answered]: Op;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Makes a response with a declared status, its declared body, and any of its declared headers. */
export type Reply<Op extends OperationId> = <Status extends SuccessStatus<Op>>(
  status: Status,
  ...rest: [ResponseBody<Op, Status>] extends [undefined]
    ? [body?: undefined, headers?: ResponseHeaders<Op, Status>]
    : [body: ResponseBody<Op, Status>, headers?: ResponseHeaders<Op, Status>]
) => Answer<Op>;

/** A validated request. */
export interface Incoming<Op extends OperationId, Context> {
  readonly params: PathParameters<Op>;
  readonly query: Query<Op>;
  readonly body: Body<Op>;
  readonly context: Context;
}

/** `Contexts` maps each security scheme to what the server knows about the caller. A handler gets those of its schemes. */
export type Handler<Op extends OperationId, Contexts extends Record<SecurityScheme, unknown>> = (
  request: Incoming<Op, Contexts[SchemeOf<Op>]>,
  reply: Reply<Op>,
) => Answer<Op> | Promise<Answer<Op>>;

/** The type of any handler, for the code that mounts them. */
export type AnyHandler<Context = unknown> = (
  request: { params: unknown; query: unknown; body: unknown; context: Context },
  reply: AnyReply,
) => Answer | Promise<Answer>;

export type AnyReply = (status: number, body?: unknown, headers?: Readonly<Record<string, unknown>>) => Answer;

/** The only `reply`. Pass it to every handler. */
export const reply: AnyReply = (status, body, headers = {}) => ({ status, body, headers }) as Answer;

/** The handlers of one tag, which a file of server/http/operations/ implements. */
export type HandlersTagged<T extends Tag, Contexts extends Record<SecurityScheme, unknown>> = Pick<
  Handlers<Contexts>,
  { [Op in OperationId]: (typeof OPERATIONS)[Op]['tag'] extends T ? Op : never }[OperationId]
>;

/** One handler per operation of the contract. A missing handler or an undeclared response does not compile. */
export interface Handlers<Contexts extends Record<SecurityScheme, unknown>> {
  /**
   * Ask a passenger for access.
   *
   * `GET /oauth/authorize`
   * - Authorization: none
   * - Limit: 1000 calls in 60 seconds (bucket oauth.authorize)
   */
  readonly authorizeApplication: Handler<'authorizeApplication', Contexts>;
  /**
   * Create an access token.
   *
   * `POST /oauth/token`
   * - Authorization: clientBasic
   * - Limit: 1000 calls in 60 seconds (bucket oauth.token)
   */
  readonly createToken: Handler<'createToken', Contexts>;
  /**
   * Revoke a token.
   *
   * `POST /oauth/revoke`
   * - Authorization: clientBasic
   * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke_any)
   */
  readonly revokeToken: Handler<'revokeToken', Contexts>;
  /**
   * Revoke a refresh token.
   *
   * `POST /oauth/revoke_refresh_token`
   * - Authorization: clientBasic
   * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke)
   */
  readonly revokeRefreshToken: Handler<'revokeRefreshToken', Contexts>;
  /**
   * List ride types at a place.
   *
   * `GET /v1/ridetypes`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 10000 calls in 60 seconds (bucket ridetypes)
   */
  readonly listRideTypes: Handler<'listRideTypes', Contexts>;
  /**
   * Estimate the time to pickup.
   *
   * `GET /v1/eta`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 10000 calls in 60 seconds (bucket eta)
   */
  readonly estimateEta: Handler<'estimateEta', Contexts>;
  /**
   * Estimate the price of a ride.
   *
   * `GET /v1/cost`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 10000 calls in 60 seconds (bucket cost)
   */
  readonly estimateCost: Handler<'estimateCost', Contexts>;
  /**
   * List nearby drivers.
   *
   * `GET /v1/drivers`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 5 calls in 60 seconds (bucket drivers)
   */
  readonly listDrivers: Handler<'listDrivers', Contexts>;
  /**
   * List nearby drivers with pickup times.
   *
   * `GET /v1/nearby-drivers-pickup-etas`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 10000 calls in 60 seconds (bucket pickup_etas)
   */
  readonly listPickupEtas: Handler<'listPickupEtas', Contexts>;
  /**
   * List past rides.
   *
   * `GET /v1/rides`
   * - Authorization: userToken `rides.read`
   * - Limit: 1000 calls in 60 seconds (bucket rides.history)
   */
  readonly listRides: Handler<'listRides', Contexts>;
  /**
   * Request a ride.
   *
   * `POST /v1/rides`
   * - Authorization: userToken `rides.request`
   * - Limit: 5 calls in 60 seconds (bucket rides.write)
   * - Deprecated: `primetime_confirmation_token`
   */
  readonly requestRide: Handler<'requestRide', Contexts>;
  /**
   * Get a ride.
   *
   * `GET /v1/rides/{ride_id}`
   * - Authorization: userToken `rides.read`
   * - Limit: 1000 calls in 60 seconds (bucket rides.read)
   */
  readonly getRide: Handler<'getRide', Contexts>;
  /**
   * Change the destination.
   *
   * `PUT /v1/rides/{ride_id}/destination`
   * - Authorization: userToken `rides.request`
   * - Limit: 5 calls in 60 seconds (bucket rides.write)
   */
  readonly updateDestination: Handler<'updateDestination', Contexts>;
  /**
   * Rate and tip a ride.
   *
   * `PUT /v1/rides/{ride_id}/rating`
   * - Authorization: userToken `rides.request`
   * - Limit: 5 calls in 60 seconds (bucket rides.write)
   */
  readonly rateRide: Handler<'rateRide', Contexts>;
  /**
   * Get a receipt.
   *
   * `GET /v1/rides/{ride_id}/receipt`
   * - Authorization: userToken `rides.read`
   * - Limit: 1000 calls in 60 seconds (bucket rides.read)
   */
  readonly getReceipt: Handler<'getReceipt', Contexts>;
  /**
   * Cancel a ride.
   *
   * `POST /v1/rides/{ride_id}/cancel`
   * - Authorization: userToken `rides.request`
   * - Limit: 5 calls in 60 seconds (bucket rides.write)
   */
  readonly cancelRide: Handler<'cancelRide', Contexts>;
  /**
   * Get the passenger's profile.
   *
   * `GET /v1/profile`
   * - Authorization: userToken `profile`
   * - Limit: 5 calls in 60 seconds (bucket profile)
   */
  readonly getProfile: Handler<'getProfile', Contexts>;
  /**
   * Set a ride's status.
   *
   * `PUT /sandbox/v1/rides/{ride_id}`
   * - Authorization: userToken `rides.request`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setRideStatus: Handler<'setRideStatus', Contexts>;
  /**
   * Set Prime Time.
   *
   * `PUT /sandbox/v1/primetime`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setPrimeTime: Handler<'setPrimeTime', Contexts>;
  /**
   * Set the available ride types.
   *
   * `PUT /sandbox/v1/ridetypes`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setRideTypes: Handler<'setRideTypes', Contexts>;
  /**
   * Set driver availability.
   *
   * `PUT /sandbox/v1/ridetypes/{ride_type}`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setDriverAvailability: Handler<'setDriverAvailability', Contexts>;
  /**
   * Create a world.
   *
   * `POST /sandbox/v1/worlds`
   * - Authorization: clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly createWorld: Handler<'createWorld', Contexts>;
  /**
   * Get the world.
   *
   * `GET /sandbox/v1/world`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly getWorld: Handler<'getWorld', Contexts>;
  /**
   * Delete the world.
   *
   * `DELETE /sandbox/v1/world`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly deleteWorld: Handler<'deleteWorld', Contexts>;
  /**
   * Update the world.
   *
   * `PATCH /sandbox/v1/world`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly updateWorld: Handler<'updateWorld', Contexts>;
  /**
   * Reset the world.
   *
   * `POST /sandbox/v1/world/reset`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly resetWorld: Handler<'resetWorld', Contexts>;
  /**
   * Create a passenger.
   *
   * `POST /sandbox/v1/passengers`
   * - Authorization: clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly createPassenger: Handler<'createPassenger', Contexts>;
  /**
   * Update the passenger.
   *
   * `PATCH /sandbox/v1/passenger`
   * - Authorization: userToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly updatePassenger: Handler<'updatePassenger', Contexts>;
  /**
   * Get the clock.
   *
   * `GET /sandbox/v1/clock`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly getClock: Handler<'getClock', Contexts>;
  /**
   * Freeze or run the clock.
   *
   * `PUT /sandbox/v1/clock`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setClock: Handler<'setClock', Contexts>;
  /**
   * Advance the clock.
   *
   * `POST /sandbox/v1/clock/advance`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly advanceClock: Handler<'advanceClock', Contexts>;
  /**
   * Set the webhook URL and faults.
   *
   * `PUT /sandbox/v1/webhooks`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly setWebhooks: Handler<'setWebhooks', Contexts>;
  /**
   * List events.
   *
   * `GET /sandbox/v1/events`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly listEvents: Handler<'listEvents', Contexts>;
  /**
   * Resend an event.
   *
   * `POST /sandbox/v1/events/{event_id}/resend`
   * - Authorization: userToken `public`, or clientToken `public`
   * - Limit: 1000 calls in 60 seconds (bucket sandbox)
   */
  readonly resendEvent: Handler<'resendEvent', Contexts>;
  /**
   * List webhook events.
   *
   * `GET /v1/events`
   * - Authorization: clientToken `events`
   * - Limit: 1000 calls in 60 seconds (bucket events)
   */
  readonly listWebhookEvents: Handler<'listWebhookEvents', Contexts>;
  /**
   * Get a webhook event.
   *
   * `GET /v1/events/{event_id}`
   * - Authorization: clientToken `events`
   * - Limit: 1000 calls in 60 seconds (bucket events)
   */
  readonly getWebhookEvent: Handler<'getWebhookEvent', Contexts>;
  /**
   * Resend a webhook event.
   *
   * `POST /v1/events/{event_id}/resend`
   * - Authorization: clientToken `events`
   * - Limit: 1000 calls in 60 seconds (bucket events)
   */
  readonly resendWebhookEvent: Handler<'resendWebhookEvent', Contexts>;
  /**
   * Get the resend of a range.
   *
   * `GET /v1/events/resend`
   * - Authorization: clientToken `events`
   * - Limit: 1000 calls in 60 seconds (bucket events)
   */
  readonly getResend: Handler<'getResend', Contexts>;
  /**
   * Resend a range of webhook events.
   *
   * `POST /v1/events/resend`
   * - Authorization: clientToken `events`
   * - Limit: 10 calls in 60 seconds (bucket resends)
   */
  readonly resendWebhookEvents: Handler<'resendWebhookEvents', Contexts>;
  /**
   * Cancel the resend of a range.
   *
   * `DELETE /v1/events/resend`
   * - Authorization: clientToken `events`
   * - Limit: 1000 calls in 60 seconds (bucket events)
   */
  readonly cancelResend: Handler<'cancelResend', Contexts>;
}
