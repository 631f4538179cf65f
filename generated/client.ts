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
     * Revoke a token.
     *
     * Ends a token of your application at once (RFC 7009): a client token, a user token or a refresh token. An access token ends
     * alone. A refresh token ends with every access token that came from it. Use the secret that got it: the other one ends nothing.
     * The response is the same for a token that is unknown, ended or another application's, so that a retry is harmless.
     *
     * `POST /oauth/revoke`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke_any)
     */
    revokeToken: (init: FetchOptions<paths['/oauth/revoke']['post']>) => client.POST('/oauth/revoke', init),
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
     * city to city, and some are offered in one part of a city only. The request is refused with `ridetype_unavailable_in_region`
     * if nothing is offered at this point, or not the ride type that you ask for, even if the city has it elsewhere.
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
     * ride at a time. During a ride the request is refused with `user_already_in_ride`. With the scope `rides.read`, `error_detail` then
     * names that ride (`ride_id`), even if another application requested it.
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
    /**
     * Move a ride.
     *
     * Moves the passenger's ride to any later status. The statuses between happen on the way, each with its webhook, and each at a later
     * `occurred_at`: from `pending` to `droppedOff` in one call sends four events. Car, distance and price are what the
     * plan of the ride makes them; `duration_seconds` goes by the world's clock.
     *
     * `PUT /sandbox/v1/rides/{ride_id}`
     * - Authorization: userToken `rides.request`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setRideStatus: (init: FetchOptions<paths['/sandbox/v1/rides/{ride_id}']['put']>) =>
      client.PUT('/sandbox/v1/rides/{ride_id}', init),
    /**
     * Set Prime Time.
     *
     * Sets the Prime Time of the city around a place, whatever the hour, until it is set again or the world is reset. `0%` turns it off. It acts on
     * prices and on ride requests; what was agreed to before stays.
     *
     * `PUT /sandbox/v1/primetime`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setPrimeTime: (init: FetchOptions<paths['/sandbox/v1/primetime']['put']>) =>
      client.PUT('/sandbox/v1/primetime', init),
    /**
     * Set the ride types.
     *
     * Leaves the city around a place with these of its ride types alone, until they are set again or the world is reset. An empty list takes
     * all of them away. A ride type that the city never had is `ridetype_unavailable_in_region`. Rides under way go on.
     *
     * `PUT /sandbox/v1/ridetypes`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setRideTypes: (init: FetchOptions<paths['/sandbox/v1/ridetypes']['put']>) =>
      client.PUT('/sandbox/v1/ridetypes', init),
    /**
     * Make drivers scarce.
     *
     * Takes every driver of one ride type off the road in the city around a place, or brings them back. While they are away there are no
     * pickup times and no cars nearby, and a ride request is refused with `no_drivers_available`. Moving a ride by hand still finds a driver.
     *
     * `PUT /sandbox/v1/ridetypes/{ride_type}`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setDriverAvailability: (init: FetchOptions<paths['/sandbox/v1/ridetypes/{ride_type}']['put']>) =>
      client.PUT('/sandbox/v1/ridetypes/{ride_type}', init),
    /**
     * Make a world.
     *
     * Makes another sandbox of your application, and a client token that acts in it. What happens in one world is not seen in another, so suites can run
     * side by side. The token is the way in: keep it, or make another world.
     *
     * `POST /sandbox/v1/worlds`
     * - Authorization: clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    createWorld: (init?: FetchOptions<paths['/sandbox/v1/worlds']['post']>) => client.POST('/sandbox/v1/worlds', init),
    /**
     * Get the world.
     *
     * The world that the token acts in, as it is now.
     *
     * `GET /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    getWorld: (init?: FetchOptions<paths['/sandbox/v1/world']['get']>) => client.GET('/sandbox/v1/world', init),
    /**
     * Delete the world.
     *
     * Deletes the world that the token acts in, with all that is in it. The tokens of the world, this one too, are `invalid_token` from then on. The sandbox that an
     * application has from the start cannot be deleted; reset it. Any token of the world will do, that of a passenger too.
     *
     * `DELETE /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    deleteWorld: (init?: FetchOptions<paths['/sandbox/v1/world']['delete']>) =>
      client.DELETE('/sandbox/v1/world', init),
    /**
     * Change the world.
     *
     * Turns auto-advance or the limits on or off; [Limits](http://localhost:8080/docs#section/Limits) says what holds without them. Fields left out stay as they are. With `auto_advance` the rides of the world, those under way
     * included, move by themselves as its clock goes on; without it they wait for [setRideStatus](http://localhost:8080/docs#operation/setRideStatus).
     *
     * `PATCH /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    updateWorld: (init: FetchOptions<paths['/sandbox/v1/world']['patch']>) => client.PATCH('/sandbox/v1/world', init),
    /**
     * Reset the world.
     *
     * Brings the world back to how it began: its rides, events and webhooks under way are gone, its settings and its clock are as they were made, and the
     * same calls get the same ids again. Passengers of [createPassenger](http://localhost:8080/docs#operation/createPassenger) go too, with their tokens; client tokens and the passengers
     * who consented stay. All this holds once the call has returned. What other calls find in a large world before that can be gone in part.
     *
     * `POST /sandbox/v1/world/reset`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    resetWorld: (init?: FetchOptions<paths['/sandbox/v1/world/reset']['post']>) =>
      client.POST('/sandbox/v1/world/reset', init),
    /**
     * Make a passenger.
     *
     * Makes a passenger in the world of the token, and a user token that acts for them, so that no browser is needed. What is left out makes a
     * passenger who can ride: a payment method, a verified phone, nothing that stands in the way.
     *
     * `POST /sandbox/v1/passengers`
     * - Authorization: clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    createPassenger: (init?: FetchOptions<paths['/sandbox/v1/passengers']['post']>) =>
      client.POST('/sandbox/v1/passengers', init),
    /**
     * Change the passenger.
     *
     * Changes what about the token's passenger may stand against a ride, and how they look: take the payment method away and
     * [requestRide](http://localhost:8080/docs#operation/requestRide) is refused with `user_payment_required`. Fields left out stay as they are.
     *
     * `PATCH /sandbox/v1/passenger`
     * - Authorization: userToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    updatePassenger: (init: FetchOptions<paths['/sandbox/v1/passenger']['patch']>) =>
      client.PATCH('/sandbox/v1/passenger', init),
    /**
     * Read the clock.
     *
     * What time it is in the world of the token. Rides, cars, prices, the tokens that confirm a price or a fee, the time for a rating, and the retries of webhooks
     * go by this clock. Access tokens, limits and timeouts go by the real one.
     *
     * `GET /sandbox/v1/clock`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    getClock: (init?: FetchOptions<paths['/sandbox/v1/clock']['get']>) => client.GET('/sandbox/v1/clock', init),
    /**
     * Freeze or run the clock.
     *
     * Freezes the clock where it is, or lets it run on from there at the speed of real time.
     *
     * `PUT /sandbox/v1/clock`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setClock: (init: FetchOptions<paths['/sandbox/v1/clock']['put']>) => client.PUT('/sandbox/v1/clock', init),
    /**
     * Advance the clock.
     *
     * Moves the clock forward, frozen or running. Everything that falls due on the way happens in its order, each at its own instant, the attempts of webhooks
     * included; when the answer comes it is done. 61 seconds, and a `cost_token` is refused; two minutes, and every retry of a webhook was made; a day, and a
     * ride can no longer be rated. The call waits for the receiver of the webhooks.
     *
     * `POST /sandbox/v1/clock/advance`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    advanceClock: (init: FetchOptions<paths['/sandbox/v1/clock/advance']['post']>) =>
      client.POST('/sandbox/v1/clock/advance', init),
    /**
     * Set the webhooks and their faults.
     *
     * Sends the webhooks of this world to a URL of its own, and lets go wrong what can go wrong on the way: webhooks that come twice, late, in the wrong
     * order, after several attempts, never, or with a signature that does not hold. What is left out is as usual: the sandbox URL and the sandbox token of the application, and no faults.
     * Setting a `url` gives the world a verification token of its own; the same URL keeps its token. Without one, webhooks go to the application's sandbox URL, never to its live one.
     *
     * `PUT /sandbox/v1/webhooks`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setWebhooks: (init: FetchOptions<paths['/sandbox/v1/webhooks']['put']>) => client.PUT('/sandbox/v1/webhooks', init),
    /**
     * List the events.
     *
     * The events of your application in this world, the latest first: what each one tells, what became of its delivery, and its latest twenty attempts. An event exists if
     * there was a webhook URL when it happened, and for 30 days after its delivery has ended.
     *
     * `GET /sandbox/v1/events`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    listEvents: (init?: FetchOptions<paths['/sandbox/v1/events']['get']>) => client.GET('/sandbox/v1/events', init),
    /**
     * Send an event again.
     *
     * Puts an event on the schedule of deliveries again, whatever became of it before: the same `event_id`, the same bytes. The first attempt is due at once, also while the
     * world's clock stands; it does not wait for this answer. While an attempt is under way, the new schedule begins when that has ended.
     *
     * `POST /sandbox/v1/events/{event_id}/resend`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    resendEvent: (init: FetchOptions<paths['/sandbox/v1/events/{event_id}/resend']['post']>) =>
      client.POST('/sandbox/v1/events/{event_id}/resend', init),
  };
}
