// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { OperationId } from './server.ts';

/** The body of all failures. */
export interface FailureBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_detail: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly documentation_url: string;
  readonly [field: string]: unknown;
}

const authorize_invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'There is no application with this client_id.',
  error_detail: [{ client_id: 'is not known' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_request',
};
const authorize_unsupported_response_type: FailureBody = {
  error: 'unsupported_response_type',
  error_description: 'The parameter response_type must be one of code.',
  error_detail: [{ response_type: 'must be one of code' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/unsupported_response_type',
};
const authorize_invalid_scope: FailureBody = {
  error: 'invalid_scope',
  error_description:
    'The scope unknown cannot be granted: there is no scope with this name. Available scopes: public, rides.read, rides.request, profile, offline.',
  error_detail: [{ scope: 'unknown cannot be granted; available: public rides.read rides.request profile offline' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_scope',
};
const rate_limit_exceeded: FailureBody = {
  error: 'rate_limit_exceeded',
  error_description: 'Too many requests. Try again in 42 seconds.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/rate_limit_exceeded',
};
const internal_error: FailureBody = {
  error: 'internal_error',
  error_description: 'Something failed on our side. Include the request ID when you report it.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/internal_error',
};
const temporarily_unavailable: FailureBody = {
  error: 'temporarily_unavailable',
  error_description: 'The server cannot respond at the moment. Try again shortly.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/temporarily_unavailable',
};
const invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'The parameter grant_type is required.',
  error_detail: [{ grant_type: 'is required' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_request',
};
const unsupported_grant_type: FailureBody = {
  error: 'unsupported_grant_type',
  error_description: 'The grant_type must be one of client_credentials, authorization_code, refresh_token.',
  error_detail: [{ grant_type: 'is not supported' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/unsupported_grant_type',
};
const invalid_grant: FailureBody = {
  error: 'invalid_grant',
  error_description: 'The code is unknown, expired or already used.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_grant',
};
const invalid_scope: FailureBody = {
  error: 'invalid_scope',
  error_description:
    'The scope rides.read cannot be granted: it requires the consent of a passenger, and a client token has none. Available scopes: public.',
  error_detail: [{ scope: 'rides.read cannot be granted; available: public' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_scope',
};
const invalid_client: FailureBody = {
  error: 'invalid_client',
  error_description: 'The client credentials are wrong.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_client',
};
const payload_too_large: FailureBody = {
  error: 'payload_too_large',
  error_description: 'The body is larger than 65536 bytes.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/payload_too_large',
};
const revoke_invalid_request: FailureBody = {
  error: 'invalid_request',
  error_description: 'The parameter token is required.',
  error_detail: [{ token: 'is required' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_request',
};
const no_place: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter lat is required. Another parameter is also wrong.',
  error_detail: [{ lat: 'is required' }, { lng: 'is required' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const no_service_in_area: FailureBody = {
  error: 'no_service_in_area',
  error_description: 'There is no service at the pickup.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/no_service_in_area',
};
const ridetype_unavailable_in_region: FailureBody = {
  error: 'ridetype_unavailable_in_region',
  error_description: 'This ride type is not available at the pickup.',
  error_detail: [{ ride_type: 'is not available here' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ridetype_unavailable_in_region',
};
const invalid_token: FailureBody = {
  error: 'invalid_token',
  error_description: 'The access token is missing or not valid.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_token',
};
const insufficient_scope: FailureBody = {
  error: 'insufficient_scope',
  error_description: 'This operation requires a token with the scope rides.request.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/insufficient_scope',
};
const unknown_parameter: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter page is unknown.',
  error_detail: [{ page: 'is not a parameter of this operation' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const bad_origin: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter origin.lng is required.',
  error_detail: [{ 'origin.lng': 'is required' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const primetime_confirmation_required: FailureBody = {
  error: 'primetime_confirmation_required',
  error_description:
    'Prime Time adds 25% to the fare. If the passenger agrees, repeat the request with the cost_token.',
  error_detail: [],
  primetime_percentage: '25%',
  primetime_multiplier: 1.25,
  cost_token:
    'eyJhbGciOiJIUzI1NiJ9.eyJyaWRlX3R5cGUiOiJzdmMiLCJmYXJlIjoxNTQzfQ.3vK9sXq2mT7wZ1bN4cR8yL0pJ6hG5dFaQeUiOoYxVtE',
  primetime_confirmation_token:
    'eyJhbGciOiJIUzI1NiJ9.eyJyaWRlX3R5cGUiOiJzdmMiLCJmYXJlIjoxNTQzfQ.3vK9sXq2mT7wZ1bN4cR8yL0pJ6hG5dFaQeUiOoYxVtE',
  token_duration: '60',
  documentation_url: 'http://localhost:8080/docs#tag/Errors/primetime_confirmation_required',
};
const invalid_primetime_confirmation: FailureBody = {
  error: 'invalid_primetime_confirmation',
  error_description: 'This price has expired. Request a new one.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_primetime_confirmation',
};
const destination_prohibited: FailureBody = {
  error: 'destination_prohibited',
  error_description: 'Drop-offs are not allowed here. Please choose another place nearby.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/destination_prohibited',
};
const client_error: FailureBody = {
  error: 'client_error',
  error_description: 'Pickup and drop-off are the same place.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/client_error',
};
const user_payment_required: FailureBody = {
  error: 'user_payment_required',
  error_description: 'The passenger has no valid payment method.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/payment',
  documentation_url: 'http://localhost:8080/docs#tag/Errors/user_payment_required',
};
const account_disabled: FailureBody = {
  error: 'account_disabled',
  error_description: "The passenger's account is suspended.",
  error_detail: [],
  error_uri: 'http://localhost:8080/account/suspended',
  documentation_url: 'http://localhost:8080/docs#tag/Errors/account_disabled',
};
const user_in_driver_mode: FailureBody = {
  error: 'user_in_driver_mode',
  error_description: 'The passenger is signed in as a driver.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/driver-mode',
  documentation_url: 'http://localhost:8080/docs#tag/Errors/user_in_driver_mode',
};
const verified_phone_required: FailureBody = {
  error: 'verified_phone_required',
  error_description: 'The passenger has no verified phone number.',
  error_detail: [],
  error_uri: 'http://localhost:8080/account/phone',
  documentation_url: 'http://localhost:8080/docs#tag/Errors/verified_phone_required',
};
const no_drivers_available: FailureBody = {
  error: 'no_drivers_available',
  error_description: 'No driver is free nearby. Try again shortly.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/no_drivers_available',
};
const user_already_in_ride: FailureBody = {
  error: 'user_already_in_ride',
  error_description: 'The passenger is already in a ride.',
  error_detail: [{ ride_id: '01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/user_already_in_ride',
};
const too_many_rides: FailureBody = {
  error: 'too_many_rides',
  error_description:
    'Your application’s sandboxes have reached their limit of 100,000 rides. Reset or delete one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/too_many_rides',
};
const too_many_events: FailureBody = {
  error: 'too_many_events',
  error_description:
    'Your application’s sandboxes have reached their limit of 500,000 events. Reset or delete one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/too_many_events',
};
const too_many_bytes: FailureBody = {
  error: 'too_many_bytes',
  error_description:
    'Your application’s sandboxes have reached their limit of 1,000,000,000 bytes. Reset or delete one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/too_many_bytes',
};
const unsupported_media_type: FailureBody = {
  error: 'unsupported_media_type',
  error_description: 'The Content-Type is not supported. Send the body as application/json, in UTF-8.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/unsupported_media_type',
};
const ride_does_not_belong_to_user: FailureBody = {
  error: 'ride_does_not_belong_to_user',
  error_description: 'This ride belongs to another passenger.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ride_does_not_belong_to_user',
};
const ride_not_found: FailureBody = {
  error: 'ride_not_found',
  error_description: 'There is no such ride.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ride_not_found',
};
const bad_longitude: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter lng must be between -180 and 180; got -181.',
  error_detail: [{ lng: 'must be between -180 and 180; got -181' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const invalid_destination: FailureBody = {
  error: 'invalid_destination',
  error_description: 'Rides cannot be redirected to this place.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_destination',
};
const ride_is_lyft_line: FailureBody = {
  error: 'ride_is_lyft_line',
  error_description: 'The destination of a shared ride cannot be changed.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ride_is_lyft_line',
};
const ride_is_finished: FailureBody = {
  error: 'ride_is_finished',
  error_description: 'This ride is over.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ride_is_finished',
};
const bad_rating: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter rating must be between 1 and 5; got 6.',
  error_detail: [{ rating: 'must be between 1 and 5; got 6' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const user_cannot_rate_this_ride: FailureBody = {
  error: 'user_cannot_rate_this_ride',
  error_description: 'This ride cannot be rated. It has already been rated.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/user_cannot_rate_this_ride',
};
const tip_too_large: FailureBody = {
  error: 'tip_too_large',
  error_description: 'The tip for this ride must be at most 5000.',
  error_detail: [{ 'tip.amount': 'must be at most 5000' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/tip_too_large',
};
const tip_currency_not_accepted: FailureBody = {
  error: 'tip_currency_not_accepted',
  error_description: 'The tip for this ride must be in USD.',
  error_detail: [{ 'tip.currency': 'must be USD' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/tip_currency_not_accepted',
};
const ride_not_finished: FailureBody = {
  error: 'ride_not_finished',
  error_description: 'A ride can be rated only after the drop-off.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/ride_not_finished',
};
const receipt_not_available: FailureBody = {
  error: 'receipt_not_available',
  error_description: 'This ride has no receipt yet.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/receipt_not_available',
};
const bad_cancel_token: FailureBody = {
  error: 'bad_parameter',
  error_description: 'The parameter cancel_confirmation_token must be a string or null.',
  error_detail: [{ cancel_confirmation_token: 'must be a string or null' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const cancel_confirmation_required: FailureBody = {
  error: 'cancel_confirmation_required',
  error_description: 'Canceling now costs a fee. If the passenger agrees, repeat the request with the token.',
  error_detail: [],
  amount: 500,
  currency: 'USD',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJhbW91bnQiOjUwMH0.8hT2pLq7WmX4vC9bZ1nR6sK3yJ5dG0fUaEiOoQtYxVw',
  token_duration: 60,
  documentation_url: 'http://localhost:8080/docs#tag/Errors/cancel_confirmation_required',
};
const invalid_cancel_confirmation: FailureBody = {
  error: 'invalid_cancel_confirmation',
  error_description: 'This confirmation has expired. Cancel again without it to get the current fee.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/invalid_cancel_confirmation',
};
const illegal_move: FailureBody = {
  error: 'bad_parameter',
  error_description: 'A ride that is pickedUp cannot become arrived.',
  error_detail: [{ status: 'must be one of: droppedOff, canceled, unknown' }],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/bad_parameter',
};
const sandbox_only: FailureBody = {
  error: 'sandbox_only',
  error_description: 'This operation works only in a sandbox. Use a token from the sandbox secret.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/sandbox_only',
};
const too_many_worlds: FailureBody = {
  error: 'too_many_worlds',
  error_description: 'Your application has reached its limit of 1,000 additional worlds. Delete one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/too_many_worlds',
};
const world_is_default: FailureBody = {
  error: 'world_is_default',
  error_description: 'The default sandbox of an application cannot be deleted. Reset it instead.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/world_is_default',
};
const too_many_passengers: FailureBody = {
  error: 'too_many_passengers',
  error_description:
    'Your application’s sandboxes have reached their limit of 100,000 passengers. Reset or delete one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/too_many_passengers',
};
const event_not_found: FailureBody = {
  error: 'event_not_found',
  error_description: 'There is no event with this ID.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/event_not_found',
};
const no_webhook_url: FailureBody = {
  error: 'no_webhook_url',
  error_description: 'There is no webhook URL to send events to. Set one first.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/no_webhook_url',
};
const resend_not_found: FailureBody = {
  error: 'resend_not_found',
  error_description: 'Your application has not sent a range of events again in this world.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/resend_not_found',
};
const resend_running: FailureBody = {
  error: 'resend_running',
  error_description: 'Your application is already sending a range of events again. Wait for it, or cancel it.',
  error_detail: [],
  documentation_url: 'http://localhost:8080/docs#tag/Errors/resend_running',
};

/** The contract's example body of each failure, by code. An expired token has no body. */
export const FAILURE_BODIES: Readonly<Record<OperationId, Readonly<Record<string, FailureBody>>>> = {
  authorizeApplication: {
    invalid_request: authorize_invalid_request,
    unsupported_response_type: authorize_unsupported_response_type,
    invalid_scope: authorize_invalid_scope,
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
    bad_parameter: no_place,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  estimateEta: {
    bad_parameter: no_place,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  estimateCost: {
    bad_parameter: no_place,
    no_service_in_area,
    ridetype_unavailable_in_region,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listDrivers: {
    bad_parameter: no_place,
    no_service_in_area,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listPickupEtas: {
    bad_parameter: no_place,
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
    too_many_rides,
    too_many_events,
    too_many_bytes,
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
    bad_parameter: no_place,
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
    bad_parameter: no_place,
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
    bad_parameter: no_place,
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
    too_many_bytes,
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
    too_many_passengers,
    too_many_bytes,
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
    too_many_bytes,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  listWebhookEvents: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getWebhookEvent: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    event_not_found,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  resendWebhookEvent: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    event_not_found,
    no_webhook_url,
    too_many_bytes,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  getResend: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    resend_not_found,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  resendWebhookEvents: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    no_webhook_url,
    resend_running,
    too_many_bytes,
    payload_too_large,
    unsupported_media_type,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
  cancelResend: {
    bad_parameter: unknown_parameter,
    invalid_token,
    insufficient_scope,
    resend_not_found,
    rate_limit_exceeded,
    internal_error,
    temporarily_unavailable,
  },
};
