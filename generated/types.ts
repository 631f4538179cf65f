// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
export interface paths {
  '/oauth/authorize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Ask a passenger for access
     * @description Shows the consent page, where a passenger allows or denies your application access (RFC 6749, section 4.1.1).
     *     Redirect the passenger's browser here when you need a user token. The passenger signs in or creates an account,
     *     and sees your application's name and what each scope means. They can untick optional scopes. `public` and
     *     `rides.read` are granted whenever you request them. Any other scope is granted only if the passenger leaves it
     *     ticked.
     *
     *     ```
     *     http://localhost:8080/oauth/authorize?client_id=demo&response_type=code&scope=public%20profile%20offline&state=f3Zr8kQp1Lw
     *     ```
     *
     *     The browser then returns to your redirect URI. If your application has several, name one in `redirect_uri`. The
     *     query contains:
     *
     *     - If the passenger allows access: `code`. Exchange it at [createToken](http://localhost:8080/docs#operation/createToken) once, within ten
     *       minutes.
     *     - If the passenger denies access: `error`, with the value `access_denied`.
     *     - If the request is invalid and the passenger is signed in: `error`, with the value `invalid_request`,
     *       `unsupported_response_type` or `invalid_scope`, and `error_description`.
     *
     *     The query always contains your `state`, unchanged. Send a value that is tied to this browser's session with you,
     *     and reject a response with any other value. Otherwise an attacker could slip their own code into your user's
     *     session. The query also contains `iss`, the address of this server (RFC 9207). If you use several authorization
     *     servers, check that it is the one that you sent the passenger to.
     *
     *     **Use PKCE** (RFC 7636). Generate a random `code_verifier` and send its SHA-256 as `code_challenge`. Send the
     *     verifier when you exchange the code. The code is bound to your application, the redirect URI and the challenge.
     *
     *     The server never redirects if the `client_id` is unknown, if the `redirect_uri` isn't registered, or if it is
     *     missing and your application has several. It shows an error page. Any other error is also shown as a page if no
     *     passenger is signed in in this browser. To get an error body instead of the page, send
     *     `Accept: application/json`. Unknown parameters are ignored.
     */
    get: operations['authorizeApplication'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an access token
     * @description Creates an access token for your application or for a passenger. There are three grants.
     *
     *     - `client_credentials` creates a client token, for prices and availability. It lasts one day, and several can be
     *       valid at once. With the scope `events`, it also lists and resends webhook events. In the live world, the
     *       developer must allow that in the portal first.
     *     - `authorization_code` exchanges the code that your redirect URI received for a user token, which lasts one
     *       hour. If the passenger granted `offline`, the response includes a refresh token. The 20 newest user tokens of a
     *       passenger work at once.
     *     - `refresh_token` creates a new user token without asking the passenger again. The refresh token stays the same,
     *       and expires after 365 days without use. If your application rotates refresh tokens, the response includes a
     *       new one. The old one works for 30 more seconds, or until you use the new one.
     *
     *     Send your client ID and secret with HTTP Basic, not in the body. Your live secret creates tokens for the live
     *     world. The secret that begins with `SANDBOX-` creates tokens for your sandbox. The body can be JSON or a form.
     *     Unknown parameters are ignored, as OAuth requires.
     *
     *     Wrong credentials fail with 401 `invalid_client`. A body that the server can't parse fails with
     *     `invalid_request`. A code that is used twice fails with `invalid_grant`, and the tokens from its first use are
     *     revoked. A refresh token that was replaced also fails with `invalid_grant` once its 30 seconds are over or the
     *     new one was used. The server then revokes the new refresh token too, and all access tokens of both.
     */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a token
     * @description Revokes a client token, a user token or a refresh token of your application (RFC 7009). Use it when a token leaks
     *     or a passenger signs out. Revoking an access token leaves all other tokens valid. Revoking a refresh token also
     *     revokes every access token that came from it. If several processes serve the API, a GET can still accept a revoked
     *     access token for up to a second.
     *
     *     Authenticate with the secret that created the token. With your other secret, nothing is revoked. The response is
     *     the same if the token is unknown, already invalid or another application's, so you can safely retry.
     */
    post: operations['revokeToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oauth/revoke_refresh_token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a refresh token
     * @description Revokes a refresh token and every access token that came from it. Use it when a passenger signs out of your
     *     application. To revoke any kind of token, use [revokeToken](http://localhost:8080/docs#operation/revokeToken).
     *
     *     Authenticate with the secret that created the token. With your other secret, nothing is revoked. The response is
     *     the same if the token is unknown or already revoked (RFC 7009), so you can safely retry.
     */
    post: operations['revokeRefreshToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ridetypes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List ride types at a place
     * @description Returns the ride types that a passenger can request at a place, with their prices. Call it before you offer a
     *     choice: ride types differ from city to city, and some are available in only one part of a city.
     *
     *     If you offer `svc_line`, tell your user that other passengers may join and that the destination can't be
     *     changed.
     *
     *     The request fails with `ridetype_unavailable_in_region` if no ride type is available at this point. It also
     *     fails if the `ride_type` that you name isn't available at this point, even if the city has it elsewhere.
     */
    get: operations['listRideTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/eta': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Estimate the time to pickup
     * @description Returns how soon the nearest free driver of each ride type could reach the pickup. Use it to show a waiting time
     *     before the passenger requests a ride. Check `is_valid_estimate` first:
     *
     *     | eta_seconds | is_valid_estimate | Meaning |
     *     | --- | --- | --- |
     *     | a number | true | Show this time. |
     *     | null | true | No driver is free at the moment. |
     *     | null | false | The time can't be predicted: do not show one. |
     *
     *     No time can be predicted if the destination is more than 100 miles away, because no ride goes that far. The list
     *     is empty if no ride type is available at this point, or if the `ride_type` that you name isn't available there.
     *     A `ride_type` that the city doesn't offer anywhere fails with `ridetype_unavailable_in_region`.
     */
    get: operations['estimateEta'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cost': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Estimate the price of a ride
     * @description Returns a price range for each ride type between two places, and the Prime Time in force. It is a range, not a
     *     promise. To fix the price, request the ride with the estimate's `cost_token` within one minute. The fixed price,
     *     without a tip, lies within the range, and the receipt shows it. The `cost_token` also confirms Prime Time. To
     *     get one, send a user token. With a client token, the response shows no surcharge, and `cost_token` is null.
     *
     *     If you omit the end, the response contains only the Prime Time at the start. With a user token, its `cost_token`
     *     confirms this Prime Time for a ride to anywhere, but doesn't fix the fare.
     *
     *     A drop-off outside the service area is priced as usual. If the end is more than 100 miles away, the estimate
     *     isn't valid and its costs are 0. The request fails with `ridetype_unavailable_in_region` if no ride type is
     *     available at the start, or if the `ride_type` that you name isn't.
     */
    get: operations['estimateCost'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/drivers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List nearby drivers
     * @description Returns a sample of the free drivers around a place, by ride type. Use it to draw cars on a map that move in the
     *     right direction: each driver has the latest positions of the car, oldest first. The drivers are anonymous.
     *     Outside the service area, the request fails with `no_service_in_area`.
     */
    get: operations['listDrivers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/nearby-drivers-pickup-etas': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List nearby drivers with pickup times
     * @description Returns, for each ride type, the likely duration until the pickup, the likely time of the pickup, and the cars
     *     behind the estimate. Use it to show the waiting time and the cars together. Each estimate includes how far it
     *     may be off. Durations and ranges are in milliseconds. `timestamp_ms` counts milliseconds since 1970 UTC. Show it
     *     in the time zone in `timezone`.
     *
     *     The list omits ride types without a free driver nearby. It is empty if the destination is more than 100 miles
     *     away, or if the `ride_type` that you name isn't available at this point. A `ride_type` that the city doesn't
     *     offer anywhere fails with `ridetype_unavailable_in_region`.
     */
    get: operations['listPickupEtas'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List past rides
     * @description Returns the passenger's finished rides (`droppedOff`, `canceled` and `unknown`) that were requested between two
     *     instants, newest first. Both ends are exclusive. To get the next page, send the request again with `end_time`
     *     set to the `requested_at` of the last ride you received. The last page has fewer rides than `limit`.
     */
    get: operations['listRides'];
    put?: never;
    /**
     * Request a ride
     * @description Requests a ride for the passenger, who pays with their stored payment method. A passenger can have one ride at a
     *     time. During a ride, the request fails with `user_already_in_ride`. If the token has the scope `rides.read`,
     *     `error_detail` then contains the `ride_id` of that ride, even if another application requested it.
     *
     *     **Prime Time.** While a surcharge is in force, the request fails with 400 `primetime_confirmation_required`.
     *     Show the passenger the `primetime_percentage` from the response. If they agree, send the same request again with
     *     the `cost_token` from the response, within `token_duration` seconds. A `cost_token` from
     *     [estimateCost](http://localhost:8080/docs#operation/estimateCost) confirms the surcharge in advance. Either token fixes the price. A token
     *     for a ride without a drop-off fixes only Prime Time.
     *
     *     **Shared rides.** If the ride type is `svc_line`, tell the passenger that others may join. Allow one passenger
     *     only, and don't offer to change the destination later.
     *
     *     **No destination.** If you omit the destination, the passenger tells the driver where to go. You can set it
     *     later with [updateDestination](http://localhost:8080/docs#operation/updateDestination). The simulated passenger rides about three miles.
     *
     *     **Valid places.** A pickup outside the service area fails with `no_service_in_area`, but the drop-off may be
     *     outside. The request fails with `bad_parameter` if the drop-off is more than 100 miles away, and with
     *     `client_error` if it is within 50 meters of the pickup. A
     *     `ride_type` that isn't available at this exact pickup fails with `ridetype_unavailable_in_region`, even where
     *     [estimateEta](http://localhost:8080/docs#operation/estimateEta) returns an empty list.
     */
    post: operations['requestRide'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides/{ride_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a ride
     * @description Returns the current state of a ride. Fields appear as the ride progresses: see the variant for each `status`. To
     *     show the car on a map, call this endpoint about once every 60 seconds. Webhooks report each new
     *     status except `pending` and `unknown`, and the receipt when it is ready.
     *
     *     `location` is present from `accepted` until the drop-off. `price`, `line_items` and `charges` appear when
     *     payment has been processed, a few seconds after the passenger rates the ride.
     *
     *     A live ride is kept for 1,095 days after it ends. After that, the request fails with 404 `ride_not_found`, as
     *     for a ride that never existed.
     */
    get: operations['getRide'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides/{ride_id}/destination': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change the destination
     * @description Changes the destination of an active ride, or sets it if the ride was requested without one. The agreed Prime
     *     Time stays the same. The price is recalculated from the route driven.
     *
     *     The request fails with `ride_is_lyft_line` for a shared ride, which can't change its destination. It fails with
     *     `invalid_destination` if the new destination isn't in a service area or is more than 100 miles from the pickup,
     *     and if the passenger on board has changed it so often that the route has too many points.
     *     The pickup itself is also an `invalid_destination` until the passenger is on board. From then on, a ride may
     *     return to where it began.
     */
    put: operations['updateDestination'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides/{ride_id}/rating': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Rate and tip a ride
     * @description Rates a ride after its drop-off, optionally with a tip and feedback. This starts the payment: a few seconds
     *     later, the receipt is available and `ride.receipt.ready` is sent.
     *
     *     A ride can be rated once, within 24 hours of its drop-off and before the passenger requests another. After that,
     *     the request fails with `user_cannot_rate_this_ride`. Before the drop-off, and for a `canceled` or `unknown`
     *     ride, it fails with `ride_not_finished`. If nobody rates the ride in time, it is paid for without a tip,
     *     and the receipt appears as usual.
     *
     *     A tip can be up to 50.00 in the ride's currency or twice the fare, whichever is more. A larger one fails with
     *     `tip_too_large`.
     */
    put: operations['rateRide'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides/{ride_id}/receipt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a receipt
     * @description Returns what a ride cost and how it was paid for. Call it when you receive the `ride.receipt.ready` webhook.
     *     Until the payment is processed, the request fails with 404 `receipt_not_available`. A ride that was canceled for a
     *     fee has a receipt. A ride that was canceled for free has none.
     */
    get: operations['getReceipt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rides/{ride_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a ride
     * @description Cancels an active ride. This is free until a driver accepts, and for a short time after: two minutes unless the
     *     city sets another time. Later it costs the ride type's `cancel_penalty_amount`. From pickup on, even within that
     *     short time, it costs the fare so far if that is more.
     *
     *     If a fee is due, the first request fails with 400 `cancel_confirmation_required`. The response contains the fee
     *     and a `token`. Show the fee. If the passenger agrees, send the request again within `token_duration` seconds,
     *     with `cancel_confirmation_token` set to the token. If the fee is the fare so far, it doesn't grow until the
     *     token expires. Regional taxes may be added on the receipt.
     *
     *     A token that has expired, or whose fee no longer applies, fails with `invalid_cancel_confirmation`. Send the
     *     request without a token to get a new one, and ask the passenger again. While canceling is free, the token is
     *     ignored. A ride that is over fails with 409 `ride_is_finished`.
     */
    post: operations['cancelRide'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/profile': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the passenger's profile
     * @description Returns the profile of the passenger who granted access. More fields may be added over time.
     */
    get: operations['getProfile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/rides/{ride_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set a ride's status
     * @description Moves the passenger's ride to any later status. Use it to play the driver in your tests. The ride goes through
     *     every status in between, each with its webhook and a later `occurred_at`: one call from `pending` to
     *     `droppedOff` sends four events. The car, distance and price follow the planned route. `duration_seconds`
     *     follows the world's clock.
     *
     *     With `canceled`, set `canceled_by` to say who cancels. The default is the driver. A `passenger` pays the fee
     *     that is due, without a confirmation. `no_drivers_available` ends a ride that is still `pending`.
     *
     *     The server finds a driver at any hour, however far away. The request fails with 400 `bad_parameter` if the ride
     *     can't make the move. `error_detail` then names the possible moves. It also fails if the move needs a driver and
     *     every driver in the city who serves the ride type has a ride.
     */
    put: operations['setRideStatus'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/primetime': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set Prime Time
     * @description Sets Prime Time in the city around a place. A sandbox has no Prime Time until you set it, at any hour. The setting
     *     lasts until you set it again or reset the world. It affects new prices and ride requests. Prices that a passenger has
     *     agreed to don't change.
     */
    put: operations['setPrimeTime'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/ridetypes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set the available ride types
     * @description Limits the city around a place to the ride types that you list. The setting lasts until you set it again or
     *     reset the world. An empty list removes every ride type. Rides in progress continue. A ride type that the city
     *     doesn't have by default fails with `ridetype_unavailable_in_region`.
     */
    put: operations['setRideTypes'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/ridetypes/{ride_type}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set driver availability
     * @description Removes every driver of one ride type from the city around a place, or brings them back. Use it to test what
     *     happens when no driver is free. While the drivers are away, there are no pickup times and no nearby cars, and a
     *     ride request fails with `no_drivers_available`. [setRideStatus](http://localhost:8080/docs#operation/setRideStatus) still finds a driver.
     */
    put: operations['setDriverAvailability'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/worlds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a world
     * @description Creates a world, which is another sandbox of your application, and a client token that acts in it. Worlds are
     *     isolated from each other, so test suites can run side by side.
     *
     *     The client token expires after one day, or with the calling token if that is of another created world. You can't
     *     get another one for this world. To use the world for longer, create a passenger with the scope `offline`:
     *     renewing their token returns a user token for the same world. If you lose all tokens of a world, create another.
     *
     *     Set a `seed` to make the world repeatable. On two fresh servers, worlds with the same seed and the same clock
     *     return the same bytes for the same calls, including IDs. Only credentials, `Date`, request IDs and the times of webhook attempts differ. If you
     *     omit the seed, the server picks one and returns it.
     *
     *     An application can have at most 1,000 worlds in addition to its default sandbox. One more fails with
     *     `too_many_worlds`: delete one first with [deleteWorld](http://localhost:8080/docs#operation/deleteWorld). The server deletes a world that
     *     receives no calls for 30 days, unless the world has a webhook to send. All sandboxes of an application together can
     *     have 100,000 passengers, 100,000 rides, 500,000 events and 1 GB. In the default sandbox, a passenger that no call
     *     uses for 30 days is deleted, unless they have a valid refresh token.
     */
    post: operations['createWorld'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/world': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the world
     * @description Returns the token's world with its current settings.
     */
    get: operations['getWorld'];
    put?: never;
    post?: never;
    /**
     * Delete the world
     * @description Deletes the token's world and everything in it. Any token of the world can do this, including a passenger's.
     *     From then on, all tokens of the world, including this one, fail with `invalid_token`. You can't delete your
     *     application's default sandbox: the request fails with `world_is_default`. Reset it instead.
     */
    delete: operations['deleteWorld'];
    options?: never;
    head?: never;
    /**
     * Update the world
     * @description Turns auto-advance or the rate limits of the token's world on or off. Omitted fields keep their values. With
     *     `auto_advance`, the world's rides move by themselves as its clock runs, including rides in progress. Without it,
     *     they wait for [setRideStatus](http://localhost:8080/docs#operation/setRideStatus). [Limits](http://localhost:8080/docs#section/Limits) explains which limits still
     *     apply when you turn them off.
     */
    patch: operations['updateWorld'];
    trace?: never;
  };
  '/sandbox/v1/world/reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset the world
     * @description Returns the world to its initial state. Its rides, events and pending webhooks are deleted, and its settings and
     *     clock get their initial values. The same calls then create the same IDs again, except for events. Passengers
     *     from [createPassenger](http://localhost:8080/docs#operation/createPassenger) are deleted with their tokens. Client tokens and passengers
     *     who consented stay.
     *
     *     The reset is complete when the call returns. Until then, other calls to a large world may find it partly reset.
     */
    post: operations['resetWorld'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/passengers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a passenger
     * @description Creates a passenger in the token's world, and a user token that acts for them. You don't need a browser or a
     *     consent page. If you omit a field, its default lets the passenger ride: they have a payment method and a
     *     verified phone, and nothing blocks a request.
     *
     *     Include `offline` in `scopes` to get a refresh token as well. Use it at [createToken](http://localhost:8080/docs#operation/createToken)
     *     like any other.
     */
    post: operations['createPassenger'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/passenger': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update the passenger
     * @description Changes the token's passenger: their name and other details, and what can block a ride request. For example,
     *     remove the payment method, and [requestRide](http://localhost:8080/docs#operation/requestRide) fails with `user_payment_required`. Omitted
     *     fields keep their values.
     */
    patch: operations['updatePassenger'];
    trace?: never;
  };
  '/sandbox/v1/clock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the clock
     * @description Returns the current time in the token's world. Rides, cars, prices, rating deadlines, webhook retries, and the
     *     tokens that confirm a price or a fee use this clock. Access tokens, rate limits and timeouts use real time.
     */
    get: operations['getClock'];
    /**
     * Freeze or run the clock
     * @description Freezes the clock at its current time, or lets it run on from there at the speed of real time.
     */
    put: operations['setClock'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/clock/advance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Advance the clock
     * @description Moves the clock forward, whether it is frozen or running. Use it to skip waiting in your tests. After 61
     *     seconds, a `cost_token` has expired. After two minutes, every webhook retry has been made. After a day, a ride
     *     can no longer be rated.
     *
     *     Everything that falls due on the way happens in order and at its own instant, including webhook attempts. All of
     *     it is done when the call returns, so the call waits for your webhook receiver.
     *
     *     One call makes at most 1,000 steps. A step is an attempt to change a ride or to send a webhook. The call starts no
     *     step after 20 seconds, after the client disconnects or while the server shuts down. If steps are left, the clock
     *     stays at the last step, and `advancing_to` is the target time. Send the same call again until `advancing_to` is
     *     null.
     *
     *     A call with a different `seconds` starts a new advance from the current time. Setting the clock or resetting the
     *     world cancels an advance. If two calls run at the same time, no step is made twice, and the clock ends at the
     *     later target.
     */
    post: operations['advanceClock'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Set the webhook URL and faults
     * @description Sets where this world's webhooks go, and which faults to simulate: webhooks that arrive twice, late, out of
     *     order, after several attempts, never or with a wrong signature. Use it to test your receiver. Each call replaces
     *     all settings. Omitted fields return to their defaults: the application's sandbox URL and token, and no faults.
     *
     *     A `url` gives the world its own verification token, which changes only if the URL does. Without a `url`,
     *     webhooks go to the application's sandbox URL, never to its live URL. The response contains the verification
     *     token only if you call with a client token. With a passenger's token, it is null.
     *
     *     Faults affect all attempts from now on, but `hold_seconds` affects only events that happen from now on. It uses the world's
     *     clock, so [advanceClock](http://localhost:8080/docs#operation/advanceClock) releases held events.
     *
     *     Each server process makes up to sixteen attempts at a time for a world, and up to thirty-two for all sandboxes
     *     of an application. A sandbox receiver that hangs never delays live webhooks. Two that hang can delay the
     *     webhooks of your other sandboxes.
     */
    put: operations['setWebhooks'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events
     * @description Returns the webhook events of your application in this world, newest first. Use it to find out why a webhook
     *     didn't arrive: each event has its body, the state of its delivery and its latest twenty attempts. The list contains
     *     only events that happened while there was a webhook URL. The server deletes an event after 30 days, but not
     *     while its delivery is pending.
     *
     *     To get the next page, send the request again with `cursor` set to `next_cursor`, and the same `ride_id`. Each
     *     event that existed at the first page is listed once, even if new events arrive. A page can be shorter than
     *     `limit` if its events have many attempts. Continue until `next_cursor` is null.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/v1/events/{event_id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resend an event
     * @description Sends an event again, with the same `event_id` and the same bytes, even if it was delivered. Use it
     *     when your receiver missed an event. The first attempt is due at once, even if the world's clock is frozen, and
     *     the response doesn't wait for it. If an attempt is already in progress, the new retry schedule begins when that
     *     attempt ends.
     *
     *     An event has one retry schedule at a time. Resending an event that is still waiting restarts its schedule, so
     *     several calls before the first attempt have the effect of one.
     */
    post: operations['resendEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhook events
     * @description Returns the webhook events of your application in the token's world, newest first. Use it to find out why your
     *     receiver missed an event: each has its body, the state of its delivery and its latest twenty attempts. An event
     *     that happened while there was no webhook URL is `not_sent`. The server deletes an event after 30 days, but not
     *     while its delivery is pending.
     *
     *     To get the next page, send the request again with `cursor` set to `next_cursor`, and the same `ride_id`. Each
     *     event that existed at the first page is listed once, even if new events arrive. A page can be shorter than
     *     `limit`, or empty. Continue until `next_cursor` is null.
     *
     *     When a passenger revokes your application's access, the list keeps only events that your receiver already has.
     *     When a passenger deletes their account, their events are deleted.
     *
     *     In the live world, a token with the scope `events` reads rides of all your passengers. So the live secret gets
     *     one only if you turn that on in the developer portal.
     */
    get: operations['listWebhookEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{event_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook event
     * @description Returns one event of [listWebhookEvents](http://localhost:8080/docs#operation/listWebhookEvents). Use it to see whether a resent event has
     *     arrived.
     */
    get: operations['getWebhookEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{event_id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resend a webhook event
     * @description Sends an event again, with the same `event_id` and the same bytes, even if it was delivered. Use it when your
     *     receiver missed an event. The first attempt is due at once, and the response doesn't wait for it. If an attempt
     *     is already in progress, the new retry schedule begins when that attempt ends.
     *
     *     An event has one retry schedule at a time. Resending an event that is still waiting restarts its schedule, so
     *     several calls before the first attempt have the effect of one. The attempts go to the URL and are signed with the
     *     token that your application has then. Without a URL, the response is 409 `no_webhook_url`.
     *
     *     An event of a passenger who has revoked your application's access can't be sent again: the response is 404
     *     `event_not_found`.
     */
    post: operations['resendWebhookEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the resend of a range
     * @description Returns the progress of the latest [resendWebhookEvents](http://localhost:8080/docs#operation/resendWebhookEvents) of your application in
     *     the token's world.
     */
    get: operations['getResend'];
    put?: never;
    /**
     * Resend a range of webhook events
     * @description Sends the events between two times again, each with the same `event_id` and the same bytes. Use it after your
     *     receiver was down: it sends the events whose delivery failed, in the order in which they happened for each ride.
     *     An event follows when the delivery of the previous one of its ride has ended. New events don't wait for the
     *     range.
     *
     *     The response says how many events there are, and doesn't wait for them. [getResend](http://localhost:8080/docs#operation/getResend) shows
     *     the progress, and [cancelResend](http://localhost:8080/docs#operation/cancelResend) ends it. A restart of the server doesn't. An application
     *     has one such resend at a time in the live world, and one in its sandboxes. It leaves out events that are waiting for an attempt anyway, and those of
     *     passengers who have revoked your application's access.
     *
     *     One call looks at 100,000 events at most. If there are more, `until` in the response is earlier than the one you
     *     sent. When that resend has finished, continue with `since` set to it.
     */
    post: operations['resendWebhookEvents'];
    /**
     * Cancel the resend of a range
     * @description Ends the resend of [resendWebhookEvents](http://localhost:8080/docs#operation/resendWebhookEvents). Events that are being sent already keep
     *     their retry schedule. Canceling one that has ended changes nothing.
     */
    delete: operations['cancelResend'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'ride.status.updated': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a ride's new status
     * @description Sent when a ride becomes `accepted`, `arrived`, `pickedUp`, `droppedOff` or `canceled`. Use it to follow a ride
     *     without polling. The statuses `pending` and `unknown` send no webhook. Webhooks go to the application that
     *     requested the ride, if it has a webhook URL when the status changes.
     *
     *     - **Signed.** Anyone can find your URL, so verify `X-Svc-Signature` first. Its description shows how, step by
     *       step.
     *     - **At least once.** The same event may come again, even after you respond, because your response can get lost.
     *       Store each `event_id` for a few days, and ignore events that you have already seen.
     *     - **In any order.** Several requests can arrive at once: from each server process, up to 16 about live rides and
     *       up to 16 for each sandbox. A retry can arrive after later events. Within a ride, `occurred_at` strictly
     *       increases, so ignore an event that is older than the latest one you have processed.
     *     - **A snapshot.** `event` is the ride at `occurred_at`, and every attempt sends the same bytes. To get the
     *       ride's current state, call `href`.
     *     - **No positions.** A moving car sends no webhooks. To show it on a map, call `href` about once every 60
     *       seconds.
     *     - **Retried.** An event counts as received only if you return 2XX within 10 seconds. The responses below have
     *       the details.
     *     - **Sent to your current URL.** An application has two webhook URLs: one for live rides, one for rides in its
     *       sandboxes. Each attempt uses the URL and the verification token that its environment has when the attempt
     *       starts. If there is no URL, waiting events are dropped.
     *     - **Adjustable in a sandbox.** A sandbox can send its webhooks to its own URL, signed with its own token. To
     *       test your receiver, it can also send them late, twice or never: see setWebhooks.
     *     - **Only to safe URLs.** A production server sends only to https URLs with a valid certificate, because rides
     *       contain personal data. It sends only to public addresses, so that nobody can reach systems behind our firewall
     *       through a webhook. A development server also sends to `http://localhost`. A URL can't contain a user name or a
     *       password.
     *
     *     **Verification tokens.** There are two: one signs webhooks about live rides, the other signs webhooks about
     *     rides in sandboxes. The developer portal shows both. Each changes separately:
     *
     *     - The live token changes with the live secret and with the live webhook URL.
     *     - The sandbox token changes with the sandbox secret and with the sandbox webhook URL.
     *
     *     For 24 hours after a change, `X-Svc-Signatures` also contains a signature with the previous token, so that you
     *     can switch without losing an event. Keeping an old secret valid after a rotation doesn't extend the life of the
     *     old token. A sandbox with its own URL has its own token. If that URL changes, so does the token, and the previous
     *     one stops signing at once.
     *
     *     **Test events.** In the developer portal, you can send a test event to a webhook URL. The server sends it once
     *     and never retries. The portal shows your response. The event is the example `accepted` below, with a new
     *     `event_id` and the current time. It is signed like every event, and has the `Svc-Environment` of the URL. No
     *     ride has its `ride_id`, `01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75`: `href` returns 404, and listEvents doesn't
     *     include the event. Return 2XX and do nothing, as for any ride that you don't know.
     *
     *     **Environments.** The token that verifies an event identifies its environment. `Svc-Environment` says the same,
     *     but it isn't signed, so rely only on the token. Store the event IDs of each environment separately.
     */
    post: operations['onRideStatusUpdated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'ride.receipt.ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a ride's receipt
     * @description Sent when a ride has been paid for and getReceipt returns its receipt. Use it to show or store the receipt.
     *     There are two cases:
     *
     *     - **After a ride**: a few seconds after the passenger rates it. If nobody rates it, after 24 hours or when the
     *       passenger requests another ride.
     *     - **After a cancellation with a fee**: immediately. The line items and charges then contain the fee. A free
     *       cancellation sends no such event.
     *
     *     Delivery, order, retries and signature work as for `ride.status.updated`.
     */
    post: operations['onRideReceiptReady'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description An opaque identifier. */
    Identifier: string;
    /** @description A ride type. Available types depend on the place. Current types are `svc`, `svc_plus`, `svc_line` (shared), `svc_premier`, `svc_lux` and `svc_luxsuv`; expect others. */
    RideTypeKey: string;
    /** @description The ISO 4217 currency code. */
    Currency: string;
    /**
     * Format: double
     * @description Latitude in degrees, WGS 84.
     */
    Latitude: number;
    /**
     * Format: double
     * @description Longitude in degrees, WGS 84.
     */
    Longitude: number;
    /** @description The Prime Time surcharge in percent of the fare, in steps of 25. `0%` if there is none. */
    PrimeTimePercentage: string;
    /** @description An average rating from 0.0 to 5.0 stars, as a string. */
    Stars: string;
    /** @description An HTML page. */
    PageOfConsent: string;
    /** @description A grant and its parameters (RFC 6749). Unknown parameters are ignored. An empty parameter counts as omitted. */
    TokenRequest: {
      /** @description One of `client_credentials`, `authorization_code` or `refresh_token`. */
      grant_type: string;
      /** @description Scopes, separated by spaces. `client_credentials` allows `public` and `events`. If omitted, the token gets `public`. `refresh_token` allows only scopes that the passenger granted. If omitted, the token gets all of them. Any other scope fails with `invalid_scope`. `authorization_code` ignores this field: the token gets what the passenger granted. */
      scope?: string | null | undefined;
      /**
       * Format: password
       * @description For `authorization_code`, the authorization code. Use it once, within 10 minutes.
       */
      code?: string | null | undefined;
      /**
       * @description The registered redirect URI that received the code. Optional. Any other URI fails with `invalid_grant`, even if your application registered it as well.
       * @example http://localhost:8080/demo/callback
       */
      redirect_uri?: string | null | undefined;
      /**
       * Format: password
       * @description The verifier for the S256 `code_challenge` of the authorization request (RFC 7636). Required if that request had a challenge, and rejected if it had none.
       */
      code_verifier?: string | null | undefined;
      /**
       * Format: password
       * @description For `refresh_token`, the refresh token.
       */
      refresh_token?: string | null | undefined;
      /**
       * @description Optional. If you send it, it must match the client ID in the HTTP Basic credentials.
       * @example demo
       */
      client_id?: string | null | undefined;
      /**
       * Format: password
       * @description Optional. The secret belongs in the HTTP Basic credentials. If you also send it here, it must match.
       */
      client_secret?: string | null | undefined;
    };
    /** @description An access token (RFC 6749, section 5.1). */
    Token: {
      /** @description `Bearer` for a client token, `bearer` for a user token. */
      token_type: string;
      /**
       * Format: password
       * @description Send it in the `Authorization` header, after `Bearer` and a space.
       */
      access_token: string;
      /**
       * Format: password
       * @description Use it to get new access tokens. Returned in exchange for an authorization code if the passenger granted `offline`. Expires after 365 days without use. A refresh returns a new one only if the application rotates refresh tokens.
       */
      refresh_token?: string | undefined;
      /**
       * Format: int32
       * @description Lifetime of the access token, in seconds.
       */
      expires_in: number;
      /** @description The scopes of the token, separated by spaces. There may be fewer than you requested. */
      scope: string;
    };
    /** @description The token to revoke (RFC 7009). Unknown parameters are ignored. An empty parameter counts as omitted. */
    RevokeRequest: {
      /**
       * Format: password
       * @description The refresh token.
       */
      token: string;
      /**
       * @description Optional. If you send it, it must match the client ID in the HTTP Basic credentials.
       * @example demo
       */
      client_id?: string | null | undefined;
      /**
       * Format: password
       * @description Optional. The secret belongs in the HTTP Basic credentials. If you also send it here, it must match.
       */
      client_secret?: string | null | undefined;
    };
    /** @description The token to revoke (RFC 7009). Unknown parameters are ignored. An empty parameter counts as omitted. */
    RevocationRequest: {
      /**
       * Format: password
       * @description The access token or the refresh token.
       */
      token: string;
      /** @description The type of the token, such as `access_token` or `refresh_token`. Optional. A wrong hint has no effect. */
      token_type_hint?: string | null | undefined;
      /**
       * @description Optional. If you send it, it must match the client ID in the HTTP Basic credentials.
       * @example demo
       */
      client_id?: string | null | undefined;
      /**
       * Format: password
       * @description Optional. The secret belongs in the HTTP Basic credentials. If you also send it here, it must match.
       */
      client_secret?: string | null | undefined;
    };
    /** @description An empty object. */
    Revoked: Record<string, never>;
    /** @description A place in a request. You can send back a place from a response unchanged. */
    RequestedPlace: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. */
      address?: string | null | undefined;
      /**
       * @description Driving time in seconds. Ignored, and accepted only because places in responses include it.
       * @example 240
       */
      eta_seconds?: number | null | undefined;
      /**
       * Format: date-time
       * @description Ignored. Accepted because places in responses include it.
       * @example 2026-05-15T01:09:00.000+00:00
       */
      time?: string | null | undefined;
    };
    /** @description An optional place in a request. You can send back a place from a response unchanged. */
    OptionalPlace: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. */
      address?: string | null | undefined;
      /**
       * @description Driving time in seconds. Ignored, and accepted only because places in responses include it.
       * @example 240
       */
      eta_seconds?: number | null | undefined;
      /**
       * Format: date-time
       * @description Ignored. Accepted because places in responses include it.
       * @example 2026-05-15T01:09:00.000+00:00
       */
      time?: string | null | undefined;
    } | null;
    /** @description A place in a ride. */
    Place: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. Null if none was provided. */
      address: string | null;
    };
    /** @description The requested pickup, with the driver's estimated time of arrival. */
    PickupWithEta: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. Null if none was provided. */
      address: string | null;
      /**
       * Format: int32
       * @description Driving time until the driver arrives, in whole seconds. Null if unknown.
       */
      eta_seconds: number | null;
    };
    /** @description The requested drop-off, with the car's estimated time of arrival. */
    DestinationWithEta: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. Null if none was provided. */
      address: string | null;
      /**
       * Format: double
       * @description Driving time until the drop-off, in whole seconds. Null if unknown.
       */
      eta_seconds: number | null;
    };
    /** @description Where and when the passenger got in or out of the car. */
    PlaceAndTime: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Text to display for the place. Null if none was provided. */
      address: string | null;
      /**
       * Format: date-time
       * @description When the passenger got in or out.
       */
      time: string;
    };
    /** @description A position on the map. */
    Position: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
    };
    /** @description The position and heading of the car. */
    VehiclePosition: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /**
       * Format: double
       * @description Heading in degrees clockwise from north, below 360. Null if the car is not moving.
       */
      bearing: number | null;
    };
    /** @description The ride types available at a place. */
    RideTypeList: {
      /** @description The ride types, cheapest first. */
      ride_types: components['schemas']['OfferedRideType'][];
    };
    /** @description A ride type and its prices at the requested place. */
    OfferedRideType: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Name to display. */
      display_name: string;
      /**
       * Format: uri
       * @description Picture of a car of this type.
       */
      image_url: string;
      /**
       * Format: int32
       * @description Maximum number of passengers. Request a shared ride for one passenger only.
       */
      seats: number;
      pricing_details: components['schemas']['PricingDetails'];
    };
    /** @description The prices of a ride type in a city. */
    PricingDetails: {
      /**
       * Format: int32
       * @description Base charge for each ride, in minor units.
       */
      base_charge: number;
      /**
       * Format: int32
       * @description Charge per mile, in minor units.
       */
      cost_per_mile: number;
      /**
       * Format: int32
       * @description Charge per minute, in minor units.
       */
      cost_per_minute: number;
      /**
       * Format: int32
       * @description Minimum fare, in minor units.
       */
      cost_minimum: number;
      /**
       * Format: int32
       * @description Fee added to the fare, in minor units. Prime Time does not increase it.
       */
      trust_and_service: number;
      /**
       * Format: int32
       * @description Fee for a late cancellation, in minor units.
       */
      cancel_penalty_amount: number;
      currency: components['schemas']['Currency'];
    };
    /** @description Estimated driver arrival times at a pickup. */
    EtaEstimateList: {
      /** @description One estimate for each ride type. */
      eta_estimates: components['schemas']['EtaEstimate'][];
    };
    /** @description How soon a driver of one ride type can reach the pickup. If the estimate is not valid, `eta_seconds` is null. */
    EtaEstimate: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Name to display. */
      display_name: string;
      /**
       * Format: int32
       * @description Time until the nearest driver can reach the pickup, in seconds. Null if no driver is free or the time cannot be predicted.
       */
      eta_seconds: number | null;
      /** @description Whether the estimate is usable. If false, do not show an estimate. */
      is_valid_estimate: boolean;
    };
    /** @description Estimated costs of a ride. */
    CostEstimateList: {
      /** @description One estimate for each ride type. */
      cost_estimates: components['schemas']['CostEstimate'][];
    };
    /** @description The estimated cost of a ride of one ride type. If the request has no end location, the costs, distance and duration are absent. */
    CostEstimate: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Name to display. */
      display_name: string;
      /**
       * Format: int64
       * @description Low end of the price range, in minor units. 0 if the estimate is not valid.
       */
      estimated_cost_cents_min?: number | undefined;
      /**
       * Format: int64
       * @description High end of the price range, in minor units. 0 if the estimate is not valid.
       */
      estimated_cost_cents_max?: number | undefined;
      /**
       * Format: double
       * @description Driving distance, in miles.
       */
      estimated_distance_miles?: number | undefined;
      /**
       * Format: int32
       * @description Driving time, in seconds.
       */
      estimated_duration_seconds?: number | undefined;
      currency: components['schemas']['Currency'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * @deprecated
       * @description Former name of `cost_token`.
       */
      primetime_confirmation_token?: string | null | undefined;
      /** @description Send it to requestRide within one minute to fix this price and confirm its Prime Time. If the estimate has no end location, the token confirms only Prime Time. Null if you use a client token or the estimate is not valid. */
      cost_token: string | null;
      /** @description Whether the estimate is usable. False for trips of more than 100 miles. */
      is_valid_estimate: boolean;
    };
    /** @description Nearby drivers, by ride type. */
    NearbyDriverList: {
      /** @description One entry for each ride type. */
      nearby_drivers: components['schemas']['NearbyDriversOfType'][];
    };
    /** @description Drivers of one ride type. */
    NearbyDriversOfType: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description A sample of the available drivers, nearest first. */
      drivers: components['schemas']['NearbyDriver'][];
    };
    /** @description An anonymous nearby driver. */
    NearbyDriver: {
      /** @description The most recent positions of the car, oldest first. */
      locations: components['schemas']['Position'][];
    };
    /** @description Nearby drivers and their pickup times. */
    PickupEtaList: {
      /** @description IANA time zone of the place. Use it to display every time in this response. */
      timezone: string;
      /** @description One entry for each ride type that has a driver nearby. */
      nearby_drivers_pickup_etas: components['schemas']['PickupEta'][];
    };
    /** @description When a driver of one ride type could pick up the passenger. */
    PickupEta: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Name to display. */
      display_name: string;
      pickup_duration_range: components['schemas']['PickupDurationRange'];
      pickup_time_range: components['schemas']['PickupTimeRange'];
      /** @description The drivers that the estimate is based on, nearest first. */
      nearby_drivers: components['schemas']['NearbyDriver'][];
    };
    /** @description Estimated time until pickup. */
    PickupDurationRange: {
      /**
       * Format: int32
       * @description Estimated time until pickup, in milliseconds.
       */
      duration_ms: number;
      /**
       * Format: int32
       * @description How far the estimate may be off in either direction, in milliseconds. Null if unknown.
       */
      range_ms: number | null;
    };
    /** @description Estimated pickup time. */
    PickupTimeRange: {
      /**
       * Format: int64
       * @description Estimated pickup time, in milliseconds since 1970 UTC.
       */
      timestamp_ms: number;
      /**
       * Format: int32
       * @description How far the estimate may be off in either direction, in milliseconds. Null if unknown.
       */
      range_ms: number | null;
    };
    /** @description The ride to request. */
    RideRequest: {
      origin: components['schemas']['RequestedPlace'];
      destination?: components['schemas']['OptionalPlace'] | undefined;
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Confirms Prime Time and fixes the price. Get it from estimateCost or from a 400 `primetime_confirmation_required`. Use it once, within one minute, with the same application, passenger and ride type. Pickup and drop-off must each be within 250 meters of the original ones. */
      cost_token?: string | null | undefined;
      /**
       * @deprecated
       * @description Former name of `cost_token`. It still works. If you send both, `cost_token` takes precedence.
       * @example eyJhbGciOiJIUzI1NiJ9.eyJyaWRlX3R5cGUiOiJzdmMiLCJmYXJlIjoxNTQzfQ.3vK9sXq2mT7wZ1bN4cR8yL0pJ6hG5dFaQeUiOoYxVtE
       */
      primetime_confirmation_token?: string | null | undefined;
    };
    /** @description A newly requested ride. */
    RequestedRide: {
      ride_id: components['schemas']['Identifier'];
      /**
       * @description Always `pending`, because a new ride waits for a driver.
       * @enum {string}
       */
      status: 'pending';
      ride_type: components['schemas']['RideTypeKey'];
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      passenger: components['schemas']['Passenger'];
    };
    /**
     * @description A ride. Its fields depend on `status`: a field that is not listed for a status is absent.
     *     If `ride_type` is `svc_line`, tell your user that other passengers may join.
     */
    Ride:
      | components['schemas']['PendingRide']
      | components['schemas']['AcceptedRide']
      | components['schemas']['ArrivedRide']
      | components['schemas']['PickedUpRide']
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide']
      | components['schemas']['UnknownRide'];
    /** @description A finished ride. */
    FinishedRide:
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide']
      | components['schemas']['UnknownRide'];
    /** @description Past rides. */
    RideHistory: {
      /** @description The rides, most recently requested first. */
      ride_history: components['schemas']['FinishedRide'][];
    };
    /** @description Fields that every ride has. */
    RideFacts: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
    };
    /**
     * @description Whether the ride is personal or for business.
     * @enum {string}
     */
    RideProfile: 'personal' | 'business';
    /**
     * @description Someone who can cancel a ride.
     * @enum {string}
     */
    RideParty: 'driver' | 'passenger' | 'dispatcher';
    /** @description The ride was requested and is waiting for a driver. Canceling is free. */
    PendingRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The ride is waiting for a driver.
       * @enum {string}
       */
      status: 'pending';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
    };
    /** @description A driver is on the way to the pickup and arrives in `origin.eta_seconds`. From this status on, the ride has `driver`, `vehicle` and `beacon_color`. It has `location` until the drop-off. */
    AcceptedRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The driver is on the way to the pickup.
       * @enum {string}
       */
      status: 'accepted';
      origin: components['schemas']['PickupWithEta'];
      destination?: components['schemas']['Place'] | undefined;
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      cancellation_price?: components['schemas']['CancellationPrice'] | undefined;
    };
    /** @description The driver is waiting at the pickup. */
    ArrivedRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The driver is waiting at the pickup.
       * @enum {string}
       */
      status: 'arrived';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      cancellation_price?: components['schemas']['CancellationPrice'] | undefined;
    };
    /** @description The passenger is in the car and reaches the drop-off in `destination.eta_seconds`. */
    PickedUpRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The passenger is in the car.
       * @enum {string}
       */
      status: 'pickedUp';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['DestinationWithEta'] | undefined;
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      pickup: components['schemas']['PlaceAndTime'];
      cancellation_price?: components['schemas']['CancellationPrice'] | undefined;
    };
    /**
     * @description The passenger was dropped off. Payment starts when the passenger rates the ride or the time to rate it runs out.
     *     `price`, `line_items` and `charges` appear together once the payment is processed.
     */
    DroppedOffRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The passenger was dropped off.
       * @enum {string}
       */
      status: 'droppedOff';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      pickup: components['schemas']['PlaceAndTime'];
      dropoff: components['schemas']['PlaceAndTime'];
      /**
       * Format: double
       * @description Distance driven with the passenger, in miles.
       */
      distance_miles: number;
      /**
       * Format: double
       * @description Time from pickup to drop-off, in seconds: a double that is always a whole number. For a live ride, the driving time, regardless of the simulation speed. In a sandbox, the time by its clock.
       */
      duration_seconds: number;
      price?: components['schemas']['Price'] | undefined;
      /** @description The parts of the price. The amounts add up to the price. */
      line_items?: components['schemas']['LineItem'][] | undefined;
      /** @description The payments. The amounts add up to the price. */
      charges?: components['schemas']['Charge'][] | undefined;
      /**
       * Format: int32
       * @description The passenger's rating, in stars. Absent until the passenger rates the ride.
       * @example 5
       */
      rating?: number | undefined;
      /**
       * @description The passenger's comment. Absent if there is none.
       * @example Smooth ride, thank you.
       */
      feedback?: string | undefined;
    };
    /**
     * @description The ride was canceled by `canceled_by`. The driver, car and pickup are present if the ride got that far.
     *     `price`, `line_items` and `charges` are present if there was a fee.
     */
    CanceledRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The ride was canceled.
       * @enum {string}
       */
      status: 'canceled';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      canceled_by: components['schemas']['Canceler'];
      driver?: components['schemas']['Driver'] | undefined;
      vehicle?: components['schemas']['Vehicle'] | undefined;
      beacon_color?: components['schemas']['BeaconColor'] | undefined;
      pickup?: components['schemas']['PlaceAndTime'] | undefined;
      price?: components['schemas']['Price'] | undefined;
      /** @description The fee and any regional taxes. The amounts add up to the price. */
      line_items?: components['schemas']['LineItem'][] | undefined;
      /** @description The payments. The amounts add up to the price. */
      charges?: components['schemas']['Charge'][] | undefined;
    };
    /** @description The ride was closed because it had no updates for 24 hours. It contains what was known by then. */
    UnknownRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The ride was closed after 24 hours without updates.
       * @enum {string}
       */
      status: 'unknown';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      driver?: components['schemas']['Driver'] | undefined;
      vehicle?: components['schemas']['Vehicle'] | undefined;
      beacon_color?: components['schemas']['BeaconColor'] | undefined;
      pickup?: components['schemas']['PlaceAndTime'] | undefined;
    };
    /** @description The passenger of a ride. */
    Passenger: {
      user_id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /**
       * Format: uri
       * @description Profile picture. Null if there is none.
       */
      image_url: string | null;
      /** @description Average rating by drivers, from 0.0 to 5.0 stars. Null before the first ride. */
      rating: string | null;
    };
    /** @description The driver of a ride. */
    Driver: {
      user_id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /**
       * Format: uri
       * @description Profile picture.
       */
      image_url: string;
      rating: components['schemas']['Stars'];
      /** @description Phone number to reach the driver, in E.164 format. */
      phone_number: string;
    };
    /** @description The driver's car. */
    Vehicle: {
      /** @description Make of the car. */
      make: string;
      /** @description Model of the car. */
      model: string;
      /**
       * Format: int32
       * @description Model year.
       */
      year: number;
      /** @description License plate number. */
      license_plate: string;
      /** @description Two-letter state code of the license plate. Null where plates have no state. */
      license_plate_state: string | null;
      /** @description Color of the car, as a name. */
      color: string;
      /**
       * Format: uri
       * @description Picture of the car in its color.
       */
      image_url: string;
    };
    /** @description Color of the light in the car, as a hex code. Show it to help the passenger find the car. */
    BeaconColor: string;
    /** @description The total price of a ride. */
    Price: {
      /**
       * Format: int64
       * @description Amount in minor units.
       */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description What the price is for. */
      description: string;
    };
    /** @description One part of the price. */
    LineItem: {
      /**
       * Format: int64
       * @description Amount in minor units.
       */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description Name to display, such as `Ride fare`. */
      type: string;
    };
    /** @description A payment. */
    Charge: {
      /**
       * Format: int64
       * @description Amount in minor units.
       */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description Name to display, such as `Visa ending in 4242`. */
      payment_method: string;
    };
    /** @description The fee for canceling now, and the token that confirms it. Absent while canceling is free. */
    CancellationPrice: {
      /**
       * Format: int64
       * @description The fee, in minor units.
       */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description The `cancel_confirmation_token` for cancelRide. */
      token: string;
      /**
       * Format: int32
       * @description How long the token is valid, in seconds.
       */
      token_duration: number;
      /** @description What the fee is for. You can show this text to the passenger. */
      description: string;
    };
    /** @description A rating of a ride, with an optional tip and comment. */
    RatingRequest: {
      /**
       * Format: int32
       * @description Rating in stars. Show 5 as the default.
       */
      rating: number;
      tip?: components['schemas']['Tip'] | undefined;
      /** @description Comment on the ride. */
      feedback?: string | null | undefined;
    };
    /** @description A tip for the driver, in the currency of the ride. */
    Tip: {
      /**
       * Format: int64
       * @description Amount in minor units, as a whole number. An amount above the ride's limit fails with `tip_too_large`.
       */
      amount: number;
      currency: components['schemas']['Currency'];
    } | null;
    /** @description The confirmation of a cancellation fee, if there is one. */
    CancelRequest: {
      /** @description Confirms the fee. Get it from a 400 `cancel_confirmation_required` or from the ride's `cancellation_price`. */
      cancel_confirmation_token?: string | null | undefined;
    };
    /** @description The price of a ride and how it was paid. */
    Receipt: {
      ride_id: components['schemas']['Identifier'];
      price: components['schemas']['Price'];
      /** @description The parts of the price. The amounts add up to the price. */
      line_items: components['schemas']['LineItem'][];
      /** @description The payments. The amounts add up to the price. */
      charges: components['schemas']['Charge'][];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      ride_profile: components['schemas']['RideProfile'];
    };
    /** @description The passenger who granted access. */
    Profile: {
      id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /** @description Whether the passenger has completed at least one ride. */
      has_taken_a_ride: boolean;
    };
    /** @description A status change of a ride. The new status must come after the ride's current status. */
    RideMove: {
      status: components['schemas']['RideStatus'];
      /** @description Who cancels the ride. Allowed only if `status` is `canceled`. */
      canceled_by?: components['schemas']['Canceler'] | null | undefined;
    };
    /**
     * @description The status of a ride.
     * @enum {string}
     */
    RideStatus: 'pending' | 'accepted' | 'arrived' | 'pickedUp' | 'droppedOff' | 'canceled' | 'unknown';
    /**
     * @description Who canceled the ride. `driver` includes dispatchers. `no_drivers_available` means that no driver accepted the ride within five minutes.
     * @enum {string}
     */
    Canceler: 'passenger' | 'driver' | 'no_drivers_available';
    /** @description A ride and its new status. */
    MovedRide: {
      ride_id: components['schemas']['Identifier'];
      status: components['schemas']['RideStatus'];
    };
    /** @description The Prime Time surcharge in the city around a place. */
    PrimeTimeSetting: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /**
       * @description The surcharge in percent of the fare at all hours, in steps of 25 up to `400%`. `0%` turns Prime Time off. Null
       *     turns it on at the city's own hours, by the sandbox's clock.
       */
      primetime_percentage: string | null;
    };
    /** @description The ride types available in the city around a place. */
    RideTypesSetting: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description The available ride types. */
      ride_types: components['schemas']['RideTypeKey'][];
    };
    /** @description Whether a ride type has drivers in the city around a place. */
    DriverAvailability: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Whether drivers are available. */
      driver_availability: boolean;
    };
    /**
     * @description `running`: the clock moves at the speed of real time. `frozen`: the clock stands still until you advance it or set it to `running`.
     * @enum {string}
     */
    ClockState: 'running' | 'frozen';
    /** @description The clock of a world. */
    Clock: {
      state: components['schemas']['ClockState'];
      /**
       * Format: date-time
       * @description Current time in the world.
       */
      now: string;
      /**
       * Format: date-time
       * @description Target time of an incomplete advance. Null if there is none. See [advanceClock](http://localhost:8080/docs#operation/advanceClock).
       */
      advancing_to: string | null;
    };
    /** @description The clock of a world after an advance. */
    AdvancedClock: components['schemas']['Clock'] & {
      /**
       * Format: int32
       * @description Number of ride steps and webhook attempts that this request ran.
       */
      steps: number;
    };
    /** @description The new state of a clock. */
    ClockSetting: {
      state: components['schemas']['ClockState'];
    };
    /** @description How far to advance a clock. */
    ClockAdvance: {
      /**
       * Format: int32
       * @description How far to advance the clock, in seconds. At most 30 days, and not beyond the year 2099.
       */
      seconds: number;
    };
    /** @description The initial settings of a world. */
    WorldRequest: {
      /** @description Seed for the IDs, cars and all random behavior in the world. Chosen at random if omitted. */
      seed?: string | null | undefined;
      /** @description Initial settings of the clock. */
      clock?:
        | {
            /** @description Whether the clock is running or frozen at first. `running` if omitted. */
            state?: components['schemas']['ClockState'] | null | undefined;
            /** @description Initial time, in ISO 8601 format with an offset, from 2015 to 2099. The real time if omitted. */
            now?: string | null | undefined;
          }
        | null
        | undefined;
      /**
       * @description Whether rides advance on their own.
       * @default false
       */
      auto_advance?: boolean | null | undefined;
      /**
       * @description Whether production rate limits apply. If false, only the [limit for all sandboxes together](http://localhost:8080/docs#section/Limits) applies.
       * @default true
       */
      limits?: boolean | null | undefined;
    };
    /** @description Changes to a world's settings. */
    WorldChange: {
      /** @description Whether rides advance on their own. */
      auto_advance?: boolean | null | undefined;
      /** @description Whether production rate limits apply. If false, only the [limit for all sandboxes together](http://localhost:8080/docs#section/Limits) applies. */
      limits?: boolean | null | undefined;
    };
    /** @description A sandbox world. */
    World: {
      world_id: components['schemas']['Identifier'];
      /** @description Seed for the IDs, cars and all random behavior in the world. */
      seed: string;
      /** @description Whether this is the application's default sandbox, which it has from the start. */
      is_default: boolean;
      clock: components['schemas']['Clock'];
      /** @description Whether rides advance on their own. */
      auto_advance: boolean;
      /** @description Whether production rate limits apply. If false, only the [limit for all sandboxes together](http://localhost:8080/docs#section/Limits) applies. */
      limits: boolean;
    };
    /** @description A new world and a client token for it. */
    CreatedWorld: {
      world: components['schemas']['World'];
      token: components['schemas']['Token'];
    };
    /**
     * @description What a token allows.
     * @enum {string}
     */
    Scope: 'public' | 'rides.read' | 'rides.request' | 'profile' | 'offline';
    /** @description The passenger to create. */
    PassengerRequest: {
      /**
       * Format: email
       * @description Email address, unique within the world. Generated if omitted.
       */
      email?: string | null | undefined;
      /**
       * @description Whether the passenger has already taken a ride.
       * @default false
       */
      has_taken_a_ride?: boolean | null | undefined;
      /** @description The scopes of the token. All except `offline` if omitted. */
      scopes?: components['schemas']['Scope'][] | null | undefined;
      /**
       * Format: int32
       * @description Lifetime of the token, in seconds.
       * @default 3600
       */
      expires_in?: number | null | undefined;
      /** @description First name. */
      first_name?: string | null | undefined;
      /** @description Last name. */
      last_name?: string | null | undefined;
      /** @description Phone number in E.164 format. Null for none. */
      phone_number?: string | null | undefined;
      /** @description Whether the phone number is verified. If false, the passenger cannot request rides. */
      phone_verified?: boolean | null | undefined;
      /**
       * @description Payment method for rides, as shown on receipts. Null for none, in which case the passenger cannot request rides.
       * @example Visa ending in 4242
       */
      payment_method?: string | null | undefined;
      /** @description Whether the account is suspended. If true, the passenger cannot request rides. */
      account_disabled?: boolean | null | undefined;
      /** @description Whether the passenger is driving. If true, the passenger cannot request rides. */
      driver_mode?: boolean | null | undefined;
      /** @description Whether the passenger requests rides for business. */
      business_profile?: boolean | null | undefined;
      /** @description Average rating by drivers, from 0.0 to 5.0 stars. Null before the first rating. */
      rating?: string | null | undefined;
    };
    /** @description Changes to a passenger. */
    PassengerChange: {
      /** @description First name. */
      first_name?: string | null | undefined;
      /** @description Last name. */
      last_name?: string | null | undefined;
      /** @description Phone number in E.164 format. Null for none. */
      phone_number?: string | null | undefined;
      /** @description Whether the phone number is verified. If false, the passenger cannot request rides. */
      phone_verified?: boolean | null | undefined;
      /**
       * @description Payment method for rides, as shown on receipts. Null for none, in which case the passenger cannot request rides.
       * @example Visa ending in 4242
       */
      payment_method?: string | null | undefined;
      /** @description Whether the account is suspended. If true, the passenger cannot request rides. */
      account_disabled?: boolean | null | undefined;
      /** @description Whether the passenger is driving. If true, the passenger cannot request rides. */
      driver_mode?: boolean | null | undefined;
      /** @description Whether the passenger requests rides for business. */
      business_profile?: boolean | null | undefined;
      /** @description Average rating by drivers, from 0.0 to 5.0 stars. Null before the first rating. */
      rating?: string | null | undefined;
    };
    /** @description A passenger, with every setting that a sandbox can change. */
    SandboxPassenger: {
      passenger_id: components['schemas']['Identifier'];
      /**
       * Format: email
       * @description Email address.
       */
      email: string;
      /** @description Whether the passenger has completed at least one ride. */
      has_taken_a_ride: boolean;
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /** @description Phone number in E.164 format. Null for none. */
      phone_number: string | null;
      /** @description Whether the phone number is verified. If false, the passenger cannot request rides. */
      phone_verified: boolean;
      /** @description Payment method for rides, as shown on receipts. Null for none, in which case the passenger cannot request rides. */
      payment_method: string | null;
      /** @description Whether the account is suspended. If true, the passenger cannot request rides. */
      account_disabled: boolean;
      /** @description Whether the passenger is driving. If true, the passenger cannot request rides. */
      driver_mode: boolean;
      /** @description Whether the passenger requests rides for business. */
      business_profile: boolean;
      /** @description Average rating by drivers, from 0.0 to 5.0 stars. Null before the first rating. */
      rating: string | null;
    };
    /** @description A new passenger and a user token for them. */
    CreatedPassenger: {
      passenger: components['schemas']['SandboxPassenger'];
      token: components['schemas']['Token'];
    };
    /** @description The webhook settings of a world: their URL and simulated delivery problems. */
    WebhookSettings: {
      /**
       * Format: uri
       * @description URL that receives the world's webhooks. Null to use the application's sandbox URL. Its port is 80, 443, or one from 1024 on that browsers allow and that no common database or cache uses.
       * @default null
       */
      url?: string | null | undefined;
      /**
       * Format: int32
       * @description Number of duplicates to send after each successful attempt, one after the other. Each one is a separate attempt in the list of events.
       * @default 0
       */
      duplicates?: number | null | undefined;
      /**
       * Format: int32
       * @description How long to delay the first attempt, in seconds of the world's clock.
       * @default 0
       */
      hold_seconds?: number | null | undefined;
      /**
       * @description Whether to apply `hold_seconds` only to every other event of a ride, starting with the first. The next event then overtakes the delayed one.
       * @default false
       */
      reorder?: boolean | null | undefined;
      /**
       * Format: int32
       * @description Number of attempts to drop at the start of each event's delivery. Each is recorded as failed. With 9, the event is lost until you resend it.
       * @default 0
       */
      drop_first?: number | null | undefined;
      /**
       * @description Whether to sign events with the wrong token.
       * @default false
       */
      wrong_signature?: boolean | null | undefined;
    };
    /** @description The webhook settings of a world: their URL and simulated delivery problems. */
    Webhooks: {
      /**
       * Format: uri
       * @description URL that receives the world's webhooks. Null if neither the world nor the application's sandboxes have a URL.
       */
      url: string | null;
      /**
       * Format: password
       * @description Token that signs the webhooks: the world's own, or the application's for sandboxes. It is never the token for live webhooks. Null if there is no URL or you use a user token.
       */
      verification_token: string | null;
      /**
       * Format: int32
       * @description Number of duplicates sent after each successful attempt.
       */
      duplicates: number;
      /**
       * Format: int32
       * @description How long to delay the first attempt, in seconds of the world's clock.
       */
      hold_seconds: number;
      /** @description Whether `hold_seconds` applies only to every other event of a ride. */
      reorder: boolean;
      /**
       * Format: int32
       * @description Number of attempts dropped at the start of each event's delivery.
       */
      drop_first: number;
      /** @description Whether to sign events with the wrong token. */
      wrong_signature: boolean;
    };
    /** @description A page of a world's events. */
    EventList: {
      /** @description The events, newest first. */
      events: components['schemas']['SandboxEvent'][];
      /** @description The `cursor` for the next page. Null on the last page. Treat it as opaque. */
      next_cursor: string | null;
    };
    /** @description A webhook event and its delivery. */
    SandboxEvent: {
      event_id: components['schemas']['Identifier'];
      ride_id: components['schemas']['Identifier'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      event_type: 'ride.status.updated' | 'ride.receipt.ready';
      /**
       * Format: date-time
       * @description When the event happened, by the world's clock.
       */
      occurred_at: string;
      /**
       * @description `pending`: waiting for an attempt. `delivered`: the latest attempt succeeded. `given_up`: the latest attempts failed, and no retry is left. `dropped`: the webhook URL was removed.
       * @enum {string}
       */
      delivery: 'pending' | 'delivered' | 'given_up' | 'dropped';
      /** @description The latest attempts, oldest first. Earlier attempts are deleted, but still count in `number`. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description The request body of the webhook. See [Webhooks](http://localhost:8080/docs#tag/Webhooks). */
      body: {
        [key: string]: unknown;
      };
    };
    /** @description One attempt to deliver an event. */
    DeliveryAttempt: {
      /**
       * Format: int32
       * @description Number of attempts so far, including this one.
       */
      number: number;
      /**
       * Format: int32
       * @description HTTP status of the response, as your server sent it. Null if there was no response.
       */
      status: number | null;
      /** @description Start of the response body, up to 1,000 bytes. Null if there was no response. */
      answer: string | null;
      /**
       * @description Why the attempt failed, in a sentence. Null if it succeeded or `status` shows the reason.
       * @example The connection timed out.
       */
      error: string | null;
    };
    /** @description A page of an application's webhook events. */
    WebhookEventList: {
      /** @description The events, newest first. */
      events: components['schemas']['RecordedEvent'][];
      /** @description The `cursor` for the next page. Null on the last page. Treat it as opaque. */
      next_cursor: string | null;
    };
    /** @description A webhook event and its delivery. */
    RecordedEvent: {
      event_id: components['schemas']['Identifier'];
      ride_id: components['schemas']['Identifier'];
      /**
       * @description Type of the event.
       * @enum {string}
       */
      event_type: 'ride.status.updated' | 'ride.receipt.ready';
      /**
       * Format: date-time
       * @description When the event happened, by the world's clock.
       */
      occurred_at: string;
      /**
       * @description `pending`: waiting for an attempt. `delivered`: the latest attempt succeeded. `given_up`: the latest attempts failed, and no retry is left. `dropped`: the webhook URL was removed. `not_sent`: there was no webhook URL when it happened.
       * @enum {string}
       */
      delivery: 'pending' | 'delivered' | 'given_up' | 'dropped' | 'not_sent';
      /** @description The latest attempts, oldest first. Earlier attempts are deleted, but still count in `number`. */
      attempts: components['schemas']['RecordedAttempt'][];
      /** @description The request body of the webhook. See [Webhooks](http://localhost:8080/docs#tag/Webhooks). */
      body: {
        [key: string]: unknown;
      };
    };
    /** @description A range of webhook events. */
    ResendRequest: {
      /** @description The first time of the range, by the world's clock. ISO 8601 with an offset, 2015 or later. */
      since: string;
      /** @description The end of the range, by the world's clock. Events of this time are not included. Now if omitted. */
      until?: string | null | undefined;
      /**
       * @description Send only events of this type. Every type if omitted.
       * @enum {string|null}
       */
      event_type?: 'ride.status.updated' | 'ride.receipt.ready' | null | undefined;
      /**
       * @description Whether to send only events that are `given_up` or `dropped`. Otherwise, those that are `delivered` or `not_sent` are sent too.
       * @default true
       */
      failed_only?: boolean | null | undefined;
    };
    /** @description The resend of a range of webhook events. */
    Resend: {
      /**
       * @description `running`: events are being sent. `finished`: the last delivery has ended. `canceled`: it was canceled before.
       * @enum {string}
       */
      state: 'running' | 'finished' | 'canceled';
      /**
       * Format: date-time
       * @description The first time of the range, by the world's clock.
       */
      since: string;
      /**
       * Format: date-time
       * @description The end of the range, by the world's clock.
       */
      until: string;
      /**
       * @description The only type of events sent. Null if every type is.
       * @enum {string|null}
       */
      event_type: 'ride.status.updated' | 'ride.receipt.ready' | null;
      /** @description Whether only failed events are sent. */
      failed_only: boolean;
      /**
       * Format: int32
       * @description Number of events that were to be sent at the start.
       */
      count: number;
      /**
       * Format: int32
       * @description Number of them that your receiver has accepted.
       */
      delivered: number;
      /**
       * Format: int32
       * @description Number of them that failed again.
       */
      failed: number;
      /**
       * Format: date-time
       * @description When the resend started, in real time.
       */
      started_at: string;
      /**
       * Format: date-time
       * @description When it finished or was canceled, in real time. Null while it runs.
       */
      ended_at: string | null;
    };
    /** @description One attempt to deliver an event. */
    RecordedAttempt: {
      /**
       * Format: int32
       * @description Number of attempts so far, including this one.
       */
      number: number;
      /**
       * Format: date-time
       * @description When the attempt started, in real time.
       */
      started_at: string;
      /**
       * Format: int32
       * @description How long the attempt took, in milliseconds.
       */
      duration_ms: number;
      /**
       * Format: int32
       * @description HTTP status of the response, as your server sent it. Null if there was no response.
       */
      status: number | null;
      /** @description Start of the response body, up to 1,000 bytes. Null if there was no response. */
      answer: string | null;
      /**
       * @description Why the attempt failed, in a sentence. Null if it succeeded or `status` shows the reason.
       * @example The connection timed out.
       */
      error: string | null;
    };
    /** @description The body of every error response. */
    Failure: {
      /** @description A human-readable sentence that says what went wrong. */
      error_description: string;
      /** @description One object for each invalid parameter, with its name as the key and the problem as the value. Empty if no parameter is invalid. For `user_already_in_ride`, contains the `ride_id` of the current ride if the token has the scope `rides.read`. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description The section of the documentation that explains this error.
       */
      documentation_url?: string | undefined;
      /**
       * Format: uri
       * @description A page that guides the passenger through what they must do first. Absent if there is nothing for them to do.
       * @example http://localhost:8080/account/payment
       */
      error_uri?: string | undefined;
    };
    /** @description A parameter is invalid. */
    BadParameterFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'bad_parameter';
    };
    /** @description A parameter is invalid, or there is no service at this place. */
    AreaFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'bad_parameter' | 'no_service_in_area';
    };
    /** @description A parameter is invalid, or the ride type is not available at this place. */
    AvailabilityFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'bad_parameter' | 'no_service_in_area' | 'ridetype_unavailable_in_region';
    };
    /** @description The passenger must fix a problem with their account first. */
    PassengerFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'user_payment_required' | 'account_disabled' | 'user_in_driver_mode' | 'verified_phone_required';
    };
    /** @description The ride cannot be requested right now. */
    RideRequestConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'no_drivers_available' | 'user_already_in_ride' | 'too_many_rides' | 'too_many_events' | 'too_many_bytes';
    };
    /** @description The destination of the ride cannot be changed. */
    DestinationFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error:
        | 'bad_parameter'
        | 'invalid_destination'
        | 'destination_prohibited'
        | 'ride_is_lyft_line'
        | 'ride_is_finished';
    };
    /** @description The rating or its tip is invalid. */
    RatingFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'bad_parameter' | 'user_cannot_rate_this_ride' | 'tip_too_large' | 'tip_currency_not_accepted';
    };
    /** @description The ride has not reached its drop-off. */
    RideNotFinishedFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'ride_not_finished';
    };
    /** @description The ride is over. */
    RideFinishedFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'ride_is_finished';
    };
    /** @description The ride belongs to another passenger. */
    RideForbiddenFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'ride_does_not_belong_to_user';
    };
    /** @description The ride does not exist. */
    RideNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'ride_not_found';
    };
    /** @description The ride does not exist or has no receipt yet. */
    ReceiptNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'ride_not_found' | 'receipt_not_available';
    };
    /** @description The operation works only in a sandbox. */
    SandboxFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'sandbox_only';
    };
    /** @description The token cannot change the status of this ride. */
    MoveForbiddenFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'sandbox_only' | 'ride_does_not_belong_to_user';
    };
    /** @description The application has reached its limit of worlds, or its sandboxes are full. */
    WorldConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'too_many_worlds' | 'too_many_bytes';
    };
    /** @description The sandboxes of the application have reached their limit of passengers, or are full. */
    PassengerConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'too_many_passengers' | 'too_many_bytes';
    };
    /** @description The sandboxes of the application are full. */
    SandboxesFullFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'too_many_bytes';
    };
    /** @description The default sandbox cannot be deleted. */
    WorldIsDefaultFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'world_is_default';
    };
    /** @description The event cannot be sent again now. */
    ResendConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'no_webhook_url' | 'too_many_bytes';
    };
    /** @description The events cannot be sent again now. */
    RangeConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'no_webhook_url' | 'resend_running' | 'too_many_bytes';
    };
    /** @description There is no resend. */
    ResendNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'resend_not_found';
    };
    /** @description The event does not exist. */
    EventNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'event_not_found';
    };
    /** @description The token request is invalid or was denied. */
    TokenFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_grant' | 'invalid_scope';
    };
    /** @description The authorization request is invalid. */
    AuthorizationFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope';
    };
    /** @description The request is invalid, for example because it has no token. */
    RevokeFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'invalid_request';
    };
    /** @description The client credentials are missing or wrong. */
    InvalidClientFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'invalid_client';
    };
    /** @description The access token is missing or invalid, or it lacks a scope. The response to an expired token has no body. */
    UnauthorizedFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'invalid_token' | 'insufficient_scope';
    };
    /** @description The body is too large. */
    PayloadTooLargeFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'payload_too_large';
    };
    /** @description The body is not JSON. */
    UnsupportedMediaTypeFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'unsupported_media_type';
    };
    /** @description There were too many requests in this window, or too many at once. */
    RateLimitFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'rate_limit_exceeded';
    };
    /** @description Something went wrong on our side. */
    InternalFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'internal_error';
    };
    /** @description The server is temporarily unavailable. */
    UnavailableFailure: components['schemas']['Failure'] & {
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'temporarily_unavailable';
    };
    /** @description The ride request is invalid. */
    RideRequestRefusal: {
      /** @description A human-readable sentence that says what went wrong. */
      error_description: string;
      /** @description One object for each invalid parameter, with its name as the key and the problem as the value. Empty if no parameter is invalid. For `user_already_in_ride`, contains the `ride_id` of the current ride if the token has the scope `rides.read`. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description The section of the documentation that explains this error.
       */
      documentation_url?: string | undefined;
      /**
       * Format: uri
       * @description A page that guides the passenger through what they must do first. Absent if there is nothing for them to do.
       * @example http://localhost:8080/account/payment
       */
      error_uri?: string | undefined;
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error:
        | 'bad_parameter'
        | 'no_service_in_area'
        | 'ridetype_unavailable_in_region'
        | 'invalid_primetime_confirmation'
        | 'destination_prohibited'
        | 'client_error';
    };
    /** @description Prime Time applies. Repeat the request with `cost_token` once the passenger agrees to the surcharge. */
    PrimeTimeConfirmationRequired: {
      /** @description A human-readable sentence that says what went wrong. */
      error_description: string;
      /** @description One object for each invalid parameter, with its name as the key and the problem as the value. Empty if no parameter is invalid. For `user_already_in_ride`, contains the `ride_id` of the current ride if the token has the scope `rides.read`. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description The section of the documentation that explains this error.
       */
      documentation_url?: string | undefined;
      /**
       * Format: uri
       * @description A page that guides the passenger through what they must do first. Absent if there is nothing for them to do.
       * @example http://localhost:8080/account/payment
       */
      error_uri?: string | undefined;
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'primetime_confirmation_required';
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: double
       * @description The factor by which the fare is multiplied. A surcharge of 100% is 2.0.
       */
      primetime_multiplier: number;
      /** @description Send it with the repeated request to confirm the surcharge and fix the price. */
      cost_token: string;
      /**
       * @deprecated
       * @description Former name of `cost_token`.
       */
      primetime_confirmation_token: string;
      /** @description How long the token is valid, in seconds, as a string. */
      token_duration: string;
    };
    /** @description The ride was not requested. After `primetime_confirmation_required`, you can retry once the passenger agrees to the surcharge. */
    RideRequestFailure:
      | components['schemas']['RideRequestRefusal']
      | components['schemas']['PrimeTimeConfirmationRequired'];
    /** @description The cancellation request is invalid. */
    CancelRefusal: {
      /** @description A human-readable sentence that says what went wrong. */
      error_description: string;
      /** @description One object for each invalid parameter, with its name as the key and the problem as the value. Empty if no parameter is invalid. For `user_already_in_ride`, contains the `ride_id` of the current ride if the token has the scope `rides.read`. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description The section of the documentation that explains this error.
       */
      documentation_url?: string | undefined;
      /**
       * Format: uri
       * @description A page that guides the passenger through what they must do first. Absent if there is nothing for them to do.
       * @example http://localhost:8080/account/payment
       */
      error_uri?: string | undefined;
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'bad_parameter' | 'invalid_cancel_confirmation';
    };
    /** @description Canceling now costs a fee. Repeat the request with `token` once the passenger agrees to the fee. */
    CancelConfirmationRequired: {
      /** @description A human-readable sentence that says what went wrong. */
      error_description: string;
      /** @description One object for each invalid parameter, with its name as the key and the problem as the value. Empty if no parameter is invalid. For `user_already_in_ride`, contains the `ride_id` of the current ride if the token has the scope `rides.read`. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description The section of the documentation that explains this error.
       */
      documentation_url?: string | undefined;
      /**
       * Format: uri
       * @description A page that guides the passenger through what they must do first. Absent if there is nothing for them to do.
       * @example http://localhost:8080/account/payment
       */
      error_uri?: string | undefined;
      /**
       * @description A machine-readable error code.
       * @enum {string}
       */
      error: 'cancel_confirmation_required';
      /**
       * Format: int64
       * @description The fee, in minor units.
       */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description Send it as `cancel_confirmation_token` in the repeated request. */
      token: string;
      /**
       * Format: int32
       * @description How long the token is valid, in seconds.
       */
      token_duration: number;
    };
    /** @description The ride was not canceled. After `cancel_confirmation_required`, you can retry once the passenger agrees to the fee. */
    CancelFailure: components['schemas']['CancelRefusal'] | components['schemas']['CancelConfirmationRequired'];
    /** @description The fields of every event. More may be added; ignore fields that you do not know. */
    WebhookFacts: {
      /**
       * @description The ID of the event. It stays the same when the event is sent again, so ignore IDs that you have already
       *     seen.
       */
      event_id: components['schemas']['Identifier'];
      /**
       * Format: uri
       * @description The ride's URL. Read it with a user token that has the scope `rides.read`.
       */
      href: string;
      /**
       * Format: date-time
       * @description When the event happened, ISO 8601 in UTC, written `+00:00`. It strictly increases within a ride. Use it to
       *     put events in order.
       */
      occurred_at: string;
    };
    /** @description A ride in a status that sends a webhook, as getRide would have returned it at that moment. */
    AnnouncedRide:
      | components['schemas']['AcceptedRide']
      | components['schemas']['ArrivedRide']
      | components['schemas']['PickedUpRide']
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide'];
    /** @description A ride's status changed. */
    RideStatusUpdated: components['schemas']['WebhookFacts'] & {
      /**
       * @description The kind of event.
       * @enum {string}
       */
      event_type: 'ride.status.updated';
      event: components['schemas']['AnnouncedRide'];
    };
    /** @description The payment fields of a ride that was paid for. */
    PaymentFacts: {
      price: components['schemas']['Price'];
      /** @description The parts of the price. Their amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How the ride was paid for. The amounts add up to the price. */
      charges: components['schemas']['Charge'][];
    };
    /** @description A finished ride that was paid for. */
    PaidDroppedOffRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The passenger was dropped off.
       * @enum {string}
       */
      status: 'droppedOff';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      pickup: components['schemas']['PlaceAndTime'];
      dropoff: components['schemas']['PlaceAndTime'];
      /**
       * Format: double
       * @description Distance driven with the passenger, in miles.
       */
      distance_miles: number;
      /**
       * Format: double
       * @description Time from pickup to drop-off, in seconds: a double that is always a whole number. For a live ride, the driving time, regardless of the simulation speed. In a sandbox, the time by its clock.
       */
      duration_seconds: number;
      price: components['schemas']['Price'];
      /** @description The parts of the price. Their amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How the ride was paid for. The amounts add up to the price. */
      charges: components['schemas']['Charge'][];
      /**
       * Format: int32
       * @description The passenger's rating, in stars. Absent until the passenger rates the ride.
       * @example 5
       */
      rating?: number | undefined;
      /**
       * @description The passenger's comment. Absent if there is none.
       * @example Smooth ride, thank you.
       */
      feedback?: string | undefined;
    };
    /** @description A canceled ride whose fee was paid. */
    PaidCanceledRide: {
      ride_id: components['schemas']['Identifier'];
      ride_type: components['schemas']['RideTypeKey'];
      passenger: components['schemas']['Passenger'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When the server generated this response.
       */
      generated_at: string;
      ride_profile: components['schemas']['RideProfile'];
      /**
       * Format: uri
       * @description A page with the city's prices.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride in progress to anyone with the link. It returns 404 once the ride has been over for 24 hours, by the
       *     world's clock. This server sends it with every ride. The field is optional because the API that this server follows has rides
       *     without one.
       */
      route_url?: string | undefined;
      /** @description Who can cancel the ride now. Empty when the ride is over. */
      can_cancel: components['schemas']['RideParty'][];
      /**
       * @description The ride was canceled.
       * @enum {string}
       */
      status: 'canceled';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'] | undefined;
      canceled_by: components['schemas']['Canceler'];
      driver?: components['schemas']['Driver'] | undefined;
      vehicle?: components['schemas']['Vehicle'] | undefined;
      beacon_color?: components['schemas']['BeaconColor'] | undefined;
      pickup?: components['schemas']['PlaceAndTime'] | undefined;
      price: components['schemas']['Price'];
      /** @description The parts of the price. Their amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How the ride was paid for. The amounts add up to the price. */
      charges: components['schemas']['Charge'][];
    };
    /** @description A ride with its receipt: `droppedOff` after a ride, `canceled` after a cancellation with a fee. */
    PaidRide: components['schemas']['PaidDroppedOffRide'] | components['schemas']['PaidCanceledRide'];
    /** @description A ride was paid for. */
    RideReceiptReady: components['schemas']['WebhookFacts'] & {
      /**
       * @description The kind of event.
       * @enum {string}
       */
      event_type: 'ride.receipt.ready';
      event: components['schemas']['PaidRide'];
    };
  };
  responses: {
    /** @description A parameter is missing, unknown or out of range. `error_detail` names it. */
    BadParameter: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description There is no service at this location, or a parameter is wrong. */
    AreaRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AreaFailure'];
      };
    };
    /** @description There is no service or no such ride type at this location, or a parameter is wrong. */
    AvailabilityRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AvailabilityFailure'];
      };
    };
    /** @description The ride was not requested. Only `primetime_confirmation_required` includes a surcharge for the passenger to confirm. */
    RideRequestRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideRequestFailure'];
      };
    };
    /** @description The passenger must fix a problem with their account first. `error_uri` is a page that shows how. */
    PassengerRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PassengerFailure'];
      };
    };
    /** @description No driver is available, the passenger is already in a ride, or the application's sandboxes are full. */
    RideRequestConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideRequestConflictFailure'];
      };
    };
    /** @description The ride cannot change to this destination. */
    DestinationRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['DestinationFailure'];
      };
    };
    /** @description The server does not accept the rating or its tip. */
    RatingRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RatingFailure'];
      };
    };
    /** @description The ride has not reached its drop-off, or ended without one. */
    RideNotFinished: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFinishedFailure'];
      };
    };
    /** @description The ride was not canceled. Only `cancel_confirmation_required` includes a fee for the passenger to confirm. */
    CancelRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['CancelFailure'];
      };
    };
    /** @description The ride is over and cannot be canceled. */
    RideFinished: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideFinishedFailure'];
      };
    };
    /** @description The ride belongs to another passenger. */
    RideForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideForbiddenFailure'];
      };
    };
    /** @description The ride does not exist. */
    RideNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFoundFailure'];
      };
    };
    /** @description The ride does not exist, or it has no receipt yet. */
    ReceiptNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ReceiptNotFoundFailure'];
      };
    };
    /** @description The ride cannot change to this status, or a parameter is wrong. */
    MoveRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description The token acts in the live world, or the ride belongs to another passenger. */
    MoveForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['MoveForbiddenFailure'];
      };
    };
    /** @description The token acts in the live world. This operation works only in a sandbox. */
    SandboxForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['SandboxFailure'];
      };
    };
    /** @description The application has reached its maximum number of worlds, or its sandboxes are full. */
    WorldConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WorldConflictFailure'];
      };
    };
    /** @description The sandboxes of the application have reached their maximum of passengers, or are full. */
    PassengerConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PassengerConflictFailure'];
      };
    };
    /** @description The sandboxes of the application are full. */
    SandboxesFull: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['SandboxesFullFailure'];
      };
    };
    /** @description The default sandbox of an application cannot be deleted. Reset it instead. */
    WorldIsDefault: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WorldIsDefaultFailure'];
      };
    };
    /** @description There is no webhook URL, or the sandboxes of the application are full. */
    ResendConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ResendConflictFailure'];
      };
    };
    /** @description There is no webhook URL, a resend is running, or the sandboxes of the application are full. */
    RangeConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RangeConflictFailure'];
      };
    };
    /** @description Your application has not sent a range of events again in this world. */
    ResendNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ResendNotFoundFailure'];
      };
    };
    /** @description Your application has no event with this ID in this world. */
    EventNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['EventNotFoundFailure'];
      };
    };
    /** @description The application or its redirect URI is unknown, or the request is invalid and no passenger is signed in. The server shows an error page instead of redirecting. */
    AuthorizationRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AuthorizationFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description The server does not issue a token for this request (RFC 6749, section 5.2). */
    TokenRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['TokenFailure'];
      };
    };
    /** @description The request has no token, or other client credentials in the body than in HTTP Basic. */
    RevokeRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RevokeFailure'];
      };
    };
    /** @description The client credentials are missing or wrong. */
    InvalidClient: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        'WWW-Authenticate': components['headers']['WWW-Authenticate-Basic'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InvalidClientFailure'];
      };
    };
    /**
     * @description The access token is missing, unknown, expired, or lacks the scope. For an **expired** token the response has an empty body
     *     and `token_expired` in the `error` header. Refresh the token, then retry.
     */
    Unauthorized: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        error: components['headers']['error'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnauthorizedFailure'];
      };
    };
    /** @description The body is larger than 64 KiB. */
    PayloadTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is larger than 64 KiB. */
    TokenPayloadTooLarge: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is not `application/json` in UTF-8, or its `Content-Encoding` is neither gzip nor deflate. */
    UnsupportedMediaType: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnsupportedMediaTypeFailure'];
      };
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    RateLimitExceeded: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    TokenRateLimitExceeded: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    AuthorizationRateLimitExceeded: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    RideRequestInternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    AuthorizationInternalError: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    TokenInternalError: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    TemporarilyUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    RideRequestTemporarilyUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    AuthorizationTemporarilyUnavailable: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    TokenTemporarilyUnavailable: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /**
     * @description The event isn't received: any other status, a redirect (we follow none), no response within 10 seconds, no
     *     connection, or an invalid certificate. We then retry up to eight times: 2, 5, 10, 20, 35, 55, 85 and 120 seconds
     *     after the first attempt started. Attempts never overlap. If a retry falls due while an earlier attempt is
     *     still waiting for your response, it starts when that attempt ends. If an attempt starts more than a second late
     *     because of us, all later ones move by the same time, so our downtime costs you no attempt. In a sandbox, these
     *     are seconds of its clock. While that clock is frozen, retries wait.
     *
     *     Your response can't change this schedule. We ignore `Retry-After`, and retry after a 410 Gone as after any other
     *     failure. We never ask for `100 Continue`: if a response begins with it, we stop reading and the attempt fails.
     *     We skip 102 and 103.
     *
     *     After the ninth failed attempt, we stop sending the event. Nothing else is lost: getRide and getReceipt still
     *     return all the data. After an outage on your side, read the rides that you believe to be in progress. Do the
     *     same when a ride is silent for longer than you expect.
     */
    NotReceived: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /**
     * @description The event is received. Any status from 200 to 299 counts, if it arrives within 10 seconds of the start of the
     *     attempt. The name lookup, the connection and TLS are part of the 10 seconds. Store the event, respond, and do
     *     slow work afterwards.
     *
     *     The body of your response makes no difference. We read at most 20 kB of it. We keep its first 1,000 bytes and
     *     the status for 30 days, so that you can look up what your server returned. Don't put secrets in it.
     */
    Received: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    RateLimitExceededOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    InternalErrorOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    TemporarilyUnavailableOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    RateLimitExceededOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    InternalErrorOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    TemporarilyUnavailableOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description The ride belongs to another passenger. */
    RideForbiddenOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideForbiddenFailure'];
      };
    };
    /** @description The ride does not exist. */
    RideNotFoundOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFoundFailure'];
      };
    };
    /** @description A parameter is missing, unknown or out of range. `error_detail` names it. */
    BadParameterOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 5
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description The body is larger than 64 KiB. */
    PayloadTooLargeOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is not `application/json` in UTF-8, or its `Content-Encoding` is neither gzip nor deflate. */
    UnsupportedMediaTypeOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnsupportedMediaTypeFailure'];
      };
    };
    /** @description There is no service at this location, or a parameter is wrong. */
    AreaRefusedOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AreaFailure'];
      };
    };
    /** @description There is no service or no such ride type at this location, or a parameter is wrong. */
    AvailabilityRefusedOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AvailabilityFailure'];
      };
    };
    /** @description A parameter is missing, unknown or out of range. `error_detail` names it. */
    BadParameterOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description The body is larger than 64 KiB. */
    PayloadTooLargeOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is not `application/json` in UTF-8, or its `Content-Encoding` is neither gzip nor deflate. */
    UnsupportedMediaTypeOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnsupportedMediaTypeFailure'];
      };
    };
    /** @description Too many requests in this window, or too many at once. Retry after `Retry-After` seconds. */
    RateLimitExceededOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Something failed on our side. Your request did not cause it. */
    InternalErrorOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description The server is restarting, its database is unavailable, full or busy, or too many people are signing in at once. Retry after `Retry-After` seconds. */
    TemporarilyUnavailableOf10: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
         * @example 10
         */
        'X-RateLimit-Limit'?: number | undefined;
        /**
         * @description Number of requests left in this window.
         * @example 9
         */
        'X-RateLimit-Remaining'?: number | undefined;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
  };
  parameters: {
    /**
     * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
     *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
     *     honors it.
     */
    scenario: string;
    /** @description The `ride_id` that requestRide returned. */
    ride_id: components['schemas']['Identifier'];
    /** @description Latitude of the pickup, in degrees. */
    lat: number;
    /** @description Longitude of the pickup, in degrees. */
    lng: number;
    /** @description Latitude of the drop-off, in degrees. Send both coordinates or neither. */
    destination_lat: number;
    /** @description Longitude of the drop-off, in degrees. Send both coordinates or neither. */
    destination_lng: number;
    /** @description Latitude of the pickup, in degrees. */
    start_lat: number;
    /** @description Longitude of the pickup, in degrees. */
    start_lng: number;
    /** @description Latitude of the drop-off, in degrees. Send both coordinates or neither. */
    end_lat: number;
    /** @description Longitude of the drop-off, in degrees. Send both coordinates or neither. */
    end_lng: number;
    /** @description Limits the response to this ride type. The available ride types depend on the place. */
    ride_type: components['schemas']['RideTypeKey'];
    /** @description The sender's name. It can change with any release, so don't rely on it. */
    'User-Agent': string;
    /**
     * @description `production` for a live ride, `sandbox` for a ride in a sandbox. This header isn't signed. Rely on which
     *     verification token verifies the body.
     */
    'Svc-Environment': 'production' | 'sandbox';
    /**
     * @description Proves that the body comes from us and is unchanged. To verify it:
     *
     *     1. Take the raw bytes of the body, before you parse it. Parsing JSON and writing it again changes the bytes.
     *     2. Compute their HMAC-SHA256. The key is your verification token for the environment, exactly as the developer
     *        portal shows it. The token looks like base64, but don't decode it.
     *     3. Encode the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44
     *        characters in total.
     *     4. Remove `sha256=` from the header and compare the rest with your result in constant time, for example with
     *        `timingSafeEqual`. If they differ, or the header is missing, return 401 and do nothing.
     *
     *     Test your code with this token and this body of 132 bytes:
     *
     *     ```sh
     *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
     *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
     *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
     *     ```
     *
     *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. If your result differs, count the bytes first. The
     *     usual cause is a line break at the end.
     */
    'X-Svc-Signature': string;
    /**
     * @description Two signatures of the same body, separated by a comma and a space: the first with the current token, the second
     *     with the previous one. This header is sent for 24 hours after the verification token changes, and is absent at
     *     all other times.
     *
     *     Use it to switch to the new token without losing an event. Accept a request if **either** signature is right. If
     *     the header is absent, check `X-Svc-Signature`. A receiver that still has the old token then keeps working, and
     *     never needs more than one token. Give it the new token within the 24 hours. If the old token has leaked, give the
     *     receiver the new one at once. From then on, it rejects requests that are signed only with the old token.
     *
     *     The example signs the body shown at `X-Svc-Signature`, with the token shown there and with the previous token
     *     `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC`.
     */
    'X-Svc-Signatures': string;
    /**
     * @description The `event_id`, which is the same in every attempt. This header and the next two follow
     *     [Standard Webhooks](https://www.standardwebhooks.com), so that its libraries can verify a request. You don't
     *     need them if you verify `X-Svc-Signature`.
     */
    'webhook-id': string;
    /**
     * @description When this attempt started, in seconds since 1970, in real time. Libraries refuse a request that is more than
     *     five minutes old.
     */
    'webhook-timestamp': string;
    /**
     * @description Signs `webhook-id`, `webhook-timestamp` and the body, separated by dots, with the same key as `X-Svc-Signature`.
     *     Libraries for Standard Webhooks take the key as `whsec_`, followed by the base64 of the token's bytes. The
     *     developer portal shows it as the signing secret. For 24 hours after the verification token changes, a second
     *     signature with the previous token follows after a space.
     *
     *     The example signs the body shown at `X-Svc-Signature`, with the token shown there. A library takes that token as
     *     `whsec_a1QzdlhxOUxtWjJ3UjhjWWI1TmZKN2hEMWdTNnBBMGVVaU9vV3RWeFF5TQ==`.
     */
    'webhook-signature': string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Identifies this request in the server's logs.
     * @example 5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64
     */
    'X-Request-Id': string;
    /**
     * @description Same value as `X-Request-Id`, for clients that expect this name.
     * @example 5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64
     */
    'Request-ID': string;
    /**
     * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
     * @example 5
     */
    'X-RateLimit-Limit': number;
    /**
     * @description Number of requests left in this window.
     * @example 4
     */
    'X-RateLimit-Remaining': number;
    /**
     * @description When the window ends and the count resets, in Unix time (seconds since 1970 UTC).
     * @example 1778807100
     */
    'X-RateLimit-Reset': number;
    /**
     * @description How long to wait before you retry, in seconds.
     * @example 42
     */
    'Retry-After': number;
    /**
     * @description Prevents caching, because the response is private.
     * @example no-store
     */
    'Cache-Control-No-Store': 'no-store';
    /**
     * @description Prevents caching by HTTP/1.0 caches.
     * @example no-cache
     */
    'Pragma-No-Cache': 'no-cache';
    /**
     * @description The response is a page or JSON, depending on `Accept`.
     * @example Origin, Accept
     */
    'Vary-Accept': string;
    /**
     * @description Restricts the page. It loads styles and images from this server only, runs no scripts, and cannot be framed.
     * @example default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
     */
    'Content-Security-Policy': string;
    /**
     * @description A cookie that protects the page's forms against cross-site request forgery. Only this server can read it.
     * @example ridehail_csrf=0b7c4e.91d2fa; Path=/; HttpOnly; SameSite=Lax
     */
    'Set-Cookie': string;
    /**
     * @description The application's redirect URI, with `code` or `error` added to its query, `iss` with the address of this server, and `state` if the request had one.
     * @example http://localhost:8080/demo/callback?code=Q2qR0sV9wXyZ1aBcD3eFgH4iJkL5mNoP6qRsT7uVwX8&iss=http%3A%2F%2Flocalhost%3A8080&state=f3Zr8kQp1Lw
     */
    Location: string;
    /**
     * @description The authentication scheme to use (RFC 7617).
     * @example Basic realm="ridehail", charset="UTF-8"
     */
    'WWW-Authenticate-Basic': string;
    /**
     * @description The authentication scheme to use (RFC 6750, section 3). If the request had no token, contains only the realm.
     * @example Bearer realm="ridehail", error="invalid_token"
     */
    'WWW-Authenticate': string;
    /**
     * @description What is wrong with the token. Check this header before the body: the response to an expired token has no body.
     * @example invalid_token
     */
    error: 'invalid_token' | 'token_expired' | 'insufficient_scope';
    /**
     * @description When a field in this request became deprecated, as `@` and seconds since 1970 UTC (RFC 9745). Absent if the request used no deprecated field.
     * @example @1767225600
     */
    Deprecation: string;
    /**
     * @description A link to the documentation of the deprecation. Absent if the request used no deprecated field.
     * @example <http://localhost:8080/docs#section/Versions>; rel="deprecation"; type="text/html"
     */
    Link: string;
  };
  pathItems: never;
}
export type Identifier = components['schemas']['Identifier'];
export type RideTypeKey = components['schemas']['RideTypeKey'];
export type Currency = components['schemas']['Currency'];
export type Latitude = components['schemas']['Latitude'];
export type Longitude = components['schemas']['Longitude'];
export type PrimeTimePercentage = components['schemas']['PrimeTimePercentage'];
export type Stars = components['schemas']['Stars'];
export type PageOfConsent = components['schemas']['PageOfConsent'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type Token = components['schemas']['Token'];
export type RevokeRequest = components['schemas']['RevokeRequest'];
export type RevocationRequest = components['schemas']['RevocationRequest'];
export type Revoked = components['schemas']['Revoked'];
export type RequestedPlace = components['schemas']['RequestedPlace'];
export type OptionalPlace = components['schemas']['OptionalPlace'];
export type Place = components['schemas']['Place'];
export type PickupWithEta = components['schemas']['PickupWithEta'];
export type DestinationWithEta = components['schemas']['DestinationWithEta'];
export type PlaceAndTime = components['schemas']['PlaceAndTime'];
export type Position = components['schemas']['Position'];
export type VehiclePosition = components['schemas']['VehiclePosition'];
export type RideTypeList = components['schemas']['RideTypeList'];
export type OfferedRideType = components['schemas']['OfferedRideType'];
export type PricingDetails = components['schemas']['PricingDetails'];
export type EtaEstimateList = components['schemas']['EtaEstimateList'];
export type EtaEstimate = components['schemas']['EtaEstimate'];
export type CostEstimateList = components['schemas']['CostEstimateList'];
export type CostEstimate = components['schemas']['CostEstimate'];
export type NearbyDriverList = components['schemas']['NearbyDriverList'];
export type NearbyDriversOfType = components['schemas']['NearbyDriversOfType'];
export type NearbyDriver = components['schemas']['NearbyDriver'];
export type PickupEtaList = components['schemas']['PickupEtaList'];
export type PickupEta = components['schemas']['PickupEta'];
export type PickupDurationRange = components['schemas']['PickupDurationRange'];
export type PickupTimeRange = components['schemas']['PickupTimeRange'];
export type RideRequest = components['schemas']['RideRequest'];
export type RequestedRide = components['schemas']['RequestedRide'];
export type Ride = components['schemas']['Ride'];
export type FinishedRide = components['schemas']['FinishedRide'];
export type RideHistory = components['schemas']['RideHistory'];
export type RideFacts = components['schemas']['RideFacts'];
export type RideProfile = components['schemas']['RideProfile'];
export type RideParty = components['schemas']['RideParty'];
export type PendingRide = components['schemas']['PendingRide'];
export type AcceptedRide = components['schemas']['AcceptedRide'];
export type ArrivedRide = components['schemas']['ArrivedRide'];
export type PickedUpRide = components['schemas']['PickedUpRide'];
export type DroppedOffRide = components['schemas']['DroppedOffRide'];
export type CanceledRide = components['schemas']['CanceledRide'];
export type UnknownRide = components['schemas']['UnknownRide'];
export type Passenger = components['schemas']['Passenger'];
export type Driver = components['schemas']['Driver'];
export type Vehicle = components['schemas']['Vehicle'];
export type BeaconColor = components['schemas']['BeaconColor'];
export type Price = components['schemas']['Price'];
export type LineItem = components['schemas']['LineItem'];
export type Charge = components['schemas']['Charge'];
export type CancellationPrice = components['schemas']['CancellationPrice'];
export type RatingRequest = components['schemas']['RatingRequest'];
export type Tip = components['schemas']['Tip'];
export type CancelRequest = components['schemas']['CancelRequest'];
export type Receipt = components['schemas']['Receipt'];
export type Profile = components['schemas']['Profile'];
export type RideMove = components['schemas']['RideMove'];
export type RideStatus = components['schemas']['RideStatus'];
export type Canceler = components['schemas']['Canceler'];
export type MovedRide = components['schemas']['MovedRide'];
export type PrimeTimeSetting = components['schemas']['PrimeTimeSetting'];
export type RideTypesSetting = components['schemas']['RideTypesSetting'];
export type DriverAvailability = components['schemas']['DriverAvailability'];
export type ClockState = components['schemas']['ClockState'];
export type Clock = components['schemas']['Clock'];
export type AdvancedClock = components['schemas']['AdvancedClock'];
export type ClockSetting = components['schemas']['ClockSetting'];
export type ClockAdvance = components['schemas']['ClockAdvance'];
export type WorldRequest = components['schemas']['WorldRequest'];
export type WorldChange = components['schemas']['WorldChange'];
export type World = components['schemas']['World'];
export type CreatedWorld = components['schemas']['CreatedWorld'];
export type Scope = components['schemas']['Scope'];
export type PassengerRequest = components['schemas']['PassengerRequest'];
export type PassengerChange = components['schemas']['PassengerChange'];
export type SandboxPassenger = components['schemas']['SandboxPassenger'];
export type CreatedPassenger = components['schemas']['CreatedPassenger'];
export type WebhookSettings = components['schemas']['WebhookSettings'];
export type Webhooks = components['schemas']['Webhooks'];
export type EventList = components['schemas']['EventList'];
export type SandboxEvent = components['schemas']['SandboxEvent'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type WebhookEventList = components['schemas']['WebhookEventList'];
export type RecordedEvent = components['schemas']['RecordedEvent'];
export type ResendRequest = components['schemas']['ResendRequest'];
export type Resend = components['schemas']['Resend'];
export type RecordedAttempt = components['schemas']['RecordedAttempt'];
export type Failure = components['schemas']['Failure'];
export type BadParameterFailure = components['schemas']['BadParameterFailure'];
export type AreaFailure = components['schemas']['AreaFailure'];
export type AvailabilityFailure = components['schemas']['AvailabilityFailure'];
export type PassengerFailure = components['schemas']['PassengerFailure'];
export type RideRequestConflictFailure = components['schemas']['RideRequestConflictFailure'];
export type DestinationFailure = components['schemas']['DestinationFailure'];
export type RatingFailure = components['schemas']['RatingFailure'];
export type RideNotFinishedFailure = components['schemas']['RideNotFinishedFailure'];
export type RideFinishedFailure = components['schemas']['RideFinishedFailure'];
export type RideForbiddenFailure = components['schemas']['RideForbiddenFailure'];
export type RideNotFoundFailure = components['schemas']['RideNotFoundFailure'];
export type ReceiptNotFoundFailure = components['schemas']['ReceiptNotFoundFailure'];
export type SandboxFailure = components['schemas']['SandboxFailure'];
export type MoveForbiddenFailure = components['schemas']['MoveForbiddenFailure'];
export type WorldConflictFailure = components['schemas']['WorldConflictFailure'];
export type PassengerConflictFailure = components['schemas']['PassengerConflictFailure'];
export type SandboxesFullFailure = components['schemas']['SandboxesFullFailure'];
export type WorldIsDefaultFailure = components['schemas']['WorldIsDefaultFailure'];
export type ResendConflictFailure = components['schemas']['ResendConflictFailure'];
export type RangeConflictFailure = components['schemas']['RangeConflictFailure'];
export type ResendNotFoundFailure = components['schemas']['ResendNotFoundFailure'];
export type EventNotFoundFailure = components['schemas']['EventNotFoundFailure'];
export type TokenFailure = components['schemas']['TokenFailure'];
export type AuthorizationFailure = components['schemas']['AuthorizationFailure'];
export type RevokeFailure = components['schemas']['RevokeFailure'];
export type InvalidClientFailure = components['schemas']['InvalidClientFailure'];
export type UnauthorizedFailure = components['schemas']['UnauthorizedFailure'];
export type PayloadTooLargeFailure = components['schemas']['PayloadTooLargeFailure'];
export type UnsupportedMediaTypeFailure = components['schemas']['UnsupportedMediaTypeFailure'];
export type RateLimitFailure = components['schemas']['RateLimitFailure'];
export type InternalFailure = components['schemas']['InternalFailure'];
export type UnavailableFailure = components['schemas']['UnavailableFailure'];
export type RideRequestRefusal = components['schemas']['RideRequestRefusal'];
export type PrimeTimeConfirmationRequired = components['schemas']['PrimeTimeConfirmationRequired'];
export type RideRequestFailure = components['schemas']['RideRequestFailure'];
export type CancelRefusal = components['schemas']['CancelRefusal'];
export type CancelConfirmationRequired = components['schemas']['CancelConfirmationRequired'];
export type CancelFailure = components['schemas']['CancelFailure'];
export type WebhookFacts = components['schemas']['WebhookFacts'];
export type AnnouncedRide = components['schemas']['AnnouncedRide'];
export type RideStatusUpdated = components['schemas']['RideStatusUpdated'];
export type PaymentFacts = components['schemas']['PaymentFacts'];
export type PaidDroppedOffRide = components['schemas']['PaidDroppedOffRide'];
export type PaidCanceledRide = components['schemas']['PaidCanceledRide'];
export type PaidRide = components['schemas']['PaidRide'];
export type RideReceiptReady = components['schemas']['RideReceiptReady'];
export type ResponseBadParameter = components['responses']['BadParameter'];
export type ResponseAreaRefused = components['responses']['AreaRefused'];
export type ResponseAvailabilityRefused = components['responses']['AvailabilityRefused'];
export type ResponseRideRequestRefused = components['responses']['RideRequestRefused'];
export type ResponsePassengerRefused = components['responses']['PassengerRefused'];
export type ResponseRideRequestConflict = components['responses']['RideRequestConflict'];
export type ResponseDestinationRefused = components['responses']['DestinationRefused'];
export type ResponseRatingRefused = components['responses']['RatingRefused'];
export type ResponseRideNotFinished = components['responses']['RideNotFinished'];
export type ResponseCancelRefused = components['responses']['CancelRefused'];
export type ResponseRideFinished = components['responses']['RideFinished'];
export type ResponseRideForbidden = components['responses']['RideForbidden'];
export type ResponseRideNotFound = components['responses']['RideNotFound'];
export type ResponseReceiptNotFound = components['responses']['ReceiptNotFound'];
export type ResponseMoveRefused = components['responses']['MoveRefused'];
export type ResponseMoveForbidden = components['responses']['MoveForbidden'];
export type ResponseSandboxForbidden = components['responses']['SandboxForbidden'];
export type ResponseWorldConflict = components['responses']['WorldConflict'];
export type ResponsePassengerConflict = components['responses']['PassengerConflict'];
export type ResponseSandboxesFull = components['responses']['SandboxesFull'];
export type ResponseWorldIsDefault = components['responses']['WorldIsDefault'];
export type ResponseResendConflict = components['responses']['ResendConflict'];
export type ResponseRangeConflict = components['responses']['RangeConflict'];
export type ResponseResendNotFound = components['responses']['ResendNotFound'];
export type ResponseEventNotFound = components['responses']['EventNotFound'];
export type ResponseAuthorizationRefused = components['responses']['AuthorizationRefused'];
export type ResponseTokenRefused = components['responses']['TokenRefused'];
export type ResponseRevokeRefused = components['responses']['RevokeRefused'];
export type ResponseInvalidClient = components['responses']['InvalidClient'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseTokenPayloadTooLarge = components['responses']['TokenPayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseRateLimitExceeded = components['responses']['RateLimitExceeded'];
export type ResponseTokenRateLimitExceeded = components['responses']['TokenRateLimitExceeded'];
export type ResponseAuthorizationRateLimitExceeded = components['responses']['AuthorizationRateLimitExceeded'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseRideRequestInternalError = components['responses']['RideRequestInternalError'];
export type ResponseAuthorizationInternalError = components['responses']['AuthorizationInternalError'];
export type ResponseTokenInternalError = components['responses']['TokenInternalError'];
export type ResponseTemporarilyUnavailable = components['responses']['TemporarilyUnavailable'];
export type ResponseRideRequestTemporarilyUnavailable = components['responses']['RideRequestTemporarilyUnavailable'];
export type ResponseAuthorizationTemporarilyUnavailable =
  components['responses']['AuthorizationTemporarilyUnavailable'];
export type ResponseTokenTemporarilyUnavailable = components['responses']['TokenTemporarilyUnavailable'];
export type ResponseNotReceived = components['responses']['NotReceived'];
export type ResponseReceived = components['responses']['Received'];
export type ResponseRateLimitExceededOf5 = components['responses']['RateLimitExceededOf5'];
export type ResponseInternalErrorOf5 = components['responses']['InternalErrorOf5'];
export type ResponseTemporarilyUnavailableOf5 = components['responses']['TemporarilyUnavailableOf5'];
export type ResponseRateLimitExceededOf1000 = components['responses']['RateLimitExceededOf1000'];
export type ResponseInternalErrorOf1000 = components['responses']['InternalErrorOf1000'];
export type ResponseTemporarilyUnavailableOf1000 = components['responses']['TemporarilyUnavailableOf1000'];
export type ResponseRideForbiddenOf5 = components['responses']['RideForbiddenOf5'];
export type ResponseRideNotFoundOf5 = components['responses']['RideNotFoundOf5'];
export type ResponseBadParameterOf5 = components['responses']['BadParameterOf5'];
export type ResponsePayloadTooLargeOf1000 = components['responses']['PayloadTooLargeOf1000'];
export type ResponseUnsupportedMediaTypeOf1000 = components['responses']['UnsupportedMediaTypeOf1000'];
export type ResponseAreaRefusedOf1000 = components['responses']['AreaRefusedOf1000'];
export type ResponseAvailabilityRefusedOf1000 = components['responses']['AvailabilityRefusedOf1000'];
export type ResponseBadParameterOf10 = components['responses']['BadParameterOf10'];
export type ResponsePayloadTooLargeOf10 = components['responses']['PayloadTooLargeOf10'];
export type ResponseUnsupportedMediaTypeOf10 = components['responses']['UnsupportedMediaTypeOf10'];
export type ResponseRateLimitExceededOf10 = components['responses']['RateLimitExceededOf10'];
export type ResponseInternalErrorOf10 = components['responses']['InternalErrorOf10'];
export type ResponseTemporarilyUnavailableOf10 = components['responses']['TemporarilyUnavailableOf10'];
export type ParameterScenario = components['parameters']['scenario'];
export type ParameterRideId = components['parameters']['ride_id'];
export type ParameterLat = components['parameters']['lat'];
export type ParameterLng = components['parameters']['lng'];
export type ParameterDestinationLat = components['parameters']['destination_lat'];
export type ParameterDestinationLng = components['parameters']['destination_lng'];
export type ParameterStartLat = components['parameters']['start_lat'];
export type ParameterStartLng = components['parameters']['start_lng'];
export type ParameterEndLat = components['parameters']['end_lat'];
export type ParameterEndLng = components['parameters']['end_lng'];
export type ParameterRideType = components['parameters']['ride_type'];
export type ParameterUserAgent = components['parameters']['User-Agent'];
export type ParameterSvcEnvironment = components['parameters']['Svc-Environment'];
export type ParameterXSvcSignature = components['parameters']['X-Svc-Signature'];
export type ParameterXSvcSignatures = components['parameters']['X-Svc-Signatures'];
export type ParameterWebhookId = components['parameters']['webhook-id'];
export type ParameterWebhookTimestamp = components['parameters']['webhook-timestamp'];
export type ParameterWebhookSignature = components['parameters']['webhook-signature'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRequestId = components['headers']['Request-ID'];
export type HeaderXRateLimitLimit = components['headers']['X-RateLimit-Limit'];
export type HeaderXRateLimitRemaining = components['headers']['X-RateLimit-Remaining'];
export type HeaderXRateLimitReset = components['headers']['X-RateLimit-Reset'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderCacheControlNoStore = components['headers']['Cache-Control-No-Store'];
export type HeaderPragmaNoCache = components['headers']['Pragma-No-Cache'];
export type HeaderVaryAccept = components['headers']['Vary-Accept'];
export type HeaderContentSecurityPolicy = components['headers']['Content-Security-Policy'];
export type HeaderSetCookie = components['headers']['Set-Cookie'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderWwwAuthenticateBasic = components['headers']['WWW-Authenticate-Basic'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderError = components['headers']['error'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderLink = components['headers']['Link'];
export type $defs = Record<string, never>;
export interface operations {
  authorizeApplication: {
    parameters: {
      query: {
        /** @description Your application's client ID. */
        client_id: string;
        /** @description The response type. Only `code` is supported. */
        response_type: 'code';
        /**
         * @description The scopes to request, separated by spaces. Defaults to `public rides.read`. Include `offline` to get a
         *     refresh token.
         */
        scope?: string | undefined;
        /** @description Any value. The redirect returns it unchanged, so that you can match it to your request. */
        state?: string | undefined;
        /**
         * @description Where the browser returns. It must match a redirect URI of your application, character for character. For a
         *     registered `http://127.0.0.1` or `http://[::1]`, any port is valid. The parameter is optional if your
         *     application has one redirect URI, and required if it has several. The demo application's redirect URI is
         *     `/demo/callback` on its server.
         */
        redirect_uri?: string | undefined;
        /**
         * @description The SHA-256 of your `code_verifier`, in base64url without padding (RFC 7636). Requires
         *     `code_challenge_method`.
         */
        code_challenge?: string | undefined;
        /** @description How the challenge is derived. Only `S256` is supported, and there is no default. */
        code_challenge_method?: 'S256' | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The consent page, or the sign-in page if the passenger isn't signed in. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/html': components['schemas']['PageOfConsent'];
        };
      };
      /** @description A redirect to the application, with a code or an error. */
      302: {
        headers: {
          Location: components['headers']['Location'];
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['AuthorizationRefused'];
      429: components['responses']['AuthorizationRateLimitExceeded'];
      500: components['responses']['AuthorizationInternalError'];
      503: components['responses']['AuthorizationTemporarilyUnavailable'];
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The grant type and its parameters. */
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRequest'];
        'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
      };
    };
    responses: {
      /** @description The token. Keep it out of logs and URLs. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          Pragma: components['headers']['Pragma-No-Cache'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      400: components['responses']['TokenRefused'];
      401: components['responses']['InvalidClient'];
      413: components['responses']['TokenPayloadTooLarge'];
      429: components['responses']['TokenRateLimitExceeded'];
      500: components['responses']['TokenInternalError'];
      503: components['responses']['TokenTemporarilyUnavailable'];
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The token to revoke. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevocationRequest'];
        'application/x-www-form-urlencoded': components['schemas']['RevocationRequest'];
      };
    };
    responses: {
      /** @description If the token belongs to your application and to the environment of the secret, it no longer works. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Revoked'];
        };
      };
      400: components['responses']['RevokeRefused'];
      401: components['responses']['InvalidClient'];
      413: components['responses']['TokenPayloadTooLarge'];
      429: components['responses']['TokenRateLimitExceeded'];
      500: components['responses']['TokenInternalError'];
      503: components['responses']['TokenTemporarilyUnavailable'];
    };
  };
  revokeRefreshToken: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The refresh token to revoke. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevokeRequest'];
        'application/x-www-form-urlencoded': components['schemas']['RevokeRequest'];
      };
    };
    responses: {
      /** @description If the token belongs to your application and to the environment of the secret, it no longer works. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Revoked'];
        };
      };
      400: components['responses']['RevokeRefused'];
      401: components['responses']['InvalidClient'];
      413: components['responses']['TokenPayloadTooLarge'];
      429: components['responses']['TokenRateLimitExceeded'];
      500: components['responses']['TokenInternalError'];
      503: components['responses']['TokenTemporarilyUnavailable'];
    };
  };
  listRideTypes: {
    parameters: {
      query: {
        /** @description Latitude of the pickup, in degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, in degrees. */
        lng: components['parameters']['lng'];
        /** @description Limits the response to this ride type. The available ride types depend on the place. */
        ride_type?: components['parameters']['ride_type'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ride types, cheapest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RideTypeList'];
        };
      };
      400: components['responses']['AvailabilityRefused'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['TemporarilyUnavailable'];
    };
  };
  estimateEta: {
    parameters: {
      query: {
        /** @description Latitude of the pickup, in degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, in degrees. */
        lng: components['parameters']['lng'];
        /** @description Latitude of the drop-off, in degrees. Send both coordinates or neither. */
        destination_lat?: components['parameters']['destination_lat'] | undefined;
        /** @description Longitude of the drop-off, in degrees. Send both coordinates or neither. */
        destination_lng?: components['parameters']['destination_lng'] | undefined;
        /** @description Limits the response to this ride type. The available ride types depend on the place. */
        ride_type?: components['parameters']['ride_type'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One estimate for each ride type. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EtaEstimateList'];
        };
      };
      400: components['responses']['AvailabilityRefused'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['TemporarilyUnavailable'];
    };
  };
  estimateCost: {
    parameters: {
      query: {
        /** @description Latitude of the pickup, in degrees. */
        start_lat: components['parameters']['start_lat'];
        /** @description Longitude of the pickup, in degrees. */
        start_lng: components['parameters']['start_lng'];
        /** @description Latitude of the drop-off, in degrees. Send both coordinates or neither. */
        end_lat?: components['parameters']['end_lat'] | undefined;
        /** @description Longitude of the drop-off, in degrees. Send both coordinates or neither. */
        end_lng?: components['parameters']['end_lng'] | undefined;
        /** @description Limits the response to this ride type. The available ride types depend on the place. */
        ride_type?: components['parameters']['ride_type'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One estimate for each ride type. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CostEstimateList'];
        };
      };
      400: components['responses']['AvailabilityRefused'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['TemporarilyUnavailable'];
    };
  };
  listDrivers: {
    parameters: {
      query: {
        /** @description Latitude of the pickup, in degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, in degrees. */
        lng: components['parameters']['lng'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The nearby drivers, one entry for each ride type. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NearbyDriverList'];
        };
      };
      400: components['responses']['AreaRefused'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['InternalErrorOf5'];
      503: components['responses']['TemporarilyUnavailableOf5'];
    };
  };
  listPickupEtas: {
    parameters: {
      query: {
        /** @description Latitude of the pickup, in degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, in degrees. */
        lng: components['parameters']['lng'];
        /** @description Latitude of the drop-off, in degrees. Send both coordinates or neither. */
        destination_lat?: components['parameters']['destination_lat'] | undefined;
        /** @description Longitude of the drop-off, in degrees. Send both coordinates or neither. */
        destination_lng?: components['parameters']['destination_lng'] | undefined;
        /** @description Limits the response to this ride type. The available ride types depend on the place. */
        ride_type?: components['parameters']['ride_type'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One entry for each ride type that has a driver nearby. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PickupEtaList'];
        };
      };
      400: components['responses']['AvailabilityRefused'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceeded'];
      500: components['responses']['InternalError'];
      503: components['responses']['TemporarilyUnavailable'];
    };
  };
  listRides: {
    parameters: {
      query: {
        /**
         * @description Return rides requested after this instant. ISO 8601 with an offset, 2015 or later. You don't need to encode
         *     the `+` of the offset.
         */
        start_time: string;
        /**
         * @description Return rides requested before this instant. ISO 8601 with an offset, not before `start_time`. If you omit
         *     it, there is no upper bound.
         */
        end_time?: string | undefined;
        /** @description The maximum number of rides to return. A value above 50 is rejected, not reduced. */
        limit?: number | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The rides, newest request first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RideHistory'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  requestRide: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The pickup, the drop-off and the ride type. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideRequest'];
      };
    };
    responses: {
      /** @description The ride is requested and is waiting for a driver. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          Deprecation: components['headers']['Deprecation'];
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RequestedRide'];
        };
      };
      400: components['responses']['RideRequestRefused'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['PassengerRefused'];
      409: components['responses']['RideRequestConflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['RideRequestInternalError'];
      503: components['responses']['RideRequestTemporarilyUnavailable'];
    };
  };
  getRide: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ride. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ride'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['RideForbidden'];
      404: components['responses']['RideNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  updateDestination: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description The new destination. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestedPlace'];
      };
    };
    responses: {
      /** @description The new destination. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Place'];
        };
      };
      400: components['responses']['DestinationRefused'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['RideForbiddenOf5'];
      404: components['responses']['RideNotFoundOf5'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['InternalErrorOf5'];
      503: components['responses']['TemporarilyUnavailableOf5'];
    };
  };
  rateRide: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description The rating, with an optional tip and feedback. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RatingRequest'];
      };
    };
    responses: {
      /** @description The ride is rated, and payment is in progress. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['RatingRefused'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['RideForbiddenOf5'];
      404: components['responses']['RideNotFoundOf5'];
      409: components['responses']['RideNotFinished'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['InternalErrorOf5'];
      503: components['responses']['TemporarilyUnavailableOf5'];
    };
  };
  getReceipt: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt. The line items add up to the price, and so do the charges. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['RideForbidden'];
      404: components['responses']['ReceiptNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  cancelRide: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description Optional. Send it only to confirm a fee. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['CancelRequest'];
      };
    };
    responses: {
      /** @description The ride is canceled. The fee, if any, is charged. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['CancelRefused'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['RideForbiddenOf5'];
      404: components['responses']['RideNotFoundOf5'];
      409: components['responses']['RideFinished'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['InternalErrorOf5'];
      503: components['responses']['TemporarilyUnavailableOf5'];
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The profile. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 5
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Profile'];
        };
      };
      400: components['responses']['BadParameterOf5'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceededOf5'];
      500: components['responses']['InternalErrorOf5'];
      503: components['responses']['TemporarilyUnavailableOf5'];
    };
  };
  setRideStatus: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `ride_id` that requestRide returned. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description The new status. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideMove'];
      };
    };
    responses: {
      /** @description The ride has its new status. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MovedRide'];
        };
      };
      400: components['responses']['MoveRefused'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['MoveForbidden'];
      404: components['responses']['RideNotFound'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  setPrimeTime: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The place and the percentage. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PrimeTimeSetting'];
      };
    };
    responses: {
      /** @description Prime Time is set. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['AreaRefusedOf1000'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  setRideTypes: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The place and its ride types. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideTypesSetting'];
      };
    };
    responses: {
      /** @description The ride types that you set. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RideTypesSetting'];
        };
      };
      400: components['responses']['AvailabilityRefusedOf1000'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  setDriverAvailability: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The ride type whose drivers you remove or bring back. */
        ride_type: components['schemas']['RideTypeKey'];
      };
      cookie?: never;
    };
    /** @description The place, and whether it has drivers. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DriverAvailability'];
      };
    };
    responses: {
      /** @description The availability is set. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['AvailabilityRefusedOf1000'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  createWorld: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The world's initial settings. All fields are optional. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['WorldRequest'];
      };
    };
    responses: {
      /** @description The world, and a client token that acts in it. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWorld'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      409: components['responses']['WorldConflict'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  getWorld: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['World'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  deleteWorld: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world is deleted. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      409: components['responses']['WorldIsDefault'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  updateWorld: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The settings to change. */
    requestBody: {
      content: {
        'application/json': components['schemas']['WorldChange'];
      };
    };
    responses: {
      /** @description The updated world. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['World'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  resetWorld: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The world is reset. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  createPassenger: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The passenger's details. All fields are optional. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['PassengerRequest'];
      };
    };
    responses: {
      /** @description The passenger, and a user token that acts for them. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedPassenger'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      409: components['responses']['PassengerConflict'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  updatePassenger: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The fields to change. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PassengerChange'];
      };
    };
    responses: {
      /** @description The updated passenger. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SandboxPassenger'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  getClock: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Clock'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  setClock: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The new state of the clock. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ClockSetting'];
      };
    };
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Clock'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  advanceClock: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description How far to advance. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ClockAdvance'];
      };
    };
    responses: {
      /** @description The clock, and the number of steps made. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AdvancedClock'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  setWebhooks: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The URL and the faults. */
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookSettings'];
      };
    };
    responses: {
      /** @description The current settings. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhooks'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      413: components['responses']['PayloadTooLargeOf1000'];
      415: components['responses']['UnsupportedMediaTypeOf1000'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Return only the events of this ride. */
        ride_id?: components['schemas']['Identifier'] | undefined;
        /** @description The maximum number of events to return. */
        limit?: number | undefined;
        /**
         * @description The `next_cursor` of the previous page. If you omit it, the list begins with the newest event. The request
         *     fails with 400 `bad_parameter` if the cursor is from another world or another `ride_id`, or if its event has
         *     been deleted. In that case, start again without a cursor.
         */
        cursor?: components['schemas']['Identifier'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, newest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventList'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  resendEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `event_id` of the event. */
        event_id: components['schemas']['Identifier'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event is scheduled for delivery. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      404: components['responses']['EventNotFound'];
      409: components['responses']['SandboxesFull'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  listWebhookEvents: {
    parameters: {
      query?: {
        /** @description Return only the events of this ride. */
        ride_id?: components['schemas']['Identifier'] | undefined;
        /** @description The maximum number of events to return. */
        limit?: number | undefined;
        /**
         * @description The `next_cursor` of the previous page. If you omit it, the list begins with the newest event. The request
         *     fails with 400 `bad_parameter` if the cursor is from another world or another `ride_id`, or if its event has
         *     been deleted. In that case, start again without a cursor.
         */
        cursor?: components['schemas']['Identifier'] | undefined;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, newest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEventList'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  getWebhookEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `event_id` of the event. */
        event_id: components['schemas']['Identifier'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecordedEvent'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['EventNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  resendWebhookEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path: {
        /** @description The `event_id` of the event. */
        event_id: components['schemas']['Identifier'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event is scheduled for delivery. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['EventNotFound'];
      409: components['responses']['ResendConflict'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  getResend: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The resend. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Resend'];
        };
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['ResendNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  resendWebhookEvents: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    /** @description Which events to send. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ResendRequest'];
      };
    };
    responses: {
      /** @description The resend has begun. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 10
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 9
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Resend'];
        };
      };
      400: components['responses']['BadParameterOf10'];
      401: components['responses']['Unauthorized'];
      409: components['responses']['RangeConflict'];
      413: components['responses']['PayloadTooLargeOf10'];
      415: components['responses']['UnsupportedMediaTypeOf10'];
      429: components['responses']['RateLimitExceededOf10'];
      500: components['responses']['InternalErrorOf10'];
      503: components['responses']['TemporarilyUnavailableOf10'];
    };
  };
  cancelResend: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description In a sandbox, the code of the error to return. It must be an error code of this operation. See [Errors](http://localhost:8080/docs#tag/Errors).
         *     `none` returns no error, as if you had not sent the header. The live world ignores the header, but authorizeApplication always
         *     honors it.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'] | undefined;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The resend has ended. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description Number of requests that the operation's limit allows in a window. If you exceed the limit for all sandboxes together, the 429 shows that limit instead.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number | undefined;
          /**
           * @description Number of requests left in this window.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number | undefined;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['ResendNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  onRideStatusUpdated: {
    parameters: {
      query?: never;
      header: {
        /** @description The sender's name. It can change with any release, so don't rely on it. */
        'User-Agent': components['parameters']['User-Agent'];
        /**
         * @description `production` for a live ride, `sandbox` for a ride in a sandbox. This header isn't signed. Rely on which
         *     verification token verifies the body.
         */
        'Svc-Environment': components['parameters']['Svc-Environment'];
        /**
         * @description Proves that the body comes from us and is unchanged. To verify it:
         *
         *     1. Take the raw bytes of the body, before you parse it. Parsing JSON and writing it again changes the bytes.
         *     2. Compute their HMAC-SHA256. The key is your verification token for the environment, exactly as the developer
         *        portal shows it. The token looks like base64, but don't decode it.
         *     3. Encode the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44
         *        characters in total.
         *     4. Remove `sha256=` from the header and compare the rest with your result in constant time, for example with
         *        `timingSafeEqual`. If they differ, or the header is missing, return 401 and do nothing.
         *
         *     Test your code with this token and this body of 132 bytes:
         *
         *     ```sh
         *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
         *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
         *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
         *     ```
         *
         *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. If your result differs, count the bytes first. The
         *     usual cause is a line break at the end.
         */
        'X-Svc-Signature': components['parameters']['X-Svc-Signature'];
        /**
         * @description Two signatures of the same body, separated by a comma and a space: the first with the current token, the second
         *     with the previous one. This header is sent for 24 hours after the verification token changes, and is absent at
         *     all other times.
         *
         *     Use it to switch to the new token without losing an event. Accept a request if **either** signature is right. If
         *     the header is absent, check `X-Svc-Signature`. A receiver that still has the old token then keeps working, and
         *     never needs more than one token. Give it the new token within the 24 hours. If the old token has leaked, give the
         *     receiver the new one at once. From then on, it rejects requests that are signed only with the old token.
         *
         *     The example signs the body shown at `X-Svc-Signature`, with the token shown there and with the previous token
         *     `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC`.
         */
        'X-Svc-Signatures'?: components['parameters']['X-Svc-Signatures'] | undefined;
        /**
         * @description The `event_id`, which is the same in every attempt. This header and the next two follow
         *     [Standard Webhooks](https://www.standardwebhooks.com), so that its libraries can verify a request. You don't
         *     need them if you verify `X-Svc-Signature`.
         */
        'webhook-id': components['parameters']['webhook-id'];
        /**
         * @description When this attempt started, in seconds since 1970, in real time. Libraries refuse a request that is more than
         *     five minutes old.
         */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /**
         * @description Signs `webhook-id`, `webhook-timestamp` and the body, separated by dots, with the same key as `X-Svc-Signature`.
         *     Libraries for Standard Webhooks take the key as `whsec_`, followed by the base64 of the token's bytes. The
         *     developer portal shows it as the signing secret. For 24 hours after the verification token changes, a second
         *     signature with the previous token follows after a space.
         *
         *     The example signs the body shown at `X-Svc-Signature`, with the token shown there. A library takes that token as
         *     `whsec_a1QzdlhxOUxtWjJ3UjhjWWI1TmZKN2hEMWdTNnBBMGVVaU9vV3RWeFF5TQ==`.
         */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, with the ride as getRide would have returned it at that moment. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideStatusUpdated'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onRideReceiptReady: {
    parameters: {
      query?: never;
      header: {
        /** @description The sender's name. It can change with any release, so don't rely on it. */
        'User-Agent': components['parameters']['User-Agent'];
        /**
         * @description `production` for a live ride, `sandbox` for a ride in a sandbox. This header isn't signed. Rely on which
         *     verification token verifies the body.
         */
        'Svc-Environment': components['parameters']['Svc-Environment'];
        /**
         * @description Proves that the body comes from us and is unchanged. To verify it:
         *
         *     1. Take the raw bytes of the body, before you parse it. Parsing JSON and writing it again changes the bytes.
         *     2. Compute their HMAC-SHA256. The key is your verification token for the environment, exactly as the developer
         *        portal shows it. The token looks like base64, but don't decode it.
         *     3. Encode the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44
         *        characters in total.
         *     4. Remove `sha256=` from the header and compare the rest with your result in constant time, for example with
         *        `timingSafeEqual`. If they differ, or the header is missing, return 401 and do nothing.
         *
         *     Test your code with this token and this body of 132 bytes:
         *
         *     ```sh
         *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
         *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
         *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
         *     ```
         *
         *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. If your result differs, count the bytes first. The
         *     usual cause is a line break at the end.
         */
        'X-Svc-Signature': components['parameters']['X-Svc-Signature'];
        /**
         * @description Two signatures of the same body, separated by a comma and a space: the first with the current token, the second
         *     with the previous one. This header is sent for 24 hours after the verification token changes, and is absent at
         *     all other times.
         *
         *     Use it to switch to the new token without losing an event. Accept a request if **either** signature is right. If
         *     the header is absent, check `X-Svc-Signature`. A receiver that still has the old token then keeps working, and
         *     never needs more than one token. Give it the new token within the 24 hours. If the old token has leaked, give the
         *     receiver the new one at once. From then on, it rejects requests that are signed only with the old token.
         *
         *     The example signs the body shown at `X-Svc-Signature`, with the token shown there and with the previous token
         *     `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC`.
         */
        'X-Svc-Signatures'?: components['parameters']['X-Svc-Signatures'] | undefined;
        /**
         * @description The `event_id`, which is the same in every attempt. This header and the next two follow
         *     [Standard Webhooks](https://www.standardwebhooks.com), so that its libraries can verify a request. You don't
         *     need them if you verify `X-Svc-Signature`.
         */
        'webhook-id': components['parameters']['webhook-id'];
        /**
         * @description When this attempt started, in seconds since 1970, in real time. Libraries refuse a request that is more than
         *     five minutes old.
         */
        'webhook-timestamp': components['parameters']['webhook-timestamp'];
        /**
         * @description Signs `webhook-id`, `webhook-timestamp` and the body, separated by dots, with the same key as `X-Svc-Signature`.
         *     Libraries for Standard Webhooks take the key as `whsec_`, followed by the base64 of the token's bytes. The
         *     developer portal shows it as the signing secret. For 24 hours after the verification token changes, a second
         *     signature with the previous token follows after a space.
         *
         *     The example signs the body shown at `X-Svc-Signature`, with the token shown there. A library takes that token as
         *     `whsec_a1QzdlhxOUxtWjJ3UjhjWWI1TmZKN2hEMWdTNnBBMGVVaU9vV3RWeFF5TQ==`.
         */
        'webhook-signature': components['parameters']['webhook-signature'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, with the ride and its payment. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideReceiptReady'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
}
