// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { OperationId } from './server.ts';

/** The one body of failures. */
export interface FailureBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_detail: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly [field: string]: unknown;
}

const authorize_invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'No application with this client_id is known here.',
  error_detail: [{ client_id: 'is not known' }],
};
const rate_limit_exceeded: FailureBody = {
  error: 'rate_limit_exceeded',
  error_description: 'Too many calls; try again in 42 seconds.',
  error_detail: [],
};
const internal_error: FailureBody = {
  error: 'internal_error',
  error_description: 'Something failed on our side. Quote the request id when you ask about it.',
  error_detail: [],
};
const temporarily_unavailable: FailureBody = {
  error: 'temporarily_unavailable',
  error_description: 'We cannot answer at the moment; try again shortly.',
  error_detail: [],
};
const invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'The parameter grant_type is required.',
  error_detail: [{ grant_type: 'is required' }],
};
const unsupported_grant_type: FailureBody = {
  error: 'unsupported_grant_type',
  error_description: 'grant_type must be client_credentials, authorization_code or refresh_token.',
  error_detail: [{ grant_type: 'is not supported' }],
};
const invalid_grant: FailureBody = {
  error: 'invalid_grant',
  error_description: 'The code is unknown, expired or has been used.',
  error_detail: [],
};
const invalid_scope: FailureBody = {
  error: 'invalid_scope',
  error_description:
    'The scope rides.read cannot be given: it needs the consent of a passenger, and a client token has none. What can be given: public.',
  error_detail: [{ scope: 'rides.read cannot be given; public can' }],
};
const invalid_client: FailureBody = {
  error: 'invalid_client',
  error_description: 'The client credentials are wrong.',
  error_detail: [],
};
const payload_too_large: FailureBody = {
  error: 'payload_too_large',
  error_description: 'The body is larger than 65536 bytes.',
  error_detail: [],
};
const revoke_invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'The parameter token is required.',
  error_detail: [{ token: 'is required' }],
};
const bad_latitude: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter lat must be at most 90.',
  error_detail: [{ lat: 'must be at most 90' }],
};
const no_service_in_area: FailureBody = {
  error: 'no_service_in_area',
  error_description: 'There is no service at this pickup.',
  error_detail: [],
};
const ridetype_unavailable_in_region: FailureBody = {
  error: 'ridetype_unavailable_in_region',
  error_description: 'svc_luxsuv is not offered at this pickup.',
  error_detail: [{ ride_type: 'is not offered here' }],
};
const invalid_token: FailureBody = {
  error: 'invalid_token',
  error_description: 'The access token is missing or not valid.',
  error_detail: [],
};
const insufficient_scope: FailureBody = {
  error: 'insufficient_scope',
  error_description: 'This operation needs the scope rides.request.',
  error_detail: [],
};
const unknown_parameter: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter page is not known here.',
  error_detail: [{ page: 'is not a parameter of this operation' }],
};
const bad_origin: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter origin.lng is required.',
  error_detail: [{ 'origin.lng': 'is required' }],
};
const primetime_confirmation_required: FailureBody = {
  error: 'primetime_confirmation_required',
  error_description:
    'Prime Time is in force. Repeat the request with cost_token once the passenger agrees to 25% more.',
  error_detail: [],
  primetime_percentage: '25%',
  primetime_multiplier: 1.25,
  cost_token:
    'eyJhbGciOiJIUzI1NiJ9.eyJyaWRlX3R5cGUiOiJzdmMiLCJmYXJlIjoxNTQzfQ.3vK9sXq2mT7wZ1bN4cR8yL0pJ6hG5dFaQeUiOoYxVtE',
  primetime_confirmation_token:
    'eyJhbGciOiJIUzI1NiJ9.eyJyaWRlX3R5cGUiOiJzdmMiLCJmYXJlIjoxNTQzfQ.3vK9sXq2mT7wZ1bN4cR8yL0pJ6hG5dFaQeUiOoYxVtE',
  token_duration: '60',
};
const invalid_primetime_confirmation: FailureBody = {
  error: 'invalid_primetime_confirmation',
  error_description: 'This price has expired; ask for a new one.',
  error_detail: [],
};
const destination_prohibited: FailureBody = {
  error: 'destination_prohibited',
  error_description: 'Drop-offs are not allowed here. Please choose another place nearby.',
  error_detail: [],
};
const client_error: FailureBody = {
  error: 'client_error',
  error_description: 'Pickup and drop-off are the same place.',
  error_detail: [],
};
const user_payment_required: FailureBody = {
  error: 'user_payment_required',
  error_description: 'The passenger has no valid payment method.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/payment',
};
const account_disabled: FailureBody = {
  error: 'account_disabled',
  error_description: "The passenger's account is suspended.",
  error_detail: [],
  error_uri: 'http://localhost:8080/account/suspended',
};
const user_in_driver_mode: FailureBody = {
  error: 'user_in_driver_mode',
  error_description: 'The passenger is signed in as a driver.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/driver-mode',
};
const verified_phone_required: FailureBody = {
  error: 'verified_phone_required',
  error_description: 'The passenger has no verified phone number.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/phone',
};
const no_drivers_available: FailureBody = {
  error: 'no_drivers_available',
  error_description: 'No driver is free nearby at the moment.',
  error_detail: [],
};
const user_already_in_ride: FailureBody = {
  error: 'user_already_in_ride',
  error_description: 'The passenger is already in a ride.',
  error_detail: [{ ride_id: '01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75' }],
};
const unsupported_media_type: FailureBody = {
  error: 'unsupported_media_type',
  error_description: 'The Content-Type is not understood; send the body as application/json, in UTF-8.',
  error_detail: [],
};
const ride_does_not_belong_to_user: FailureBody = {
  error: 'ride_does_not_belong_to_user',
  error_description: 'This ride belongs to another passenger.',
  error_detail: [],
};
const ride_not_found: FailureBody = {
  error: 'ride_not_found',
  error_description: 'There is no such ride.',
  error_detail: [],
};
const bad_longitude: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter lng must be at least -180.',
  error_detail: [{ lng: 'must be at least -180' }],
};
const invalid_destination: FailureBody = {
  error: 'invalid_destination',
  error_description: 'Rides cannot be redirected to this place.',
  error_detail: [],
};
const ride_is_lyft_line: FailureBody = {
  error: 'ride_is_lyft_line',
  error_description: 'The destination of a shared ride cannot be changed.',
  error_detail: [],
};
const ride_is_finished: FailureBody = {
  error: 'ride_is_finished',
  error_description: 'This ride is over.',
  error_detail: [],
};
const bad_rating: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter rating must be at most 5.',
  error_detail: [{ rating: 'must be at most 5' }],
};
const user_cannot_rate_this_ride: FailureBody = {
  error: 'user_cannot_rate_this_ride',
  error_description: 'This ride has already been rated.',
  error_detail: [],
};
const tip_too_large: FailureBody = {
  error: 'tip_too_large',
  error_description: 'A tip on this ride may be at most 5000.',
  error_detail: [{ 'tip.amount': 'must be at most 5000' }],
};
const tip_currency_not_accepted: FailureBody = {
  error: 'tip_currency_not_accepted',
  error_description: 'A tip on this ride must be in USD.',
  error_detail: [{ 'tip.currency': 'must be USD' }],
};
const ride_not_finished: FailureBody = {
  error: 'ride_not_finished',
  error_description: 'A ride can be rated once the passenger has been dropped off.',
  error_detail: [],
};
const receipt_not_available: FailureBody = {
  error: 'receipt_not_available',
  error_description: 'This ride has no receipt yet.',
  error_detail: [],
};
const bad_cancel_token: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter cancel_confirmation_token must be a string or null.',
  error_detail: [{ cancel_confirmation_token: 'must be a string or null' }],
};
const cancel_confirmation_required: FailureBody = {
  error: 'cancel_confirmation_required',
  error_description: 'Canceling now costs a fee. Repeat the call with the token once the passenger agrees.',
  error_detail: [],
  amount: 500,
  currency: 'USD',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJhbW91bnQiOjUwMH0.8hT2pLq7WmX4vC9bZ1nR6sK3yJ5dG0fUaEiOoQtYxVw',
  token_duration: 60,
};
const invalid_cancel_confirmation: FailureBody = {
  error: 'invalid_cancel_confirmation',
  error_description: 'This confirmation has expired; ask for a new one.',
  error_detail: [],
};
const illegal_move: FailureBody = {
  error: 'bad_parameter',
  error_description: 'A ride that is pickedUp cannot become arrived.',
  error_detail: [{ status: 'must be one of: droppedOff, canceled, unknown' }],
};
const sandbox_only: FailureBody = {
  error: 'sandbox_only',
  error_description: 'The live world cannot be controlled. Use a token that was got with the sandbox secret.',
  error_detail: [],
};
const too_many_worlds: FailureBody = {
  error: 'too_many_worlds',
  error_description: 'Your application has 1,000 worlds beside its first one. Delete one of them.',
  error_detail: [],
};
const world_is_default: FailureBody = {
  error: 'world_is_default',
  error_description: 'This world stays as long as its application. It can be reset.',
  error_detail: [],
};
const event_not_found: FailureBody = {
  error: 'event_not_found',
  error_description: 'There is no event of this id here.',
  error_detail: [],
};

