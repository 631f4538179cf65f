// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { Client, FetchOptions, FetchResponse } from 'openapi-fetch';
import type { paths } from './types.ts';

/** The paths of the operations that a person opens in a browser. */
export const PAGES = {
  authorizeApplication: '/oauth/authorize',
} as const;
/** How often to repeat a call while you watch what it returns. */
export const POLL_SECONDS = {
  getRide: 60,
} as const;

/** What openapi-fetch makes of the responses of an operation. */
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = Promise<
  FetchResponse<paths[Path][Method] & object, object, 'application/json'>
>;

/** The methods that `bindOperations` returns, one per operation except for pages. */
export type BoundOperations = ReturnType<typeof bindOperations>;

/**
 * One method per operation, with types and documentation from the contract. A call resolves to
 * `{ data, error, response }`: `data` if it succeeds, otherwise `error`, the failure body. It rejects only if there is
 * no response.
 */
export function bindOperations(client: Client<paths>) {
  return {
    /**
     * Create an access token.
     *
     * Creates an access token for your application or for a passenger. There are three grants.
     *
     * `POST /oauth/token`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.token)
     */
    createToken: (init: FetchOptions<paths['/oauth/token']['post']>): Answer<'/oauth/token', 'post'> =>
      client.POST('/oauth/token', init),
    /**
     * Revoke a token.
     *
     * Revokes a client token, a user token or a refresh token of your application (RFC 7009). Use it when a token leaks
     * or a passenger signs out. Revoking an access token leaves all other tokens valid. Revoking a refresh token also
     * revokes every access token that came from it. If several processes serve the API, a GET can still accept a revoked
     * access token for up to a second.
     *
     * `POST /oauth/revoke`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke_any)
     */
    revokeToken: (init: FetchOptions<paths['/oauth/revoke']['post']>): Answer<'/oauth/revoke', 'post'> =>
      client.POST('/oauth/revoke', init),
    /**
     * Revoke a refresh token.
     *
     * Revokes a refresh token and every access token that came from it. Use it when a passenger signs out of your
     * application. To revoke any kind of token, use [revokeToken](http://localhost:8080/docs#operation/revokeToken).
     *
     * `POST /oauth/revoke_refresh_token`
     * - Authorization: clientBasic
     * - Limit: 1000 calls in 60 seconds (bucket oauth.revoke)
     */
    revokeRefreshToken: (
      init: FetchOptions<paths['/oauth/revoke_refresh_token']['post']>,
    ): Answer<'/oauth/revoke_refresh_token', 'post'> => client.POST('/oauth/revoke_refresh_token', init),
    /**
     * List ride types at a place.
     *
     * Returns the ride types that a passenger can request at a place, with their prices. Call it before you offer a
     * choice: ride types differ from city to city, and some are available in only one part of a city.
     *
     * `GET /v1/ridetypes`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket ridetypes)
     */
    listRideTypes: (init: FetchOptions<paths['/v1/ridetypes']['get']>): Answer<'/v1/ridetypes', 'get'> =>
      client.GET('/v1/ridetypes', init),
    /**
     * Estimate the time to pickup.
     *
     * Returns how soon the nearest free driver of each ride type could reach the pickup. Use it to show a waiting time
     * before the passenger requests a ride. Check `is_valid_estimate` first:
     *
     * `GET /v1/eta`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket eta)
     */
    estimateEta: (init: FetchOptions<paths['/v1/eta']['get']>): Answer<'/v1/eta', 'get'> => client.GET('/v1/eta', init),
    /**
     * Estimate the price of a ride.
     *
     * Returns a price range for each ride type between two places, and the Prime Time in force. It is a range, not a
     * promise. To fix the price, request the ride with the estimate's `cost_token` within one minute. The fixed price,
     * without a tip, lies within the range, and the receipt shows it. The `cost_token` also confirms Prime Time. To
     * get one, send a user token. With a client token, the response shows no surcharge, and `cost_token` is null.
     *
     * `GET /v1/cost`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket cost)
     */
    estimateCost: (init: FetchOptions<paths['/v1/cost']['get']>): Answer<'/v1/cost', 'get'> =>
      client.GET('/v1/cost', init),
    /**
     * List nearby drivers.
     *
     * Returns a sample of the free drivers around a place, by ride type. Use it to draw cars on a map that move in the
     * right direction: each driver has the latest positions of the car, oldest first. The drivers are anonymous.
     * Outside the service area, the request fails with `no_service_in_area`.
     *
     * `GET /v1/drivers`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 5 calls in 60 seconds (bucket drivers)
     */
    listDrivers: (init: FetchOptions<paths['/v1/drivers']['get']>): Answer<'/v1/drivers', 'get'> =>
      client.GET('/v1/drivers', init),
    /**
     * List nearby drivers with pickup times.
     *
     * Returns, for each ride type, the likely duration until the pickup, the likely time of the pickup, and the cars
     * behind the estimate. Use it to show the waiting time and the cars together. Each estimate includes how far it
     * may be off. Durations and ranges are in milliseconds. `timestamp_ms` counts milliseconds since 1970 UTC. Show it
     * in the time zone in `timezone`.
     *
     * `GET /v1/nearby-drivers-pickup-etas`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 10000 calls in 60 seconds (bucket pickup_etas)
     */
    listPickupEtas: (
      init: FetchOptions<paths['/v1/nearby-drivers-pickup-etas']['get']>,
    ): Answer<'/v1/nearby-drivers-pickup-etas', 'get'> => client.GET('/v1/nearby-drivers-pickup-etas', init),
    /**
     * List past rides.
     *
     * Returns the passenger's finished rides (`droppedOff`, `canceled` and `unknown`) that were requested between two
     * instants, newest first. Both ends are exclusive. To get the next page, send the request again with `end_time`
     * set to the `requested_at` of the last ride you received. The last page has fewer rides than `limit`.
     *
     * `GET /v1/rides`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.history)
     */
    listRides: (init: FetchOptions<paths['/v1/rides']['get']>): Answer<'/v1/rides', 'get'> =>
      client.GET('/v1/rides', init),
    /**
     * Request a ride.
     *
     * Requests a ride for the passenger, who pays with their stored payment method. A passenger can have one ride at a
     * time. During a ride, the request fails with `user_already_in_ride`. If the token has the scope `rides.read`,
     * `error_detail` then contains the `ride_id` of that ride, even if another application requested it.
     *
     * `POST /v1/rides`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     * - Deprecated: `primetime_confirmation_token`
     */
    requestRide: (init: FetchOptions<paths['/v1/rides']['post']>): Answer<'/v1/rides', 'post'> =>
      client.POST('/v1/rides', init),
    /**
     * Get a ride.
     *
     * Returns the current state of a ride. Fields appear as the ride progresses: see the variant for each `status`. To
     * show the car on a map, call this endpoint about once every 60 seconds. Webhooks report each new
     * status except `pending` and `unknown`, and the receipt when it is ready.
     *
     * `GET /v1/rides/{ride_id}`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.read)
     */
    getRide: (init: FetchOptions<paths['/v1/rides/{ride_id}']['get']>): Answer<'/v1/rides/{ride_id}', 'get'> =>
      client.GET('/v1/rides/{ride_id}', init),
    /**
     * Change the destination.
     *
     * Changes the destination of an active ride, or sets it if the ride was requested without one. The agreed Prime
     * Time stays the same. The price is recalculated from the route driven.
     *
     * `PUT /v1/rides/{ride_id}/destination`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    updateDestination: (
      init: FetchOptions<paths['/v1/rides/{ride_id}/destination']['put']>,
    ): Answer<'/v1/rides/{ride_id}/destination', 'put'> => client.PUT('/v1/rides/{ride_id}/destination', init),
    /**
     * Rate and tip a ride.
     *
     * Rates a ride after its drop-off, optionally with a tip and feedback. This starts the payment: a few seconds
     * later, the receipt is available and `ride.receipt.ready` is sent.
     *
     * `PUT /v1/rides/{ride_id}/rating`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    rateRide: (
      init: FetchOptions<paths['/v1/rides/{ride_id}/rating']['put']>,
    ): Answer<'/v1/rides/{ride_id}/rating', 'put'> => client.PUT('/v1/rides/{ride_id}/rating', init),
    /**
     * Get a receipt.
     *
     * Returns what a ride cost and how it was paid for. Call it when you receive the `ride.receipt.ready` webhook.
     * Until the payment is processed, the request fails with 404 `receipt_not_available`. A ride that was canceled for a
     * fee has a receipt. A ride that was canceled for free has none.
     *
     * `GET /v1/rides/{ride_id}/receipt`
     * - Authorization: userToken `rides.read`
     * - Limit: 1000 calls in 60 seconds (bucket rides.read)
     */
    getReceipt: (
      init: FetchOptions<paths['/v1/rides/{ride_id}/receipt']['get']>,
    ): Answer<'/v1/rides/{ride_id}/receipt', 'get'> => client.GET('/v1/rides/{ride_id}/receipt', init),
    /**
     * Cancel a ride.
     *
     * Cancels an active ride. This is free until a driver accepts, and for a short time after: two minutes unless the
     * city sets another time. Later it costs the ride type's `cancel_penalty_amount`. From pickup on, even within that
     * short time, it costs the fare so far if that is more.
     *
     * `POST /v1/rides/{ride_id}/cancel`
     * - Authorization: userToken `rides.request`
     * - Limit: 5 calls in 60 seconds (bucket rides.write)
     */
    cancelRide: (
      init: FetchOptions<paths['/v1/rides/{ride_id}/cancel']['post']>,
    ): Answer<'/v1/rides/{ride_id}/cancel', 'post'> => client.POST('/v1/rides/{ride_id}/cancel', init),
    /**
     * Get the passenger's profile.
     *
     * Returns the profile of the passenger who granted access. More fields may be added over time.
     *
     * `GET /v1/profile`
     * - Authorization: userToken `profile`
     * - Limit: 5 calls in 60 seconds (bucket profile)
     */
    getProfile: (init?: FetchOptions<paths['/v1/profile']['get']>): Answer<'/v1/profile', 'get'> =>
      client.GET('/v1/profile', init),
    /**
     * Set a ride's status.
     *
     * Moves the passenger's ride to any later status. Use it to play the driver in your tests. The ride goes through
     * every status in between, each with its webhook and a later `occurred_at`: one call from `pending` to
     * `droppedOff` sends four events. The car, distance and price follow the planned route. `duration_seconds`
     * follows the world's clock.
     *
     * `PUT /sandbox/v1/rides/{ride_id}`
     * - Authorization: userToken `rides.request`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setRideStatus: (
      init: FetchOptions<paths['/sandbox/v1/rides/{ride_id}']['put']>,
    ): Answer<'/sandbox/v1/rides/{ride_id}', 'put'> => client.PUT('/sandbox/v1/rides/{ride_id}', init),
    /**
     * Set Prime Time.
     *
     * Sets Prime Time in the city around a place. A sandbox has no Prime Time until you set it, at any hour. The setting
     * lasts until you set it again or reset the world. It affects new prices and ride requests. Prices that a passenger has
     * agreed to don't change.
     *
     * `PUT /sandbox/v1/primetime`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setPrimeTime: (init: FetchOptions<paths['/sandbox/v1/primetime']['put']>): Answer<'/sandbox/v1/primetime', 'put'> =>
      client.PUT('/sandbox/v1/primetime', init),
    /**
     * Set the available ride types.
     *
     * Limits the city around a place to the ride types that you list. The setting lasts until you set it again or
     * reset the world. An empty list removes every ride type. Rides in progress continue. A ride type that the city
     * doesn't have by default fails with `ridetype_unavailable_in_region`.
     *
     * `PUT /sandbox/v1/ridetypes`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setRideTypes: (init: FetchOptions<paths['/sandbox/v1/ridetypes']['put']>): Answer<'/sandbox/v1/ridetypes', 'put'> =>
      client.PUT('/sandbox/v1/ridetypes', init),
    /**
     * Set driver availability.
     *
     * Removes every driver of one ride type from the city around a place, or brings them back. Use it to test what
     * happens when no driver is free. While the drivers are away, there are no pickup times and no nearby cars, and a
     * ride request fails with `no_drivers_available`. [setRideStatus](http://localhost:8080/docs#operation/setRideStatus) still finds a driver.
     *
     * `PUT /sandbox/v1/ridetypes/{ride_type}`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setDriverAvailability: (
      init: FetchOptions<paths['/sandbox/v1/ridetypes/{ride_type}']['put']>,
    ): Answer<'/sandbox/v1/ridetypes/{ride_type}', 'put'> => client.PUT('/sandbox/v1/ridetypes/{ride_type}', init),
    /**
     * Create a world.
     *
     * Creates a world, which is another sandbox of your application, and a client token that acts in it. Worlds are
     * isolated from each other, so test suites can run side by side.
     *
     * `POST /sandbox/v1/worlds`
     * - Authorization: clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    createWorld: (init?: FetchOptions<paths['/sandbox/v1/worlds']['post']>): Answer<'/sandbox/v1/worlds', 'post'> =>
      client.POST('/sandbox/v1/worlds', init),
    /**
     * Get the world.
     *
     * Returns the token's world with its current settings.
     *
     * `GET /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    getWorld: (init?: FetchOptions<paths['/sandbox/v1/world']['get']>): Answer<'/sandbox/v1/world', 'get'> =>
      client.GET('/sandbox/v1/world', init),
    /**
     * Delete the world.
     *
     * Deletes the token's world and everything in it. Any token of the world can do this, including a passenger's.
     * From then on, all tokens of the world, including this one, fail with `invalid_token`. You can't delete your
     * application's default sandbox: the request fails with `world_is_default`. Reset it instead.
     *
     * `DELETE /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    deleteWorld: (init?: FetchOptions<paths['/sandbox/v1/world']['delete']>): Answer<'/sandbox/v1/world', 'delete'> =>
      client.DELETE('/sandbox/v1/world', init),
    /**
     * Update the world.
     *
     * Turns auto-advance or the rate limits of the token's world on or off. Omitted fields keep their values. With
     * `auto_advance`, the world's rides move by themselves as its clock runs, including rides in progress. Without it,
     * they wait for [setRideStatus](http://localhost:8080/docs#operation/setRideStatus). [Limits](http://localhost:8080/docs#section/Limits) explains which limits still
     * apply when you turn them off.
     *
     * `PATCH /sandbox/v1/world`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    updateWorld: (init: FetchOptions<paths['/sandbox/v1/world']['patch']>): Answer<'/sandbox/v1/world', 'patch'> =>
      client.PATCH('/sandbox/v1/world', init),
    /**
     * Reset the world.
     *
     * Returns the world to its initial state. Its rides, events and pending webhooks are deleted, and its settings and
     * clock get their initial values. The same calls then create the same IDs again, except for events. Passengers
     * from [createPassenger](http://localhost:8080/docs#operation/createPassenger) are deleted with their tokens. Client tokens and passengers
     * who consented stay.
     *
     * `POST /sandbox/v1/world/reset`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    resetWorld: (
      init?: FetchOptions<paths['/sandbox/v1/world/reset']['post']>,
    ): Answer<'/sandbox/v1/world/reset', 'post'> => client.POST('/sandbox/v1/world/reset', init),
    /**
     * Create a passenger.
     *
     * Creates a passenger in the token's world, and a user token that acts for them. You don't need a browser or a
     * consent page. If you omit a field, its default lets the passenger ride: they have a payment method and a
     * verified phone, and nothing blocks a request.
     *
     * `POST /sandbox/v1/passengers`
     * - Authorization: clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    createPassenger: (
      init?: FetchOptions<paths['/sandbox/v1/passengers']['post']>,
    ): Answer<'/sandbox/v1/passengers', 'post'> => client.POST('/sandbox/v1/passengers', init),
    /**
     * Update the passenger.
     *
     * Changes the token's passenger: their name and other details, and what can block a ride request. For example,
     * remove the payment method, and [requestRide](http://localhost:8080/docs#operation/requestRide) fails with `user_payment_required`. Omitted
     * fields keep their values.
     *
     * `PATCH /sandbox/v1/passenger`
     * - Authorization: userToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    updatePassenger: (
      init: FetchOptions<paths['/sandbox/v1/passenger']['patch']>,
    ): Answer<'/sandbox/v1/passenger', 'patch'> => client.PATCH('/sandbox/v1/passenger', init),
    /**
     * Get the clock.
     *
     * Returns the current time in the token's world. Rides, cars, prices, rating deadlines, webhook retries, and the
     * tokens that confirm a price or a fee use this clock. Access tokens, rate limits and timeouts use real time.
     *
     * `GET /sandbox/v1/clock`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    getClock: (init?: FetchOptions<paths['/sandbox/v1/clock']['get']>): Answer<'/sandbox/v1/clock', 'get'> =>
      client.GET('/sandbox/v1/clock', init),
    /**
     * Freeze or run the clock.
     *
     * Freezes the clock at its current time, or lets it run on from there at the speed of real time.
     *
     * `PUT /sandbox/v1/clock`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setClock: (init: FetchOptions<paths['/sandbox/v1/clock']['put']>): Answer<'/sandbox/v1/clock', 'put'> =>
      client.PUT('/sandbox/v1/clock', init),
    /**
     * Advance the clock.
     *
     * Moves the clock forward, whether it is frozen or running. Use it to skip waiting in your tests. After 61
     * seconds, a `cost_token` has expired. After two minutes, every webhook retry has been made. After a day, a ride
     * can no longer be rated.
     *
     * `POST /sandbox/v1/clock/advance`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    advanceClock: (
      init: FetchOptions<paths['/sandbox/v1/clock/advance']['post']>,
    ): Answer<'/sandbox/v1/clock/advance', 'post'> => client.POST('/sandbox/v1/clock/advance', init),
    /**
     * Set the webhook URL and faults.
     *
     * Sets where this world's webhooks go, and which faults to simulate: webhooks that arrive twice, late, out of
     * order, after several attempts, never or with a wrong signature. Use it to test your receiver. Each call replaces
     * all settings. Omitted fields return to their defaults: the application's sandbox URL and token, and no faults.
     *
     * `PUT /sandbox/v1/webhooks`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    setWebhooks: (init: FetchOptions<paths['/sandbox/v1/webhooks']['put']>): Answer<'/sandbox/v1/webhooks', 'put'> =>
      client.PUT('/sandbox/v1/webhooks', init),
    /**
     * List events.
     *
     * Returns the webhook events of your application in this world, newest first. Use it to find out why a webhook
     * didn't arrive: each event has its body, the state of its delivery and its latest twenty attempts. The list contains
     * only events that happened while there was a webhook URL. The server deletes an event after 30 days, but not
     * while its delivery is pending.
     *
     * `GET /sandbox/v1/events`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    listEvents: (init?: FetchOptions<paths['/sandbox/v1/events']['get']>): Answer<'/sandbox/v1/events', 'get'> =>
      client.GET('/sandbox/v1/events', init),
    /**
     * Resend an event.
     *
     * Sends an event again, with the same `event_id` and the same bytes, even if it was delivered. Use it
     * when your receiver missed an event. The first attempt is due at once, even if the world's clock is frozen, and
     * the response doesn't wait for it. If an attempt is already in progress, the new retry schedule begins when that
     * attempt ends.
     *
     * `POST /sandbox/v1/events/{event_id}/resend`
     * - Authorization: userToken `public`, or clientToken `public`
     * - Limit: 1000 calls in 60 seconds (bucket sandbox)
     */
    resendEvent: (
      init: FetchOptions<paths['/sandbox/v1/events/{event_id}/resend']['post']>,
    ): Answer<'/sandbox/v1/events/{event_id}/resend', 'post'> =>
      client.POST('/sandbox/v1/events/{event_id}/resend', init),
    /**
     * List webhook events.
     *
     * Returns the webhook events of your application in the token's world, newest first. Use it to find out why your
     * receiver missed an event: each has its body, the state of its delivery and its latest twenty attempts. An event
     * that happened while there was no webhook URL is `not_sent`. The server deletes an event after 30 days, but not
     * while its delivery is pending.
     *
     * `GET /v1/events`
     * - Authorization: clientToken `events`
     * - Limit: 1000 calls in 60 seconds (bucket events)
     */
    listWebhookEvents: (init?: FetchOptions<paths['/v1/events']['get']>): Answer<'/v1/events', 'get'> =>
      client.GET('/v1/events', init),
    /**
     * Get a webhook event.
     *
     * Returns one event of [listWebhookEvents](http://localhost:8080/docs#operation/listWebhookEvents). Use it to see whether a resent event has
     * arrived.
     *
     * `GET /v1/events/{event_id}`
     * - Authorization: clientToken `events`
     * - Limit: 1000 calls in 60 seconds (bucket events)
     */
    getWebhookEvent: (
      init: FetchOptions<paths['/v1/events/{event_id}']['get']>,
    ): Answer<'/v1/events/{event_id}', 'get'> => client.GET('/v1/events/{event_id}', init),
    /**
     * Resend a webhook event.
     *
     * Sends an event again, with the same `event_id` and the same bytes, even if it was delivered. Use it when your
     * receiver missed an event. The first attempt is due at once, and the response doesn't wait for it. If an attempt
     * is already in progress, the new retry schedule begins when that attempt ends.
     *
     * `POST /v1/events/{event_id}/resend`
     * - Authorization: clientToken `events`
     * - Limit: 1000 calls in 60 seconds (bucket events)
     */
    resendWebhookEvent: (
      init: FetchOptions<paths['/v1/events/{event_id}/resend']['post']>,
    ): Answer<'/v1/events/{event_id}/resend', 'post'> => client.POST('/v1/events/{event_id}/resend', init),
    /**
     * Get the resend of a range.
     *
     * Returns the progress of the latest [resendWebhookEvents](http://localhost:8080/docs#operation/resendWebhookEvents) of your application in
     * the token's world.
     *
     * `GET /v1/events/resend`
     * - Authorization: clientToken `events`
     * - Limit: 1000 calls in 60 seconds (bucket events)
     */
    getResend: (init?: FetchOptions<paths['/v1/events/resend']['get']>): Answer<'/v1/events/resend', 'get'> =>
      client.GET('/v1/events/resend', init),
    /**
     * Resend a range of webhook events.
     *
     * Sends the events between two times again, each with the same `event_id` and the same bytes. Use it after your
     * receiver was down: it sends the events whose delivery failed, in the order in which they happened for each ride.
     * An event follows when the delivery of the previous one of its ride has ended. New events don't wait for the
     * range.
     *
     * `POST /v1/events/resend`
     * - Authorization: clientToken `events`
     * - Limit: 10 calls in 60 seconds (bucket resends)
     */
    resendWebhookEvents: (
      init: FetchOptions<paths['/v1/events/resend']['post']>,
    ): Answer<'/v1/events/resend', 'post'> => client.POST('/v1/events/resend', init),
    /**
     * Cancel the resend of a range.
     *
     * Ends the resend of [resendWebhookEvents](http://localhost:8080/docs#operation/resendWebhookEvents). Events that are being sent already keep
     * their retry schedule. Canceling one that has ended changes nothing.
     *
     * `DELETE /v1/events/resend`
     * - Authorization: clientToken `events`
     * - Limit: 1000 calls in 60 seconds (bucket events)
     */
    cancelResend: (init?: FetchOptions<paths['/v1/events/resend']['delete']>): Answer<'/v1/events/resend', 'delete'> =>
      client.DELETE('/v1/events/resend', init),
  };
}
