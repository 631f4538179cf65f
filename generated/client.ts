// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { Client, FetchOptions } from 'openapi-fetch';
import type { paths } from './types.ts';

/** The operations that a person opens in a browser: where they are. */
export const PAGES = {
  authorizeApplication: '/oauth/authorize',
} as const;

/** The methods that `bindOperations` gives, one per operation that is no page. */
export type Operations = ReturnType<typeof bindOperations>;

/**
 * One method per operation, each typed and documented from the contract. A call resolves to `{ data, error, response }`:
 * `data` when it succeeded, otherwise `error`, the failure body. It rejects only when no answer came.
 */
export function bindOperations(client: Client<paths>) {
  return {
    /**
     * Create an access token.
     *
     * Trades credentials for an access token, by one of three grants.
     *
     * `POST /oauth/token`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.token)
     */
    createToken: (init: FetchOptions<paths['/oauth/token']['post']>) => client.POST('/oauth/token', init),
    /**
     * Revoke a refresh token.
     *
     * Ends a refresh token, and with it every access token that came from it. Use the secret that got it: the other one ends nothing. A
     * token that is unknown or has already been revoked is answered in the same way (RFC 7009), so that a retry is harmless.
     *
     * `POST /oauth/revoke_refresh_token`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke)
     */
    revokeRefreshToken: (init: FetchOptions<paths['/oauth/revoke_refresh_token']['post']>) =>
      client.POST('/oauth/revoke_refresh_token', init),
    /**
     * List the ride types at a place.
     *
     * What can be requested at a place, with its price list. Ask here before you show a choice: ride types differ from
     * city to city, and some are offered in one part of a city only. A ride type that the city offers, but not at this
     * point, gives an empty list; one that the city does not have is refused.
     *
     * `GET /v1/ridetypes`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket ridetypes)
     */
    listRideTypes: (init: FetchOptions<paths['/v1/ridetypes']['get']>) => client.GET('/v1/ridetypes', init),
    /**
     * Estimate how soon a driver can be there.
     *
     * The time until the nearest free driver of each ride type could reach the pickup. Read `is_valid_estimate` first:
     *
     * `GET /v1/eta`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket eta)
     */
    estimateEta: (init: FetchOptions<paths['/v1/eta']['get']>) => client.GET('/v1/eta', init),
    /**
     * Estimate what a ride costs.
     *
     * A price range for each ride type between two places, and the Prime Time in force. It is a range, not a promise;
     * the promise is the `cost_token`. With a user token each estimate carries one: it is good for one minute, confirms Prime Time,
     * and fixes the price of the ride that you request with it. With a client token no surcharge is shown and `cost_token` is null.
     *
     * `GET /v1/cost`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket cost)
     */
    estimateCost: (init: FetchOptions<paths['/v1/cost']['get']>) => client.GET('/v1/cost', init),
    /**
     * List drivers nearby.
     *
     * A sample of the free drivers around a place, by ride type, each with the latest positions of the car, oldest first:
     * enough to draw cars on a map that move the right way. Drivers here are anonymous.
     *
     * `GET /v1/drivers`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 5 calls in 60 seconds (bucket drivers)
     */
    listDrivers: (init: FetchOptions<paths['/v1/drivers']['get']>) => client.GET('/v1/drivers', init),
    /**
     * List drivers nearby with their pickup times.
     *
     * For each ride type the likely time to pickup as a range, the clock time that it means at the place, and the cars
     * behind it. Durations and ranges are in milliseconds, `timestamp_ms` counts from 1970 in UTC, and `timezone` is the
     * one to show it in. A ride type without a free driver nearby is left out, and so is every one to a destination more than 100 miles
     * away. So an empty list means that the ride type asked for is not to be had at this point; one that the city does not have is refused.
     *
     * `GET /v1/nearby-drivers-pickup-etas`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket pickup_etas)
     */
    listPickupEtas: (init: FetchOptions<paths['/v1/nearby-drivers-pickup-etas']['get']>) =>
      client.GET('/v1/nearby-drivers-pickup-etas', init),
    /**
     * List past rides.
     *
     * The passenger's finished rides (`droppedOff`, `canceled` and `unknown`) that were requested between two instants, newest first.
     * Both ends are exclusive. To page, ask again with `end_time` set to the `requested_at` of the last ride that you got.
     *
     * `GET /v1/rides`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.history)
     */
    listRides: (init: FetchOptions<paths['/v1/rides']['get']>) => client.GET('/v1/rides', init),
    /**
     * Request a ride.
     *
     * Requests a ride for the passenger; the payment method that the passenger has stored will be charged. A passenger has one
     * ride at a time.
     *
     * `POST /v1/rides`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     * - Deprecated: `primetime_confirmation_token`
     */
    requestRide: (init: FetchOptions<paths['/v1/rides']['post']>) => client.POST('/v1/rides', init),
    /**
     * Get a ride.
     *
     * The ride as it is now. Fields appear as it progresses: see the variant of each `status`. To show the car on a map,
     * read this about once every 60 seconds; every other change reaches you by webhook. `location` is there from `accepted`
     * until the drop-off, and not after.
     *
     * `GET /v1/rides/{ride_id}`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.read)
     */
    getRide: (init: FetchOptions<paths['/v1/rides/{ride_id}']['get']>) => client.GET('/v1/rides/{ride_id}', init),
    /**
     * Change the destination.
     *
     * Sends an active ride somewhere else, or somewhere at all if it was requested without a destination. Prime Time stays as
     * it was agreed; the price is made anew from the way driven. The destination of a shared ride cannot be changed.
     *
     * `PUT /v1/rides/{ride_id}/destination`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    updateDestination: (init: FetchOptions<paths['/v1/rides/{ride_id}/destination']['put']>) =>
      client.PUT('/v1/rides/{ride_id}/destination', init),
    /**
     * Rate and tip a ride.
     *
     * Rates a ride that has ended, with a tip and a word if the passenger likes. This starts the payment: some seconds
     * later the receipt is there and `ride.receipt.ready` is sent.
     *
     * `PUT /v1/rides/{ride_id}/rating`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    rateRide: (init: FetchOptions<paths['/v1/rides/{ride_id}/rating']['put']>) =>
      client.PUT('/v1/rides/{ride_id}/rating', init),
    /**
     * Get the receipt.
     *
     * What the ride cost and how it was paid. Until the ride has been rated and its payment processed the answer is 404
     * `receipt_not_available`; wait for the `ride.receipt.ready` webhook. A ride that was canceled for a fee has a receipt
     * too, one that was canceled free has none.
     *
     * `GET /v1/rides/{ride_id}/receipt`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.read)
     */
    getReceipt: (init: FetchOptions<paths['/v1/rides/{ride_id}/receipt']['get']>) =>
      client.GET('/v1/rides/{ride_id}/receipt', init),
    /**
     * Cancel a ride.
     *
     * Cancels an active ride. Before a driver has accepted, and for a short while after (two minutes unless the city says
     * otherwise), this is free. Later it costs the ride type's `cancel_penalty_amount`, and from pickup on, even within that
     * short while, the fare so far if that is more. The first call is then refused with 400 `cancel_confirmation_required`, which names the fee and carries a `token`. Show the fee; if the passenger agrees,
     * call again with `cancel_confirmation_token` set to that token within `token_duration` seconds.
     *
     * `POST /v1/rides/{ride_id}/cancel`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    cancelRide: (init: FetchOptions<paths['/v1/rides/{ride_id}/cancel']['post']>) =>
      client.POST('/v1/rides/{ride_id}/cancel', init),
    /**
     * Get the passenger's profile.
     *
     * Who granted access. More fields may be added in time.
     *
     * `GET /v1/profile`
     * - Authorization: userToken `profile`
     * - Limit: 5 calls in 60 seconds (bucket profile)
     */
    getProfile: (init?: FetchOptions<paths['/v1/profile']['get']>) => client.GET('/v1/profile', init),
  };
}