/** The body that the contract shows of each failure, by code. An expired token has none. */
export const FAILURE_BODIES: Readonly<Record<OperationId, Readonly<Record<string, FailureBody>>>> = {
  authorizeApplication: {
    invalid_request: authorize_invalid_request,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  createToken: {
    invalid_request,
    unsupported_grant_type,
    invalid_grant,
    invalid_scope,
    invalid_client,
    payload_too_large,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  revokeToken: {
    invalid_request: revoke_invalid_request,
    invalid_client,
    payload_too_large,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  revokeRefreshToken: {
    invalid_request: revoke_invalid_request,
    invalid_client,
    payload_too_large,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listRideTypes: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  estimateEta: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  estimateCost: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listDrivers: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listPickupEtas: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listRides: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  requestRide: {
    bad_parameter: bad_origin,
    no_service_in_area,
    ridetype_unavailable_in_region,
    primetime_confirmation_required,
    invalid_primetime_confirmation,
    destination_prohibited,
    client_error,
    invalid_token,
    insufficient_scope,
    user_payment_required,
    account_disabled,
    user_in_driver_mode,
    verified_phone_required,
    no_drivers_available,
    user_already_in_ride,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getRide: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    ride_does_not_belong_to_user,
    ride_not_found,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  updateDestination: {
    bad_parameter: bad_longitude,
    invalid_destination,
    destination_prohibited,
    ride_is_lyft_line,
    ride_is_finished,
    invalid_token,
    insufficient_scope,
    ride_does_not_belong_to_user,
    ride_not_found,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  rateRide: {
    bad_parameter: bad_rating,
    user_cannot_rate_this_ride,
    tip_too_large,
    tip_currency_not_accepted,
    invalid_token,
    insufficient_scope,
    ride_does_not_belong_to_user,
    ride_not_found,
    ride_not_finished,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getReceipt: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    ride_does_not_belong_to_user,
    ride_not_found,
    receipt_not_available,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  cancelRide: {
    bad_parameter: bad_cancel_token,
    cancel_confirmation_required,
    invalid_cancel_confirmation,
    invalid_token,
    insufficient_scope,
    ride_does_not_belong_to_user,
    ride_not_found,
    ride_is_finished,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getProfile: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setRideStatus: {
    bad_parameter: illegal_move,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    ride_does_not_belong_to_user,
    ride_not_found,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setPrimeTime: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setRideTypes: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setDriverAvailability: {
    bad_parameter: bad_latitude,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  createWorld: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    too_many_worlds,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getWorld: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  deleteWorld: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    world_is_default,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  updateWorld: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  resetWorld: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  createPassenger: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  updatePassenger: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getClock: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setClock: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  advanceClock: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  setWebhooks: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listEvents: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  resendEvent: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    sandbox_only,
    event_not_found,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
};
