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
     * @description Send the passenger's browser here, with what you ask for in the query (RFC 6749, section 4.1.1). They sign in, or make an account first, see
     *     the name of your application and what each scope means, and allow or deny. Optional scopes can be unticked: `public` and `rides.read` are
     *     granted as asked for, of the others only those that the passenger left ticked.
     *
     *     ```
     *     http://localhost:8080/oauth/authorize?client_id=demo&response_type=code&scope=public%20profile%20offline&state=f3Zr8kQp1Lw
     *     ```
     *
     *     Then the browser is sent to the redirect URI of your application, or to the one that you named if it has several, with what you need in its query:
     *
     *     - allowed: `code`, to trade at [createToken](http://localhost:8080/docs#operation/createToken) within ten minutes, once;
     *     - denied: `error` with `access_denied`;
     *     - a request that cannot be granted: `error` with `invalid_request`, `unsupported_response_type` or `invalid_scope`, and `error_description`.
     *
     *     In each case `state` comes along as you sent it. Make it a value that only this browser's session with you knows, and
     *     refuse an answer with another one: it keeps others from slipping their code to your user.
     *
     *     An unknown `client_id`, a `redirect_uri` that is not yours, and none where you have several are never answered with a redirect: the person sees
     *     a page that says so. Send `Accept: application/json` to get the failure body instead.
     *
     *     The code is bound to your application, the redirect URI and the challenge. **Use PKCE**: make a random `code_verifier`, send its SHA-256 as
     *     `code_challenge`, and the verifier when you trade the code (RFC 7636). Parameters that are not known here are ignored.
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
     * @description Trades credentials for an access token, by one of three grants.
     *
     *     - `client_credentials`: a client token for prices and availability. It lasts one day; several may be valid at once.
     *     - `authorization_code`: a user token, for the code that the passenger's consent sent to your redirect URI. It lasts one
     *       hour, and comes with a refresh token if `offline` was granted.
     *     - `refresh_token`: another user token, without asking the passenger again. The refresh token stays the same, and ends after
     *       365 days without use. If your application rotates its refresh tokens, the response has a new one, and the old one ends.
     *       An old one that is used again ends all tokens that came from it.
     *
     *     Send your client id and secret by HTTP Basic, and not in the body. Your live secret gives tokens for the live world, the one that begins
     *     with `SANDBOX-` gives tokens for your sandbox. As OAuth asks, unknown parameters are ignored, and both JSON and forms are read.
     *     A body that cannot be read is `invalid_request`. A code that comes a second time is refused, and also ends the tokens that it gave the first time.
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
     * @description Ends a token of your application at once (RFC 7009): a client token, a user token or a refresh token. An access token ends
     *     alone. A refresh token ends with every access token that came from it. Use the secret that got it: the other one ends nothing.
     *     The response is the same for a token that is unknown, ended or another application's, so that a retry is harmless.
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
     * @description Ends a refresh token, and with it every access token that came from it. Use the secret that got it: the other one ends nothing. A
     *     token that is unknown or has already been revoked is answered in the same way (RFC 7009), so that a retry is harmless.
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
     * List the ride types at a place
     * @description What can be requested at a place, with its price list. Ask here before you show a choice: ride types differ from
     *     city to city, and some are offered in one part of a city only. The request is refused with `ridetype_unavailable_in_region`
     *     if nothing is offered at this point, or not the ride type that you ask for, even if the city has it elsewhere.
     *
     *     When you offer `svc_line`, tell your user that other passengers may join and that the destination will be fixed.
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
     * Estimate how soon a driver can be there
     * @description The time until the nearest free driver of each ride type could reach the pickup. Read `is_valid_estimate` first:
     *
     *     | eta_seconds | is_valid_estimate | Meaning |
     *     | --- | --- | --- |
     *     | a number | true | Use it. |
     *     | null | true | No driver is free at the moment. |
     *     | null | false | The time cannot be predicted: do not show one. |
     *
     *     To a destination more than 100 miles away nothing can be predicted, because no ride goes there.
     *     An empty list means that nothing is offered at this point, or not the ride type asked for; one that the city does not have is refused.
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
     * Estimate what a ride costs
     * @description A price range for each ride type between two places, and the Prime Time in force. It is a range, not a promise;
     *     the promise is the `cost_token`. With a user token each estimate carries one: it is good for one minute, confirms Prime Time,
     *     and fixes the price of the ride that you request with it. With a client token no surcharge is shown and `cost_token` is null.
     *
     *     Without an end the response has only the Prime Time at the start. With a user token its `cost_token` confirms this Prime Time for a
     *     ride from there to anywhere, and fixes no fare. Beyond 100 miles the estimate is not valid and its
     *     costs are 0. A drop-off outside the service area is priced like any other. The request is refused with
     *     `ridetype_unavailable_in_region` if nothing is offered at the start, or not the ride type that you ask for.
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
     * List drivers nearby
     * @description A sample of the free drivers around a place, by ride type, each with the latest positions of the car, oldest first:
     *     enough to draw cars on a map that move the right way. Drivers here are anonymous.
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
     * List drivers nearby with their pickup times
     * @description For each ride type the likely time to pickup as a range, the clock time that it means at the place, and the cars
     *     behind it. Durations and ranges are in milliseconds, `timestamp_ms` counts from 1970 in UTC, and `timezone` is the
     *     one to show it in. A ride type without a free driver nearby is left out, and so is every one to a destination more than 100 miles
     *     away. So an empty list means that the ride type asked for is not to be had at this point; one that the city does not have is refused.
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
     * @description The passenger's finished rides (`droppedOff`, `canceled` and `unknown`) that were requested between two instants, newest first.
     *     Both ends are exclusive. To page, ask again with `end_time` set to the `requested_at` of the last ride that you got.
     */
    get: operations['listRides'];
    put?: never;
    /**
     * Request a ride
     * @description Requests a ride for the passenger; the payment method that the passenger has stored will be charged. A passenger has one
     *     ride at a time. During a ride the request is refused with `user_already_in_ride`. With the scope `rides.read`, `error_detail` then
     *     names that ride (`ride_id`), even if another application requested it.
     *
     *     **Prime Time.** When a surcharge is in force the request is refused with 400 `primetime_confirmation_required`. Show the
     *     passenger `primetime_percentage`, and when they agree, send the same request again with the `cost_token` of that answer
     *     before `token_duration` seconds are over. A `cost_token` of [estimateCost](http://localhost:8080/docs#operation/estimateCost) does the
     *     same ahead of time. Either way the price is fixed. A token for no drop-off fixes Prime Time alone.
     *
     *     **Shared rides.** For `svc_line` say that other passengers may join, allow one passenger at most, and do not offer to
     *     change the destination later.
     *
     *     **Without a destination** the passenger tells the driver where to go; it can be set later. The simulated passenger
     *     rides about three miles.
     *
     *     **Where to.** The drop-off may lie outside the service area, but no more than 100 miles away (`bad_parameter`), and not within 50
     *     meters of the pickup (`client_error`). A `ride_type` that is not offered at this very pickup is refused with
     *     `ridetype_unavailable_in_region`, even where [estimateEta](http://localhost:8080/docs#operation/estimateEta) returns an empty list.
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
     * @description The ride as it is now. Fields appear as it progresses: see the variant of each `status`. To show the car on a map,
     *     read this about once every 60 seconds; every other change reaches you by webhook. `location` is there from `accepted`
     *     until the drop-off, and not after.
     *
     *     A live ride is kept for 1,095 days after its end. After that the server answers 404 `ride_not_found`, as for a ride that never was.
     *
     *     `price` and `line_items` appear some seconds after the passenger has rated the ride, when payment has been
     *     processed, and `charges` with them.
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
     * @description Sends an active ride somewhere else, or somewhere at all if it was requested without a destination. Prime Time stays as
     *     it was agreed; the price is made anew from the way driven. The destination of a shared ride cannot be changed.
     *
     *     `invalid_destination` means that the new one lies in no service area, is more than 100 miles from the pickup, or is the
     *     pickup itself before the passenger is on board; from then on a ride may go back to where it began.
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
     * @description Rates a ride that has ended, with a tip and a word if the passenger likes. This starts the payment: some seconds
     *     later the receipt is there and `ride.receipt.ready` is sent.
     *
     *     A ride is rated once, within 24 hours of its drop-off, and before the passenger starts another. When nobody
     *     rates it, payment is made without a tip once that time is over, and then too the receipt appears. A tip may be as high as 50.00 in the ride's
     *     currency or twice the fare, whichever is more.
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
     * Get the receipt
     * @description What the ride cost and how it was paid. Until the ride has been rated and its payment processed the answer is 404
     *     `receipt_not_available`; wait for the `ride.receipt.ready` webhook. A ride that was canceled for a fee has a receipt
     *     too, one that was canceled free has none.
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
     * @description Cancels an active ride. Before a driver has accepted, and for a short while after (two minutes unless the city says
     *     otherwise), this is free. Later it costs the ride type's `cancel_penalty_amount`, and from pickup on, even within that
     *     short while, the fare so far if that is more. The first call is then refused with 400 `cancel_confirmation_required`, which names the fee and carries a `token`. Show the fee; if the passenger agrees,
     *     call again with `cancel_confirmation_token` set to that token within `token_duration` seconds.
     *
     *     Once agreed to, the fare so far does not grow until the token expires. A token that has expired, or whose fee is no longer the right one, is refused with `invalid_cancel_confirmation`:
     *     call without a token for a new one, and ask the passenger again. While canceling is free a token is not looked at. Regional taxes may be added
     *     on the receipt.
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
     * @description Who granted access. More fields may be added in time.
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
     * Move a ride
     * @description Moves the passenger's ride to any later status. The statuses between happen on the way, each with its webhook, and each at a later
     *     `occurred_at`: from `pending` to `droppedOff` in one call sends four events. Car, distance and price are what the
     *     plan of the ride makes them; `duration_seconds` goes by the world's clock.
     *
     *     `canceled` takes a `canceled_by`. Left out, the driver cancels. A `passenger` who cancels pays
     *     the fee that is due, without being asked. `no_drivers_available` ends a ride that is still `pending`.
     *
     *     A driver is found at any hour, however far away. A move that the ride cannot make is 400 `bad_parameter`, whose `error_detail` names those that
     *     it can; so is one that takes a driver while every driver of the city who serves the ride type has a ride.
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
     * @description Sets the Prime Time of the city around a place, whatever the hour, until it is set again or the world is reset. `0%` turns it off. It acts on
     *     prices and on ride requests; what was agreed to before stays.
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
     * Set the ride types
     * @description Leaves the city around a place with these of its ride types alone, until they are set again or the world is reset. An empty list takes
     *     all of them away. A ride type that the city never had is `ridetype_unavailable_in_region`. Rides under way go on.
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
     * Make drivers scarce
     * @description Takes every driver of one ride type off the road in the city around a place, or brings them back. While they are away there are no
     *     pickup times and no cars nearby, and a ride request is refused with `no_drivers_available`. Moving a ride by hand still finds a driver.
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
     * Make a world
     * @description Makes another sandbox of your application, and a client token that acts in it. What happens in one world is not seen in another, so suites can run
     *     side by side. The token is the way in: keep it, or make another world.
     *
     *     A `seed` makes it repeatable: on two fresh servers, worlds of one seed whose clocks stand at the same instant answer the same calls with the same
     *     bytes, ids included; credentials, `Date` and request ids excepted. Left out, a seed is drawn, and shown in the answer.
     *
     *     An application has at most 1,000 worlds beside the sandbox that it has from the start. One more is refused with `too_many_worlds`;
     *     [deleteWorld](http://localhost:8080/docs#operation/deleteWorld) makes room. A world that was not called for 30 days is deleted, as deleteWorld does, unless it has a webhook to send.
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
     * @description The world that the token acts in, as it is now.
     */
    get: operations['getWorld'];
    put?: never;
    post?: never;
    /**
     * Delete the world
     * @description Deletes the world that the token acts in, with all that is in it. The tokens of the world, this one too, are `invalid_token` from then on. The sandbox that an
     *     application has from the start cannot be deleted; reset it. Any token of the world will do, that of a passenger too.
     */
    delete: operations['deleteWorld'];
    options?: never;
    head?: never;
    /**
     * Change the world
     * @description Turns auto-advance or the limits on or off; [Limits](http://localhost:8080/docs#section/Limits) says what holds without them. Fields left out stay as they are. With `auto_advance` the rides of the world, those under way
     *     included, move by themselves as its clock goes on; without it they wait for [setRideStatus](http://localhost:8080/docs#operation/setRideStatus).
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
     * @description Brings the world back to how it began: its rides, events and webhooks under way are gone, its settings and its clock are as they were made, and the
     *     same calls get the same ids again. Passengers of [createPassenger](http://localhost:8080/docs#operation/createPassenger) go too, with their tokens; client tokens and the passengers
     *     who consented stay. All this holds once the call has returned. What other calls find in a large world before that can be gone in part.
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
     * Make a passenger
     * @description Makes a passenger in the world of the token, and a user token that acts for them, so that no browser is needed. What is left out makes a
     *     passenger who can ride: a payment method, a verified phone, nothing that stands in the way.
     *
     *     With `offline` among the `scopes` a refresh token comes along, which is renewed at [createToken](http://localhost:8080/docs#operation/createToken) like any other.
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
     * Change the passenger
     * @description Changes what about the token's passenger may stand against a ride, and how they look: take the payment method away and
     *     [requestRide](http://localhost:8080/docs#operation/requestRide) is refused with `user_payment_required`. Fields left out stay as they are.
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
     * Read the clock
     * @description What time it is in the world of the token. Rides, cars, prices, the tokens that confirm a price or a fee, the time for a rating, and the retries of webhooks
     *     go by this clock. Access tokens, limits and timeouts go by the real one.
     */
    get: operations['getClock'];
    /**
     * Freeze or run the clock
     * @description Freezes the clock where it is, or lets it run on from there at the speed of real time.
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
     * @description Moves the clock forward, frozen or running. Everything that falls due on the way happens in its order, each at its own instant, the attempts of webhooks
     *     included; when the answer comes it is done. 61 seconds, and a `cost_token` is refused; two minutes, and every retry of a webhook was made; a day, and a
     *     ride can no longer be rated. The call waits for the receiver of the webhooks.
     *
     *     One call makes at most 1,000 steps, and begins none after 20 seconds, when its client has hung up or when the server stops. If more is left to do, the clock stands at the instant of
     *     the last step and `advancing_to` is where it will stand in the end: send the same call again until `advancing_to` is null.
     *
     *     A call with other `seconds` begins a new advance from where the clock is. Setting the clock and resetting the world give an advance up.
     *     Of two calls at the same time no step is made twice, and the clock ends at the later one of their targets.
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
     * Set the webhooks and their faults
     * @description Sends the webhooks of this world to a URL of its own, and lets go wrong what can go wrong on the way: webhooks that come twice, late, in the wrong
     *     order, after several attempts, never, or with a signature that does not hold. What is left out is as usual: the sandbox URL and the sandbox token of the application, and no faults.
     *     Setting a `url` gives the world a verification token of its own; the same URL keeps its token. Without one, webhooks go to the application's sandbox URL, never to its live one.
     *
     *     The response shows the verification token to a client token only. With a passenger's token it is null, and all else is the same.
     *
     *     Faults concern the attempts made from now on, and `hold_seconds` the events that happen from now on. It goes by the world's clock, so
     *     [advanceClock](http://localhost:8080/docs#operation/advanceClock) brings what is held.
     *
     *     Sixteen attempts at a time are made for a world, and thirty-two for all sandboxes of an application, by each process of the server. So a receiver of a sandbox that
     *     hangs delays no webhook of the live world, and two that hang can delay those of your other sandboxes.
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
     * List the events
     * @description The events of your application in this world, the latest first: what each one tells, what became of its delivery, and its latest twenty attempts. An event exists if
     *     there was a webhook URL when it happened, and for 30 days after its delivery has ended.
     *
     *     To page, ask again with `cursor` set to the `next_cursor` that you got, and the same `ride_id`. Each event that there was at the first page is listed once, also while
     *     others are added. A page of events with very many attempts is shorter than `limit`: the list goes on until `next_cursor` is null.
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
     * Send an event again
     * @description Puts an event on the schedule of deliveries again, whatever became of it before: the same `event_id`, the same bytes. The first attempt is due at once, also while the
     *     world's clock stands; it does not wait for this answer. While an attempt is under way, the new schedule begins when that has ended.
     *
     *     An event is on one schedule at a time. If it waits already, the schedule begins anew, so to ask many times before an attempt is to ask once.
     */
    post: operations['resendEvent'];
    delete?: never;
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
     * @description Sent when a ride becomes `accepted`, `arrived`, `pickedUp`, `droppedOff` or `canceled`. Becoming `pending` or `unknown` sends nothing.
     *     Only rides requested through the API send webhooks, and they go to the application that requested the ride, if it has a webhook URL when that happens.
     *
     *     - **At least once.** The same event may come again, also after you have answered: the answer may have been lost. Keep each `event_id` for some days, and ignore one that you have seen.
     *     - **In any order.** Several requests are under way to you at once, up to sixteen for each world from each process of the server, and one that failed comes again after later ones. Within a ride `occurred_at` strictly increases: ignore an event that is older than what you know.
     *     - **As it was.** `event` is the ride at `occurred_at`, and every attempt sends the same bytes. For the ride as it is now, read `href`.
     *     - **No positions.** A car that moves sends nothing. To show it on a map, read `href` about once every 60 seconds.
     *     - **Signed.** Anybody can find your URL: check `X-Svc-Signature` first; its description shows how, step by step.
     *     - **Retried.** Only an answer of 2XX within 10 seconds counts: see the responses.
     *     - **Where you are now.** An application has two webhook URLs: one for live rides, the other for the rides of its sandboxes. Each attempt goes to the URL of its environment when it starts, signed with the token that
     *       the environment has then. Without a URL, what still waits is dropped.
     *     - **Where a sandbox says.** A sandbox can send its webhooks to a URL of its own, signed with a token of its own, and have them come late, twice or never, so that you can try your
     *       receiver: see setWebhooks.
     *     - **To https, in public.** A production server sends to https URLs alone, for a ride tells of people, with a certificate that holds; and only to public addresses, for
     *       nobody is to reach through us what stands behind our own firewall. A development server sends to `http://localhost` too. No URL may have a user name or a password in it.
     *
     *     There are two verification tokens, each shown beside its secret in the developer portal: one signs webhooks about live rides, the other those about rides of
     *     sandboxes. This is when they change:
     *
     *     | What you change | Live token | Sandbox token |
     *     | --- | --- | --- |
     *     | the live secret | new | stays |
     *     | the live webhook URL | new | stays |
     *     | the sandbox secret | stays | new |
     *     | the sandbox webhook URL | stays | new |
     *
     *     For 24 hours after a change the previous token signs too: `X-Svc-Signatures` lets you change over. An old secret that stays valid for a while after it was cycled does not keep the old
     *     token any longer. A sandbox with a URL of its own has a token of its own: another URL brings another token, and the one before does not sign.
     *
     *     **Test events.** The developer portal sends one to a webhook URL when you ask for it, once, whatever you answer, and shows what came back. It is the example `accepted` below with a new `event_id` and the
     *     present time, signed like every event and with the `Svc-Environment` of that URL. Its `ride_id` is that of the example, `01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75`, which no ride has: `href` returns 404, and
     *     listEvents does not have it. So answer 2XX and do nothing, as for any ride that you do not know.
     *
     *     The token that verifies an event tells its environment. `Svc-Environment` says the same, but it is not signed: rely on the token alone. Keep the ids of events of each environment apart.
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
     * @description Sent when a ride has been paid for, and getReceipt answers. There are two cases:
     *
     *     - **After a ride**: some seconds after the passenger has rated it, or, when nobody rates it, after 24 hours or at the passenger's next request.
     *     - **After a cancellation with a fee**: at once. The line items and charges then show the fee. A ride that was canceled free sends none.
     *
     *     Delivery, order, retries and signature are those of `ride.status.updated`.
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
    /** @description A ride type. The list is open and depends on the place; `svc`, `svc_plus`, `svc_line` (shared), `svc_premier`, `svc_lux` and `svc_luxsuv` are in use. */
    RideTypeKey: string;
    /** @description ISO 4217 currency code. */
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
    /** @description The Prime Time surcharge in percent of the fare, in steps of 25; `0%` when there is none. */
    PrimeTimePercentage: string;
    /** @description An average of stars, from 0.0 to 5.0, as a string. */
    Stars: string;
    /** @description A page for the person, in HTML. */
    PageOfConsent: string;
    /** @description A grant and its parameters (RFC 6749). Unknown parameters are ignored, and an empty one counts as left out. */
    TokenRequest: {
      /** @description One of `client_credentials`, `authorization_code` and `refresh_token`. */
      grant_type: string;
      /** @description Scopes, separated by blanks. For `client_credentials` only `public`; for `refresh_token` no more than it was granted; left out, all that can be had. An unknown one is `invalid_scope`. */
      scope?: string | null;
      /** @description The authorization code; it works once, within 10 minutes. */
      code?: string | null;
      /** @description The redirect URI that the code was sent to, as it was registered. It may be left out. Any other is `invalid_grant`, even if your application registered it too. */
      redirect_uri?: string | null;
      /** @description The secret behind the code challenge (S256) of the authorization request (RFC 7636); required if it had one, refused if it had none. */
      code_verifier?: string | null;
      /** @description The refresh token. */
      refresh_token?: string | null;
      /** @description There is no need to send it. If it is sent, it has to be that of the HTTP Basic credentials. */
      client_id?: string | null;
      /** @description Not to be sent. The secret belongs in the HTTP Basic credentials; here, beside them, it is `invalid_request`. */
      client_secret?: string | null;
    };
    /** @description An access token (RFC 6749, section 5.1). */
    Token: {
      /** @description `Bearer` for a client token, `bearer` for a user token. */
      token_type: string;
      /** @description To be sent as `Authorization`, after `Bearer` and a blank. */
      access_token: string;
      /** @description For more access tokens; given with the code, if `offline` was granted. It ends after 365 days without use. A renewal returns a new one only if the application rotates them. */
      refresh_token?: string;
      /** @description Lifetime of the access token in seconds. */
      expires_in: number;
      /** @description The scopes that the token has, separated by blanks. They may be fewer than were asked for. */
      scope: string;
    };
    /** @description The token to end (RFC 7009). Unknown parameters are ignored, and an empty one counts as left out. */
    RevokeRequest: {
      /** @description The refresh token. */
      token: string;
      /** @description There is no need to send it. If it is sent, it has to be that of the HTTP Basic credentials. */
      client_id?: string | null;
      /** @description Not to be sent. The secret belongs in the HTTP Basic credentials; here, beside them, it is `invalid_request`. */
      client_secret?: string | null;
    };
    /** @description The token to end (RFC 7009). Unknown parameters are ignored, and an empty one counts as left out. */
    RevocationRequest: {
      /** @description The access token or the refresh token. */
      token: string;
      /** @description The kind of the token, such as `access_token` or `refresh_token`. There is no need to send it, and a wrong one does no harm. */
      token_type_hint?: string | null;
      /** @description There is no need to send it. If it is sent, it has to be that of the HTTP Basic credentials. */
      client_id?: string | null;
      /** @description Not to be sent. The secret belongs in the HTTP Basic credentials; here, beside them, it is `invalid_request`. */
      client_secret?: string | null;
    };
    /** @description Nothing more to say. */
    Revoked: Record<string, never>;
    /** @description A place that a request names. A place of a response can be sent back as it is. */
    RequestedPlace: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place. */
      address?: string | null;
      /** @description Ignored. It is here because places of responses have it, in seconds. */
      eta_seconds?: number | null;
      /**
       * Format: date-time
       * @description Ignored. It is here because places of responses have it.
       */
      time?: string | null;
    };
    /** @description A place that a request may name. A place of a response can be sent back as it is. */
    OptionalPlace: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place. */
      address?: string | null;
      /** @description Ignored. It is here because places of responses have it, in seconds. */
      eta_seconds?: number | null;
      /**
       * Format: date-time
       * @description Ignored. It is here because places of responses have it.
       */
      time?: string | null;
    } | null;
    /** @description A place of a ride. */
    Place: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place; null when nobody gave one. */
      address: string | null;
    };
    /** @description The requested pickup, and when the driver will be there. */
    PickupWithEta: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place; null when nobody gave one. */
      address: string | null;
      /** @description Driving time until the driver arrives, whole seconds; null when it cannot be told. */
      eta_seconds: number | null;
    };
    /** @description The requested drop-off, and when the car will be there. */
    DestinationWithEta: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place; null when nobody gave one. */
      address: string | null;
      /**
       * Format: double
       * @description Driving time until the drop-off, seconds; null when it cannot be told.
       */
      eta_seconds: number | null;
    };
    /** @description Where and when the passenger got in or out. */
    PlaceAndTime: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description What to display for the place; null when nobody gave one. */
      address: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       */
      time: string;
    };
    /** @description A position on the map. */
    Position: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
    };
    /** @description Where the car is, and where it is heading. */
    VehiclePosition: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /**
       * Format: double
       * @description Heading in degrees clockwise from north, below 360; null when the car stands.
       */
      bearing: number | null;
    };
    /** @description The ride types at a place. */
    RideTypeList: {
      /** @description Cheapest first. */
      ride_types: components['schemas']['RideType'][];
    };
    /** @description A ride type, and what it costs here. */
    RideType: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description What to call it on a screen. */
      display_name: string;
      /**
       * Format: uri
       * @description A picture of such a car.
       */
      image_url: string;
      /** @description The greatest count of passengers; for a shared ride request it for one. */
      seats: number;
      pricing_details: components['schemas']['PricingDetails'];
    };
    /** @description The price list of a ride type in a city. */
    PricingDetails: {
      /** @description Charged for every ride, minor units. */
      base_charge: number;
      /** @description Charged for a mile, minor units. */
      cost_per_mile: number;
      /** @description Charged for a minute, minor units. */
      cost_per_minute: number;
      /** @description The least that a fare comes to, minor units. */
      cost_minimum: number;
      /** @description A fee on top of the fare that Prime Time does not raise, minor units. */
      trust_and_service: number;
      /** @description The fee for canceling late, minor units. */
      cancel_penalty_amount: number;
      currency: components['schemas']['Currency'];
    };
    /** @description How soon a driver can be there. */
    EtaEstimateList: {
      /** @description One for each ride type. */
      eta_estimates: components['schemas']['EtaEstimate'][];
    };
    /** @description How soon a driver of one ride type can be there. A time that is not valid is never given. */
    EtaEstimate: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description What to call it on a screen. */
      display_name: string;
      /** @description Time until the nearest driver could be there, seconds; null when no driver is free, or when it cannot be predicted. */
      eta_seconds: number | null;
      /** @description Whether the estimate may be used. When it is false, do not show one. */
      is_valid_estimate: boolean;
    };
    /** @description What a ride costs. */
    CostEstimateList: {
      /** @description One for each ride type. */
      cost_estimates: components['schemas']['CostEstimate'][];
    };
    /** @description What a ride of one ride type costs. Without an end the costs, the distance and the duration are absent. */
    CostEstimate: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description What to call it on a screen. */
      display_name: string;
      /** @description The low end of the range, minor units; 0 when the estimate is not valid. */
      estimated_cost_cents_min?: number;
      /** @description The high end of the range, minor units; 0 when the estimate is not valid. */
      estimated_cost_cents_max?: number;
      /**
       * Format: double
       * @description The way to drive, miles.
       */
      estimated_distance_miles?: number;
      /** @description The time to drive it, seconds. */
      estimated_duration_seconds?: number;
      currency: components['schemas']['Currency'];
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * @deprecated
       * @description The old name of `cost_token`.
       */
      primetime_confirmation_token?: string | null;
      /** @description Fixes this price and confirms its Prime Time for one minute, when sent to requestRide. Without an end it confirms Prime Time alone. Null with a client token, and when the estimate is not valid. */
      cost_token: string | null;
      /** @description Whether the estimate may be used; false for a trip of more than 100 miles. */
      is_valid_estimate: boolean;
    };
    /** @description Drivers nearby, by ride type. */
    NearbyDriverList: {
      /** @description One entry for each ride type. */
      nearby_drivers: components['schemas']['NearbyDriversOfType'][];
    };
    /** @description Drivers of one ride type. */
    NearbyDriversOfType: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description A sample of the free drivers, nearest first. */
      drivers: components['schemas']['NearbyDriver'][];
    };
    /** @description A driver nearby, without a name. */
    NearbyDriver: {
      /** @description The latest positions of the car, oldest first. */
      locations: components['schemas']['Position'][];
    };
    /** @description Drivers nearby with their pickup times. */
    PickupEtaList: {
      /** @description IANA time zone of the place; show every time of this answer in it. */
      timezone: string;
      /** @description One entry for each ride type that has a driver nearby. */
      nearby_drivers_pickup_etas: components['schemas']['PickupEta'][];
    };
    /** @description When a driver of one ride type could pick up. */
    PickupEta: {
      ride_type: components['schemas']['RideTypeKey'];
      /** @description What to call it on a screen. */
      display_name: string;
      pickup_duration_range: components['schemas']['PickupDurationRange'];
      pickup_time_range: components['schemas']['PickupTimeRange'];
      /** @description The drivers behind the estimate, nearest first. */
      nearby_drivers: components['schemas']['NearbyDriver'][];
    };
    /** @description How long until pickup. */
    PickupDurationRange: {
      /** @description The likely time to pickup in milliseconds. */
      duration_ms: number;
      /** @description How far it may spread around that, milliseconds; null when it cannot be told. */
      range_ms: number | null;
    };
    /** @description At what time pickup would be. */
    PickupTimeRange: {
      /**
       * Format: int64
       * @description The likely instant of pickup, milliseconds since 1970 UTC.
       */
      timestamp_ms: number;
      /** @description How far it may spread around that, milliseconds; null when it cannot be told. */
      range_ms: number | null;
    };
    /** @description A ride to be requested. */
    RideRequest: {
      origin: components['schemas']['RequestedPlace'];
      destination?: components['schemas']['OptionalPlace'];
      ride_type: components['schemas']['RideTypeKey'];
      /** @description Confirms Prime Time and fixes the price; of estimateCost, or of a 400 `primetime_confirmation_required`. It works once, within a minute, for the same application and passenger, the same ride type, and pickup and drop-off within 250 meters. */
      cost_token?: string | null;
      /**
       * @deprecated
       * @description The old name of `cost_token`, and as good when sent alone. When both are sent, `cost_token` counts.
       */
      primetime_confirmation_token?: string | null;
    };
    /** @description A ride just requested. */
    RequestedRide: {
      ride_id: components['schemas']['Identifier'];
      /**
       * @description A new ride waits for a driver.
       * @enum {string}
       */
      status: 'pending';
      ride_type: components['schemas']['RideTypeKey'];
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      passenger: components['schemas']['Passenger'];
    };
    /**
     * @description A ride. Which fields it has depends on `status`; a field that is not listed for a status is absent in it.
     *     When `ride_type` is `svc_line`, other passengers may join: tell your user.
     */
    Ride:
      | components['schemas']['PendingRide']
      | components['schemas']['AcceptedRide']
      | components['schemas']['ArrivedRide']
      | components['schemas']['PickedUpRide']
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide']
      | components['schemas']['UnknownRide'];
    /** @description A ride that is over. */
    FinishedRide:
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide']
      | components['schemas']['UnknownRide'];
    /** @description Past rides. */
    RideHistory: {
      /** @description Newest request first. */
      ride_history: components['schemas']['FinishedRide'][];
    };
    /** @description What every ride has. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
    };
    /** @description Requested, and waiting for a driver. Canceling is free. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description Waiting for a driver.
       * @enum {string}
       */
      status: 'pending';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
    };
    /** @description A driver is on the way to the pickup; `origin.eta_seconds` tells how long it takes. From here on `driver`, `vehicle`, `beacon_color` and, until the drop-off, `location` are known. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The driver is on the way.
       * @enum {string}
       */
      status: 'accepted';
      origin: components['schemas']['PickupWithEta'];
      destination?: components['schemas']['Place'];
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      cancellation_price?: components['schemas']['CancellationPrice'];
    };
    /** @description The driver waits at the pickup. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The driver waits.
       * @enum {string}
       */
      status: 'arrived';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      cancellation_price?: components['schemas']['CancellationPrice'];
    };
    /** @description The passenger is in the car; `destination.eta_seconds` tells how long it takes. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The passenger is in the car.
       * @enum {string}
       */
      status: 'pickedUp';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['DestinationWithEta'];
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      location: components['schemas']['VehiclePosition'];
      pickup: components['schemas']['PlaceAndTime'];
      cancellation_price?: components['schemas']['CancellationPrice'];
    };
    /**
     * @description The ride is done. `price`, `line_items` and `charges` appear together once the passenger has rated it, or the time to
     *     rate it is over, and payment has been processed.
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The passenger has got out.
       * @enum {string}
       */
      status: 'droppedOff';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      pickup: components['schemas']['PlaceAndTime'];
      dropoff: components['schemas']['PlaceAndTime'];
      /**
       * Format: double
       * @description The way driven with the passenger, miles.
       */
      distance_miles: number;
      /**
       * Format: double
       * @description From pickup to drop-off, seconds. Live, the driving time, however fast it was simulated; in a sandbox, the time by its clock.
       */
      duration_seconds: number;
      price?: components['schemas']['Price'];
      /** @description What the price is made of; the amounts add up to it. */
      line_items?: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges?: components['schemas']['Charge'][];
      /** @description What the passenger gave, in stars. */
      rating?: number;
      /** @description What the passenger wrote. */
      feedback?: string;
    };
    /**
     * @description The ride was canceled by `canceled_by`. Who drove, and where the passenger was picked up, is here if it came that far;
     *     `price`, `line_items` and `charges` if there was a fee.
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The ride was called off.
       * @enum {string}
       */
      status: 'canceled';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      /**
       * @description Who ended it; `driver` also for a dispatcher, and `no_drivers_available` when nobody took it for five minutes.
       * @enum {string}
       */
      canceled_by: 'passenger' | 'driver' | 'no_drivers_available';
      driver?: components['schemas']['Driver'];
      vehicle?: components['schemas']['Vehicle'];
      beacon_color?: components['schemas']['BeaconColor'];
      pickup?: components['schemas']['PlaceAndTime'];
      price?: components['schemas']['Price'];
      /** @description The fee and what the region adds to it; the amounts add up to the price. */
      line_items?: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges?: components['schemas']['Charge'][];
    };
    /** @description Nothing was heard of the ride for 24 hours, so it was closed. What was known of it by then is here. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description Closed after 24 silent hours.
       * @enum {string}
       */
      status: 'unknown';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      driver?: components['schemas']['Driver'];
      vehicle?: components['schemas']['Vehicle'];
      beacon_color?: components['schemas']['BeaconColor'];
      pickup?: components['schemas']['PlaceAndTime'];
    };
    /** @description Who rides. */
    Passenger: {
      user_id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /**
       * Format: uri
       * @description A portrait; null when there is none.
       */
      image_url: string | null;
      /** @description What drivers think of the passenger, from 0.0 to 5.0 stars; null before the first ride. */
      rating: string | null;
    };
    /** @description Who drives. */
    Driver: {
      user_id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /**
       * Format: uri
       * @description A portrait.
       */
      image_url: string;
      rating: components['schemas']['Stars'];
      /** @description A number that reaches the driver, E.164. */
      phone_number: string;
    };
    /** @description The car to look for. */
    Vehicle: {
      /** @description Who made it. */
      make: string;
      /** @description What they call it. */
      model: string;
      /** @description Model year. */
      year: number;
      /** @description The plate. */
      license_plate: string;
      /** @description Two-letter state of the plate; null where plates have none. */
      license_plate_state: string | null;
      /** @description Name of the color. */
      color: string;
      /**
       * Format: uri
       * @description A picture of the car, in its color.
       */
      image_url: string;
    };
    /** @description The color that the lamp in the car shows, so that the passenger finds it. */
    BeaconColor: string;
    /** @description What the ride cost in all. */
    Price: {
      /** @description Minor units. */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description What it is the price of. */
      description: string;
    };
    /** @description One part of the price. */
    LineItem: {
      /** @description Minor units. */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description What to call it on a screen. */
      type: string;
    };
    /** @description One payment. */
    Charge: {
      /** @description Minor units. */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description What to call it on a screen. */
      payment_method: string;
    };
    /** @description What canceling now would cost, with the token that confirms it. Absent while canceling is free. */
    CancellationPrice: {
      /** @description The fee, minor units. */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description The `cancel_confirmation_token` for cancelRide. */
      token: string;
      /** @description How long the token works, seconds. */
      token_duration: number;
      /** @description What the fee is for; may be shown. */
      description: string;
    };
    /** @description A rating. */
    RatingRequest: {
      /**
       * Format: int32
       * @description How it was, in stars. Show 5 as the default.
       */
      rating: number;
      tip?: components['schemas']['Tip'];
      /** @description A word about the ride. */
      feedback?: string | null;
    };
    /** @description A tip for the driver, in the currency of the ride. */
    Tip: {
      /**
       * Format: int64
       * @description Minor units, a whole number. More than the ride allows is `tip_too_large`.
       */
      amount: number;
      currency: components['schemas']['Currency'];
    } | null;
    /** @description A cancellation. */
    CancelRequest: {
      /** @description Confirms the fee; of a 400 `cancel_confirmation_required`, or of the ride's `cancellation_price`. */
      cancel_confirmation_token?: string | null;
    };
    /** @description What a ride cost, and how it was paid. */
    Receipt: {
      ride_id: components['schemas']['Identifier'];
      price: components['schemas']['Price'];
      /** @description What the price is made of; the amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges: components['schemas']['Charge'][];
      /**
       * Format: date-time
       * @description When the ride was requested.
       */
      requested_at: string;
      /**
       * @description Whether the passenger rode privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
    };
    /** @description The passenger who granted access. */
    Profile: {
      id: components['schemas']['Identifier'];
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /** @description Whether a ride of this passenger ever reached its drop-off. */
      has_taken_a_ride: boolean;
    };
    /** @description A move of a ride. */
    RideMove: {
      /**
       * @description The status to move to; a later one than the ride has.
       * @enum {string}
       */
      status: 'pending' | 'accepted' | 'arrived' | 'pickedUp' | 'droppedOff' | 'canceled' | 'unknown';
      /** @description Who cancels; with the status `canceled` only. */
      canceled_by?: components['schemas']['Canceler'] | null;
    };
    /**
     * @description Who cancels a ride.
     * @enum {string}
     */
    Canceler: 'passenger' | 'driver' | 'no_drivers_available';
    /** @description Where a ride was moved to. */
    MovedRide: {
      ride_id: components['schemas']['Identifier'];
      /**
       * @description The status that the ride has now.
       * @enum {string}
       */
      status: 'pending' | 'accepted' | 'arrived' | 'pickedUp' | 'droppedOff' | 'canceled' | 'unknown';
    };
    /** @description The Prime Time of the city around a place. */
    PrimeTimeSetting: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description The surcharge in percent of the fare, in steps of 25 up to `400%`; `0%` for none. */
      primetime_percentage: string;
    };
    /** @description The ride types of the city around a place. */
    RideTypesSetting: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Those that there are. */
      ride_types: components['schemas']['RideTypeKey'][];
    };
    /** @description Whether a ride type has drivers in the city around a place. */
    DriverAvailability: {
      lat: components['schemas']['Latitude'];
      lng: components['schemas']['Longitude'];
      /** @description Whether there are drivers. */
      driver_availability: boolean;
    };
    /**
     * @description `running`: at the speed of real time. `frozen`: it stands until it is advanced or run.
     * @enum {string}
     */
    ClockState: 'running' | 'frozen';
    /** @description The clock of a world. */
    Clock: {
      state: components['schemas']['ClockState'];
      /**
       * Format: date-time
       * @description What time it is in the world.
       */
      now: string;
      /**
       * Format: date-time
       * @description Where the clock will stand after an advance that is not complete yet; null when there is none. See [advanceClock](http://localhost:8080/docs#operation/advanceClock).
       */
      advancing_to: string | null;
    };
    /** @description The clock of a world after an advance. */
    AdvancedClock: components['schemas']['Clock'] & {
      /**
       * Format: int32
       * @description Count of the steps of rides and the attempts of webhooks that this call made.
       */
      steps: number;
    };
    /** @description What a clock is to do. */
    ClockSetting: {
      state: components['schemas']['ClockState'];
    };
    /** @description How far a clock goes forward. */
    ClockAdvance: {
      /**
       * Format: int32
       * @description By how many seconds; 30 days at most, and not beyond the year 2099.
       */
      seconds: number;
    };
    /** @description How a world begins. */
    WorldRequest: {
      /** @description What the ids, the cars and all that chance decides derive from. Drawn when it is left out. */
      seed?: string | null;
      /** @description How its clock begins. */
      clock?: {
        /** @description Whether it runs or stands at first; it runs when this is left out. */
        state?: components['schemas']['ClockState'] | null;
        /**
         * Format: date-time
         * @description The time that it shows first, ISO 8601 with an offset, from 2015 to 2099; the real one when it is left out.
         */
        now?: string | null;
      } | null;
      /**
       * @description Whether its rides move by themselves.
       * @default false
       */
      auto_advance?: boolean | null;
      /**
       * @description Whether calls are limited as they are in production. Without, only the [limit of all sandboxes together](http://localhost:8080/docs#section/Limits) holds.
       * @default true
       */
      limits?: boolean | null;
    };
    /** @description What is to change about a world. */
    WorldChange: {
      /** @description Whether its rides move by themselves. */
      auto_advance?: boolean | null;
      /** @description Whether calls are limited as they are in production. Without, only the [limit of all sandboxes together](http://localhost:8080/docs#section/Limits) holds. */
      limits?: boolean | null;
    };
    /** @description A sandbox. */
    World: {
      world_id: components['schemas']['Identifier'];
      /** @description What the ids, the cars and all that chance decides derive from. */
      seed: string;
      /** @description Whether it is the one that the application has from the start. */
      is_default: boolean;
      clock: components['schemas']['Clock'];
      /** @description Whether its rides move by themselves. */
      auto_advance: boolean;
      /** @description Whether calls are limited as they are in production. Without, only the [limit of all sandboxes together](http://localhost:8080/docs#section/Limits) holds. */
      limits: boolean;
    };
    /** @description A new world, and the way in. */
    CreatedWorld: {
      world: components['schemas']['World'];
      token: components['schemas']['Token'];
    };
    /** @description A passenger to be made. */
    PassengerRequest: {
      /**
       * Format: email
       * @description An e-mail address that nobody else in the world has; one of their own is made when it is left out.
       */
      email?: string | null;
      /**
       * @description Whether they have taken a ride before.
       * @default false
       */
      has_taken_a_ride?: boolean | null;
      /** @description The scopes of the token; all but `offline` when they are left out. */
      scopes?: ('public' | 'rides.read' | 'rides.request' | 'profile' | 'offline')[] | null;
      /**
       * Format: int32
       * @description The lifetime of the token, in seconds.
       * @default 3600
       */
      expires_in?: number | null;
      /** @description First name. */
      first_name?: string | null;
      /** @description Last name. */
      last_name?: string | null;
      /** @description Phone number, E.164; null for none. */
      phone_number?: string | null;
      /** @description Whether the phone number is verified; without that no ride can be requested. */
      phone_verified?: boolean | null;
      /** @description What rides are charged to, as a receipt shows it; null for none, and then no ride can be requested. */
      payment_method?: string | null;
      /** @description Whether the account is suspended; then no ride can be requested. */
      account_disabled?: boolean | null;
      /** @description Whether the passenger is driving; then no ride can be requested. */
      driver_mode?: boolean | null;
      /** @description Whether rides are requested on business. */
      business_profile?: boolean | null;
      /** @description The average of stars that drivers gave, from 0.0 to 5.0; null before the first. */
      rating?: string | null;
    };
    /** @description What is to change about a passenger. */
    PassengerChange: {
      /** @description First name. */
      first_name?: string | null;
      /** @description Last name. */
      last_name?: string | null;
      /** @description Phone number, E.164; null for none. */
      phone_number?: string | null;
      /** @description Whether the phone number is verified; without that no ride can be requested. */
      phone_verified?: boolean | null;
      /** @description What rides are charged to, as a receipt shows it; null for none, and then no ride can be requested. */
      payment_method?: string | null;
      /** @description Whether the account is suspended; then no ride can be requested. */
      account_disabled?: boolean | null;
      /** @description Whether the passenger is driving; then no ride can be requested. */
      driver_mode?: boolean | null;
      /** @description Whether rides are requested on business. */
      business_profile?: boolean | null;
      /** @description The average of stars that drivers gave, from 0.0 to 5.0; null before the first. */
      rating?: string | null;
    };
    /** @description A passenger, with all that a sandbox can set about them. */
    SandboxPassenger: {
      passenger_id: components['schemas']['Identifier'];
      /** @description E-mail address. */
      email: string;
      /** @description Whether a ride of this passenger ever reached its drop-off. */
      has_taken_a_ride: boolean;
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /** @description Phone number, E.164; null for none. */
      phone_number: string | null;
      /** @description Whether the phone number is verified; without that no ride can be requested. */
      phone_verified: boolean;
      /** @description What rides are charged to, as a receipt shows it; null for none, and then no ride can be requested. */
      payment_method: string | null;
      /** @description Whether the account is suspended; then no ride can be requested. */
      account_disabled: boolean;
      /** @description Whether the passenger is driving; then no ride can be requested. */
      driver_mode: boolean;
      /** @description Whether rides are requested on business. */
      business_profile: boolean;
      /** @description The average of stars that drivers gave, from 0.0 to 5.0; null before the first. */
      rating: string | null;
    };
    /** @description A new passenger, and a token that acts for them. */
    CreatedPassenger: {
      passenger: components['schemas']['SandboxPassenger'];
      token: components['schemas']['Token'];
    };
    /** @description Where the webhooks of a world go, and what goes wrong with them. */
    WebhookSettings: {
      /**
       * Format: uri
       * @description Where the webhooks of this world go; null for the sandbox URL of the application.
       * @default null
       */
      url?: string | null;
      /**
       * Format: int32
       * @description How many more times each attempt that arrives is made, one after the other, a count. Each is an attempt of its own in the list of events.
       * @default 0
       */
      duplicates?: number | null;
      /**
       * Format: int32
       * @description By how many seconds of the world's clock the first attempt is held back.
       * @default 0
       */
      hold_seconds?: number | null;
      /**
       * @description Whether of a ride's events only every other one is held back by `hold_seconds`, from the first on, so that the one after it overtakes it.
       * @default false
       */
      reorder?: boolean | null;
      /**
       * Format: int32
       * @description How many of the first attempts of each event are not sent, a count; each is recorded as failed. With 9 the event is lost, until it is sent again.
       * @default 0
       */
      drop_first?: number | null;
      /**
       * @description Whether events are signed with a token that nobody knows.
       * @default false
       */
      wrong_signature?: boolean | null;
    };
    /** @description Where the webhooks of a world go, and what goes wrong with them. */
    Webhooks: {
      /**
       * Format: uri
       * @description Where they go; null when neither the world nor the application's sandboxes have a URL.
       */
      url: string | null;
      /** @description What their signatures are made with. It is the world's own or the application's for sandboxes, never that for live webhooks; null when there is no URL, and for a passenger's token. */
      verification_token: string | null;
      /** @description How many more times each attempt that arrives is made, a count. */
      duplicates: number;
      /** @description By how many seconds of the world's clock the first attempt is held back. */
      hold_seconds: number;
      /** @description Whether only every other event of a ride is held back. */
      reorder: boolean;
      /** @description How many of the first attempts of each event are not sent, a count. */
      drop_first: number;
      /** @description Whether events are signed with a token that nobody knows. */
      wrong_signature: boolean;
    };
    /** @description Events of a world. */
    EventList: {
      /** @description The latest first. */
      events: components['schemas']['SandboxEvent'][];
      /** @description The `cursor` of the next page; null on the last one. Do not make sense of it. */
      next_cursor: string | null;
    };
    /** @description An event, and what became of its delivery. */
    SandboxEvent: {
      event_id: components['schemas']['Identifier'];
      ride_id: components['schemas']['Identifier'];
      /**
       * @description What it tells.
       * @enum {string}
       */
      event_type: 'ride.status.updated' | 'ride.receipt.ready';
      /**
       * Format: date-time
       * @description When it happened, by the world's clock.
       */
      occurred_at: string;
      /**
       * @description `pending`: it waits for an attempt. `delivered`: the receiver has it. `given_up`: every attempt failed. `dropped`: there was no URL any more.
       * @enum {string}
       */
      delivery: 'pending' | 'delivered' | 'given_up' | 'dropped';
      /** @description The latest attempts, in order. Earlier ones are deleted; the `number` of the last one counts them too. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description What is sent; see [Webhooks](http://localhost:8080/docs#tag/Webhooks). */
      body: {
        [key: string]: unknown;
      };
    };
    /** @description One attempt to deliver an event. */
    DeliveryAttempt: {
      /** @description The count of attempts up to this one. */
      number: number;
      /** @description The HTTP status of the answer; null when none came. */
      status: number | null;
      /** @description The beginning of the answer's body, up to 1,000 bytes of it; null when none came. */
      answer: string | null;
      /** @description Why it failed, in a sentence, where the status does not tell; null otherwise. */
      error: string | null;
    };
    /** @description The one body of every failure. */
    Failure: {
      /** @description What went wrong, in a sentence for a person. */
      error_description: string;
      /** @description One pair for each parameter at fault, its name and what is wrong with it; empty when there is none. With `user_already_in_ride`, the `ride_id` of the ride. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description A page of this server that leads the passenger through what must be done first.
       */
      error_uri?: string;
    };
    /** @description A parameter is at fault. */
    BadParameterFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'bad_parameter';
    };
    /** @description No answer for this place. */
    AreaFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'bad_parameter' | 'no_service_in_area';
    };
    /** @description No answer for this place and ride type. */
    AvailabilityFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'bad_parameter' | 'no_service_in_area' | 'ridetype_unavailable_in_region';
    };
    /** @description Something about the passenger must be put right first. */
    PassengerFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'user_payment_required' | 'account_disabled' | 'user_in_driver_mode' | 'verified_phone_required';
    };
    /** @description No ride can be had at the moment. */
    RideRequestConflictFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'no_drivers_available' | 'user_already_in_ride';
    };
    /** @description The ride cannot go there. */
    DestinationFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error:
        | 'bad_parameter'
        | 'invalid_destination'
        | 'destination_prohibited'
        | 'ride_is_lyft_line'
        | 'ride_is_finished';
    };
    /** @description The rating or its tip is not accepted. */
    RatingFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'bad_parameter' | 'user_cannot_rate_this_ride' | 'tip_too_large' | 'tip_currency_not_accepted';
    };
    /** @description The ride has not reached its drop-off. */
    RideNotFinishedFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'ride_not_finished';
    };
    /** @description The ride is over. */
    RideFinishedFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'ride_is_finished';
    };
    /** @description The ride is another passenger's. */
    RideForbiddenFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'ride_does_not_belong_to_user';
    };
    /** @description There is no such ride. */
    RideNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'ride_not_found';
    };
    /** @description There is no such ride, or no receipt yet. */
    ReceiptNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'ride_not_found' | 'receipt_not_available';
    };
    /** @description Only a sandbox can be controlled. */
    SandboxFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'sandbox_only';
    };
    /** @description The ride cannot be moved by this caller. */
    MoveForbiddenFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'sandbox_only' | 'ride_does_not_belong_to_user';
    };
    /** @description No further world. */
    TooManyWorldsFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'too_many_worlds';
    };
    /** @description The world has to stay. */
    WorldIsDefaultFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'world_is_default';
    };
    /** @description No such event. */
    EventNotFoundFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'event_not_found';
    };
    /** @description No token for this request. */
    TokenFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_grant' | 'invalid_scope';
    };
    /** @description The application or its redirect URI is not known. */
    AuthorizationFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'invalid_request';
    };
    /** @description The request names no token. */
    RevokeFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'invalid_request';
    };
    /** @description The client credentials are missing or wrong. */
    InvalidClientFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'invalid_client';
    };
    /** @description The access token does not open this operation. An expired one is answered without a body. */
    UnauthorizedFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'invalid_token' | 'insufficient_scope';
    };
    /** @description The body is too large. */
    PayloadTooLargeFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'payload_too_large';
    };
    /** @description The body is not JSON. */
    UnsupportedMediaTypeFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'unsupported_media_type';
    };
    /** @description Too many calls in this window, or too many at once. */
    RateLimitFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'rate_limit_exceeded';
    };
    /** @description Something failed on our side. */
    InternalFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'internal_error';
    };
    /** @description We cannot answer at the moment. */
    UnavailableFailure: components['schemas']['Failure'] & {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'temporarily_unavailable';
    };
    /** @description The ride cannot be requested like this. */
    RideRequestRefusal: {
      /** @description What went wrong, in a sentence for a person. */
      error_description: string;
      /** @description One pair for each parameter at fault, its name and what is wrong with it; empty when there is none. With `user_already_in_ride`, the `ride_id` of the ride. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description A page of this server that leads the passenger through what must be done first.
       */
      error_uri?: string;
      /**
       * @description The code to branch on.
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
    /** @description Prime Time is in force; the passenger must agree to it. Repeat the request with `cost_token`. */
    PrimeTimeConfirmationRequired: {
      /** @description What went wrong, in a sentence for a person. */
      error_description: string;
      /** @description One pair for each parameter at fault, its name and what is wrong with it; empty when there is none. With `user_already_in_ride`, the `ride_id` of the ride. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description A page of this server that leads the passenger through what must be done first.
       */
      error_uri?: string;
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'primetime_confirmation_required';
      primetime_percentage: components['schemas']['PrimeTimePercentage'];
      /**
       * Format: double
       * @description The factor on the fare, 2.0 for a percentage of 100%.
       */
      primetime_multiplier: number;
      /** @description Confirms the surcharge and fixes the price, when sent with the repeated request. */
      cost_token: string;
      /**
       * @deprecated
       * @description The old name of `cost_token`.
       */
      primetime_confirmation_token: string;
      /** @description How long the token works, in seconds, as a string. */
      token_duration: string;
    };
    /** @description The ride was not requested; with `primetime_confirmation_required` it can be, once the passenger agrees. */
    RideRequestFailure:
      | components['schemas']['RideRequestRefusal']
      | components['schemas']['PrimeTimeConfirmationRequired'];
    /** @description The ride is not canceled like this. */
    CancelRefusal: {
      /** @description What went wrong, in a sentence for a person. */
      error_description: string;
      /** @description One pair for each parameter at fault, its name and what is wrong with it; empty when there is none. With `user_already_in_ride`, the `ride_id` of the ride. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description A page of this server that leads the passenger through what must be done first.
       */
      error_uri?: string;
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'bad_parameter' | 'invalid_cancel_confirmation';
    };
    /** @description Canceling now costs a fee; the passenger must agree to it. Repeat the call with `token`. */
    CancelConfirmationRequired: {
      /** @description What went wrong, in a sentence for a person. */
      error_description: string;
      /** @description One pair for each parameter at fault, its name and what is wrong with it; empty when there is none. With `user_already_in_ride`, the `ride_id` of the ride. */
      error_detail: {
        [key: string]: string;
      }[];
      /**
       * Format: uri
       * @description A page of this server that leads the passenger through what must be done first.
       */
      error_uri?: string;
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      error: 'cancel_confirmation_required';
      /** @description The fee, minor units. */
      amount: number;
      currency: components['schemas']['Currency'];
      /** @description To be sent as `cancel_confirmation_token` with the repeated call. */
      token: string;
      /** @description How long the token works, seconds. */
      token_duration: number;
    };
    /** @description The ride was not canceled; with `cancel_confirmation_required` it can be, once the passenger agrees to the fee. */
    CancelFailure: components['schemas']['CancelRefusal'] | components['schemas']['CancelConfirmationRequired'];
    /** @description What every event has. More fields may be added; ignore those that you do not know. */
    WebhookFacts: {
      /** @description Names the event. It stays the same when the event is sent again, so ignore one that you have seen. */
      event_id: components['schemas']['Identifier'];
      /**
       * Format: uri
       * @description The ride's URL; read it with a user token that has `rides.read`.
       */
      href: string;
      /**
       * Format: date-time
       * @description When it happened, ISO 8601 in UTC, written `+00:00`. Within a ride it strictly increases; use it to put events in order.
       */
      occurred_at: string;
    };
    /** @description A ride in a status that is announced, as getRide would have answered it at that moment. */
    AnnouncedRide:
      | components['schemas']['AcceptedRide']
      | components['schemas']['ArrivedRide']
      | components['schemas']['PickedUpRide']
      | components['schemas']['DroppedOffRide']
      | components['schemas']['CanceledRide'];
    /** @description A ride's status changed. */
    RideStatusUpdated: components['schemas']['WebhookFacts'] & {
      /**
       * @description What kind of event this is.
       * @enum {string}
       */
      event_type: 'ride.status.updated';
      event: components['schemas']['AnnouncedRide'];
    };
    /** @description What a ride that was paid for has. */
    PaymentFacts: {
      price: components['schemas']['Price'];
      /** @description What the price is made of; the amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges: components['schemas']['Charge'][];
    };
    /** @description A ride that was driven and paid for. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The passenger has got out.
       * @enum {string}
       */
      status: 'droppedOff';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      driver: components['schemas']['Driver'];
      vehicle: components['schemas']['Vehicle'];
      beacon_color: components['schemas']['BeaconColor'];
      pickup: components['schemas']['PlaceAndTime'];
      dropoff: components['schemas']['PlaceAndTime'];
      /**
       * Format: double
       * @description The way driven with the passenger, miles.
       */
      distance_miles: number;
      /**
       * Format: double
       * @description From pickup to drop-off, seconds. Live, the driving time, however fast it was simulated; in a sandbox, the time by its clock.
       */
      duration_seconds: number;
      price: components['schemas']['Price'];
      /** @description What the price is made of; the amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges: components['schemas']['Charge'][];
      /** @description What the passenger gave, in stars. */
      rating?: number;
      /** @description What the passenger wrote. */
      feedback?: string;
    };
    /** @description A ride that was canceled for a fee, paid by now. */
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
       * @description When this answer was made.
       */
      generated_at: string;
      /**
       * @description Whether the passenger rides privately or on business.
       * @enum {string}
       */
      ride_profile: 'personal' | 'business';
      /**
       * Format: uri
       * @description A page with the city's price list.
       */
      pricing_details_url: string;
      /**
       * Format: uri
       * @description A page that shows the ride on its way to everyone who has this link, until 24 hours after its end by the world's clock. Then it is a 404. Only for rides requested
       *     through the API or shared by the passenger.
       */
      route_url?: string;
      /** @description Who may cancel the ride now. Not the driver once the passenger is on board; empty when the ride is over. */
      can_cancel: ('driver' | 'passenger' | 'dispatcher')[];
      /**
       * @description The ride was called off.
       * @enum {string}
       */
      status: 'canceled';
      origin: components['schemas']['Place'];
      destination?: components['schemas']['Place'];
      /**
       * @description Who ended it; `driver` also for a dispatcher, and `no_drivers_available` when nobody took it for five minutes.
       * @enum {string}
       */
      canceled_by: 'passenger' | 'driver' | 'no_drivers_available';
      driver?: components['schemas']['Driver'];
      vehicle?: components['schemas']['Vehicle'];
      beacon_color?: components['schemas']['BeaconColor'];
      pickup?: components['schemas']['PlaceAndTime'];
      price: components['schemas']['Price'];
      /** @description What the price is made of; the amounts add up to it. */
      line_items: components['schemas']['LineItem'][];
      /** @description How it was paid; the amounts add up to the price. */
      charges: components['schemas']['Charge'][];
    };
    /** @description A ride with its receipt. `droppedOff` after a ride, `canceled` after a cancellation with a fee. */
    PaidRide: components['schemas']['PaidDroppedOffRide'] | components['schemas']['PaidCanceledRide'];
    /** @description A ride was paid for. */
    RideReceiptReady: components['schemas']['WebhookFacts'] & {
      /**
       * @description What kind of event this is.
       * @enum {string}
       */
      event_type: 'ride.receipt.ready';
      event: components['schemas']['PaidRide'];
    };
  };
  responses: {
    /** @description A parameter is missing, unknown or out of range; `error_detail` names it. */
    BadParameter: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description The request cannot be answered for this place. */
    AreaRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AreaFailure'];
      };
    };
    /** @description The request cannot be answered for this place and ride type. */
    AvailabilityRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AvailabilityFailure'];
      };
    };
    /** @description The ride cannot be requested like this. With `primetime_confirmation_required`, and only then, the body carries a price to agree to. */
    RideRequestRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideRequestFailure'];
      };
    };
    /** @description The passenger cannot request a ride before something is put right; `error_uri` is a page about it. */
    PassengerRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PassengerFailure'];
      };
    };
    /** @description No ride can be had at the moment. */
    RideRequestConflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideRequestConflictFailure'];
      };
    };
    /** @description The ride cannot go there. */
    DestinationRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['DestinationFailure'];
      };
    };
    /** @description The rating or its tip is not accepted. */
    RatingRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RatingFailure'];
      };
    };
    /** @description The ride has not reached its drop-off. */
    RideNotFinished: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFinishedFailure'];
      };
    };
    /** @description The ride is not canceled. With `cancel_confirmation_required`, and only then, the body carries a fee to agree to. */
    CancelRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['CancelFailure'];
      };
    };
    /** @description The ride is over, so there is nothing to cancel. */
    RideFinished: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideFinishedFailure'];
      };
    };
    /** @description The ride is another passenger's. */
    RideForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideForbiddenFailure'];
      };
    };
    /** @description There is no such ride. */
    RideNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFoundFailure'];
      };
    };
    /** @description There is no such ride, or it has no receipt yet. */
    ReceiptNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ReceiptNotFoundFailure'];
      };
    };
    /** @description The ride cannot make this move, or a parameter is at fault. */
    MoveRefused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['BadParameterFailure'];
      };
    };
    /** @description The token acts in the live world, or the ride is another passenger's. */
    MoveForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['MoveForbiddenFailure'];
      };
    };
    /** @description The token acts in the live world, which cannot be controlled. */
    SandboxForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['SandboxFailure'];
      };
    };
    /** @description The application has as many worlds as it can have. */
    TooManyWorlds: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['TooManyWorldsFailure'];
      };
    };
    /** @description It is the sandbox that the application has from the start, which stays. Reset it instead. */
    WorldIsDefault: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['WorldIsDefaultFailure'];
      };
    };
    /** @description Your application has no such event in this world. */
    EventNotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['EventNotFoundFailure'];
      };
    };
    /** @description It is not certain where to send the person back to, so they see a page that says so. */
    AuthorizationRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AuthorizationFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description No token is given for this request (RFC 6749, section 5.2). */
    TokenRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['TokenFailure'];
      };
    };
    /** @description The request names no token, or authenticates the client twice. */
    RevokeRefused: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
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
        'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InvalidClientFailure'];
      };
    };
    /**
     * @description The access token is missing, unknown, expired, or lacks the scope. An **expired** token is answered with an empty body,
     *     and `token_expired` in the `error` header: refresh it and try again.
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
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
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
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is not `application/json` in UTF-8, or its `Content-Encoding` is not one that we know. */
    UnsupportedMediaType: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnsupportedMediaTypeFailure'];
      };
    };
    /** @description Too many calls in this window, or too many at once. Wait for `Retry-After` seconds. */
    RateLimitExceeded: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Too many calls in this window, or too many at once. Wait for `Retry-After` seconds. */
    TokenRateLimitExceeded: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Too many calls in this window, or too many at once. Wait for `Retry-After` seconds. */
    AuthorizationRateLimitExceeded: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    RideRequestInternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        Deprecation: components['headers']['Deprecation'];
        Link: components['headers']['Link'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    AuthorizationInternalError: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    TokenInternalError: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    TemporarilyUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 10000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 9999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    RideRequestTemporarilyUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
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
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    AuthorizationTemporarilyUnavailable: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        Vary: components['headers']['Vary-Accept'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
        'text/html': components['schemas']['PageOfConsent'];
      };
    };
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    TokenTemporarilyUnavailable: {
      headers: {
        'Cache-Control': components['headers']['Cache-Control-No-Store'];
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /**
     * @description Not received: any other status, a redirect (none is followed), no answer within 10 seconds, no connection, or a certificate that does not hold. We then
     *     try up to eight times more, due 2, 5, 10, 20, 35, 55, 85 and 120 seconds after the first attempt started. Attempts never overlap: one that falls
     *     due while another still waits for its answer starts when that has ended. If one starts more than a second late and that is our own fault, those after it
     *     move by as much, so a stop of ours costs you none. In a sandbox these are seconds of its clock, and while that stands still, a retry waits.
     *
     *     Nothing that you answer changes this schedule: a `Retry-After` is not read, and after a 410 Gone we try again as after any other failure. Nobody asks you for
     *     `100 Continue`; an answer that begins with it is not read on, and counts as none. 102 and 103 are passed over.
     *
     *     When the ninth attempt has failed we give up, and the event does not come any more. Nothing else is lost: getRide and getReceipt still know
     *     all of it. So read the rides that you believe to be under way after a failure of yours, and whenever one has been silent for longer than you expect.
     */
    NotReceived: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /**
     * @description Received. Any status from 200 to 299 counts, if it comes within 10 seconds of the start of the attempt; finding your server, the connection and TLS take
     *     their part of these. Store the event and answer; do the slow work afterwards.
     *
     *     What the body says makes no difference. We read 20 kB of it at most, and keep the first 1,000 bytes with the status for 30 days, so that one can look up how your
     *     server answered: put nothing secret into it.
     */
    Received: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Too many calls in this window, or too many at once. Wait for `Retry-After` seconds. */
    RateLimitExceededOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    InternalErrorOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    TemporarilyUnavailableOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description Too many calls in this window, or too many at once. Wait for `Retry-After` seconds. */
    RateLimitExceededOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 0
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RateLimitFailure'];
      };
    };
    /** @description Something failed on our side. Nothing that a client sends causes this. */
    InternalErrorOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['InternalFailure'];
      };
    };
    /** @description We cannot answer at the moment, because we restart, because the database is away, full or busy, or because too many people sign in at once. Try again. */
    TemporarilyUnavailableOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnavailableFailure'];
      };
    };
    /** @description The ride is another passenger's. */
    RideForbiddenOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideForbiddenFailure'];
      };
    };
    /** @description There is no such ride. */
    RideNotFoundOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['RideNotFoundFailure'];
      };
    };
    /** @description A parameter is missing, unknown or out of range; `error_detail` names it. */
    BadParameterOf5: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 5
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 4
         */
        'X-RateLimit-Remaining'?: number;
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
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['PayloadTooLargeFailure'];
      };
    };
    /** @description The body is not `application/json` in UTF-8, or its `Content-Encoding` is not one that we know. */
    UnsupportedMediaTypeOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['UnsupportedMediaTypeFailure'];
      };
    };
    /** @description The request cannot be answered for this place. */
    AreaRefusedOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AreaFailure'];
      };
    };
    /** @description The request cannot be answered for this place and ride type. */
    AvailabilityRefusedOf1000: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Request-ID': components['headers']['Request-ID'];
        /**
         * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
         * @example 1000
         */
        'X-RateLimit-Limit'?: number;
        /**
         * @description How many calls are left in this window, a count.
         * @example 999
         */
        'X-RateLimit-Remaining'?: number;
        'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['AvailabilityFailure'];
      };
    };
  };
  parameters: {
    /**
     * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
     *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
     */
    scenario: string;
    /** @description The `ride_id` that requestRide answered. */
    ride_id: components['schemas']['Identifier'];
    /** @description Latitude of the pickup, degrees. */
    lat: number;
    /** @description Longitude of the pickup, degrees. */
    lng: number;
    /** @description Latitude of the drop-off, degrees. Give both coordinates or neither. */
    destination_lat: number;
    /** @description Longitude of the drop-off, degrees. Give both coordinates or neither. */
    destination_lng: number;
    /** @description Latitude of the pickup, degrees. */
    start_lat: number;
    /** @description Longitude of the pickup, degrees. */
    start_lng: number;
    /** @description Latitude of the drop-off, degrees. Give both coordinates or neither. */
    end_lat: number;
    /** @description Longitude of the drop-off, degrees. Give both coordinates or neither. */
    end_lng: number;
    /** @description Answer for this ride type only. Which there are depends on the place. */
    ride_type: components['schemas']['RideTypeKey'];
    /** @description Names the sender. It may change with a release, so do not rely on it. */
    'User-Agent': string;
    /** @description `production` for a ride of the live world, `sandbox` for one of a sandbox. It is not signed: rely on which verification token verifies the body. */
    'Svc-Environment': 'production' | 'sandbox';
    /**
     * @description Proves that the body comes from us and is unchanged. To verify it:
     *
     *     1. Take the body as the bytes that arrived, before anything parses it. (JSON that was parsed and written again has other bytes.)
     *     2. Compute HMAC-SHA256 over them. The key is your verification token of the environment, its characters as they stand in the developer portal: it looks like base64, but do not decode it.
     *     3. Write the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44 characters in all.
     *     4. Take `sha256=` off the front of the header, and compare the rest with your result in constant time, with `timingSafeEqual` or what your
     *        language calls it. If they differ, or there is no such header, answer 401 and do nothing.
     *
     *     Try your code on this token and this body of 132 bytes. In a shell:
     *
     *     ```sh
     *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
     *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
     *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
     *     ```
     *
     *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. When yours differs, count the bytes first: a line break at the end is the usual reason.
     */
    'X-Svc-Signature': string;
    /**
     * @description The signatures of the same body under two tokens, the current one first and then the one before, with a comma and a blank between them. It is sent for
     *     24 hours after the verification token changed, and is absent at all other times.
     *
     *     With it you change over without losing an event: accept a request if **one** of these signatures is right, and look at `X-Svc-Signature` when the header is absent.
     *     Then a receiver that still has the old token goes on working. Give it the new one within the 24 hours; it never needs more than one.
     *     Should the old token have leaked, give it the new one at once: from then on it refuses what is signed with the old one alone.
     *
     *     The example is for the body and the token at `X-Svc-Signature`, and the token `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC` before it.
     */
    'X-Svc-Signatures': string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Names this call in our logs.
     * @example 5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64
     */
    'X-Request-Id': string;
    /**
     * @description The same as `X-Request-Id`, for clients that read this name.
     * @example 5f0c2a4e-1f5b-4a57-9d0e-7a3f1c8b2d64
     */
    'Request-ID': string;
    /**
     * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
     * @example 5
     */
    'X-RateLimit-Limit': number;
    /**
     * @description How many calls are left in this window, a count.
     * @example 4
     */
    'X-RateLimit-Remaining': number;
    /**
     * @description When the window ends and the count starts again, in seconds since 1970 UTC.
     * @example 1778807100
     */
    'X-RateLimit-Reset': number;
    /**
     * @description How long to wait before the next try, in seconds.
     * @example 42
     */
    'Retry-After': number;
    /**
     * @description What belongs to one person is not to be cached.
     * @example no-store
     */
    'Cache-Control-No-Store': 'no-store';
    /**
     * @description The same for HTTP/1.0 caches.
     * @example no-cache
     */
    'Pragma-No-Cache': 'no-cache';
    /**
     * @description A page or JSON, as `Accept` asks.
     * @example Accept
     */
    'Vary-Accept': 'Accept';
    /**
     * @description What the page may do. It takes styles and pictures from this server alone, runs no script, and cannot be framed.
     * @example default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
     */
    'Content-Security-Policy': string;
    /**
     * @description What the forms of the page are checked by. It can be read by this server alone.
     * @example ridehail_csrf=0b7c4e.91d2fa; Path=/; HttpOnly; SameSite=Lax
     */
    'Set-Cookie': string;
    /**
     * @description The redirect URI of the application, with `code` or `error`, and with `state`, added to its query.
     * @example http://localhost:8080/demo/callback?code=Q2qR0sV9wXyZ1aBcD3eFgH4iJkL5mNoP6qRsT7uVwX8&state=f3Zr8kQp1Lw
     */
    Location: string;
    /**
     * @description The scheme to authenticate with (RFC 6750, section 3; RFC 7617 where client credentials are asked for). Without any token it names the realm alone.
     * @example Bearer realm="ridehail", error="invalid_token"
     */
    'WWW-Authenticate': string;
    /**
     * @description What is wrong with the token. Read it first, since a token that has expired is answered without a body.
     * @example token_expired
     */
    error: 'invalid_token' | 'token_expired' | 'insufficient_scope';
    /**
     * @description Since when a field that this request used is deprecated, as `@` and seconds since 1970 UTC (RFC 9745). Absent when none was used.
     * @example @1767225600
     */
    Deprecation: string;
    /**
     * @description Where the deprecation is explained. Absent when no deprecated field was used.
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
export type RideType = components['schemas']['RideType'];
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
export type PassengerRequest = components['schemas']['PassengerRequest'];
export type PassengerChange = components['schemas']['PassengerChange'];
export type SandboxPassenger = components['schemas']['SandboxPassenger'];
export type CreatedPassenger = components['schemas']['CreatedPassenger'];
export type WebhookSettings = components['schemas']['WebhookSettings'];
export type Webhooks = components['schemas']['Webhooks'];
export type EventList = components['schemas']['EventList'];
export type SandboxEvent = components['schemas']['SandboxEvent'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
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
export type TooManyWorldsFailure = components['schemas']['TooManyWorldsFailure'];
export type WorldIsDefaultFailure = components['schemas']['WorldIsDefaultFailure'];
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
export type ResponseTooManyWorlds = components['responses']['TooManyWorlds'];
export type ResponseWorldIsDefault = components['responses']['WorldIsDefault'];
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
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderError = components['headers']['error'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderLink = components['headers']['Link'];
export type $defs = Record<string, never>;
export interface operations {
  authorizeApplication: {
    parameters: {
      query: {
        /** @description The client id of your application. */
        client_id: string;
        /** @description What to come back with. Only `code` is supported. */
        response_type: 'code';
        /** @description The scopes that you ask for, separated by blanks; left out, `public` and `rides.read`. For a refresh token ask for `offline`. */
        scope?: string;
        /** @description Comes back as it is, whatever it holds, so that you know your own request. */
        state?: string;
        /** @description Where to come back to. It must be a redirect URI that your application registered, character for character. It may be left out if there is only one, and is required if there are several. The demo application's is `/demo/callback` of its server. */
        redirect_uri?: string;
        /** @description The SHA-256 of your `code_verifier`, in base64url without padding (RFC 7636). It needs `code_challenge_method`. */
        code_challenge?: string;
        /** @description How the challenge was made. Only `S256` is supported, and it has to be said. */
        code_challenge_method?: 'S256';
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page. It asks for consent or, while nobody is signed in, to sign in. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'Content-Security-Policy': components['headers']['Content-Security-Policy'];
          'Set-Cookie': components['headers']['Set-Cookie'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content: {
          'text/html': components['schemas']['PageOfConsent'];
        };
      };
      /** @description Back to the application, with a code or with an error. */
      302: {
        headers: {
          Location: components['headers']['Location'];
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The grant and its parameters. */
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRequest'];
        'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
      };
    };
    responses: {
      /** @description A token. Keep it out of logs and URLs. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          Pragma: components['headers']['Pragma-No-Cache'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The token to end. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevocationRequest'];
        'application/x-www-form-urlencoded': components['schemas']['RevocationRequest'];
      };
    };
    responses: {
      /** @description The token no longer works. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The refresh token to end. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RevokeRequest'];
        'application/x-www-form-urlencoded': components['schemas']['RevokeRequest'];
      };
    };
    responses: {
      /** @description The token no longer works. */
      200: {
        headers: {
          'Cache-Control': components['headers']['Cache-Control-No-Store'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Latitude of the pickup, degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, degrees. */
        lng: components['parameters']['lng'];
        /** @description Answer for this ride type only. Which there are depends on the place. */
        ride_type?: components['parameters']['ride_type'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Latitude of the pickup, degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, degrees. */
        lng: components['parameters']['lng'];
        /** @description Latitude of the drop-off, degrees. Give both coordinates or neither. */
        destination_lat?: components['parameters']['destination_lat'];
        /** @description Longitude of the drop-off, degrees. Give both coordinates or neither. */
        destination_lng?: components['parameters']['destination_lng'];
        /** @description Answer for this ride type only. Which there are depends on the place. */
        ride_type?: components['parameters']['ride_type'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Latitude of the pickup, degrees. */
        start_lat: components['parameters']['start_lat'];
        /** @description Longitude of the pickup, degrees. */
        start_lng: components['parameters']['start_lng'];
        /** @description Latitude of the drop-off, degrees. Give both coordinates or neither. */
        end_lat?: components['parameters']['end_lat'];
        /** @description Longitude of the drop-off, degrees. Give both coordinates or neither. */
        end_lng?: components['parameters']['end_lng'];
        /** @description Answer for this ride type only. Which there are depends on the place. */
        ride_type?: components['parameters']['ride_type'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Latitude of the pickup, degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, degrees. */
        lng: components['parameters']['lng'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The drivers nearby, one entry for each ride type. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Latitude of the pickup, degrees. */
        lat: components['parameters']['lat'];
        /** @description Longitude of the pickup, degrees. */
        lng: components['parameters']['lng'];
        /** @description Latitude of the drop-off, degrees. Give both coordinates or neither. */
        destination_lat?: components['parameters']['destination_lat'];
        /** @description Longitude of the drop-off, degrees. Give both coordinates or neither. */
        destination_lng?: components['parameters']['destination_lng'];
        /** @description Answer for this ride type only. Which there are depends on the place. */
        ride_type?: components['parameters']['ride_type'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 10000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 9999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Rides requested after this instant, ISO 8601 with an offset, not before 2015. An offset's `+` may stand unencoded. */
        start_time: string;
        /** @description Rides requested before this instant, ISO 8601 with an offset. Must not lie before `start_time`. Left out, there is no end. */
        end_time?: string;
        /** @description The greatest count of rides to answer with. More than 50 is refused, not cut. */
        limit?: number;
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Where from, where to, and in what. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideRequest'];
      };
    };
    responses: {
      /** @description The ride is requested and waits for a driver. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description The new drop-off. */
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description Stars, and perhaps a tip and a word. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RatingRequest'];
      };
    };
    responses: {
      /** @description Rated; payment is under way. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The receipt. Line items and charges each add up to the price. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description Left out, unless a fee is being confirmed. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['CancelRequest'];
      };
    };
    responses: {
      /** @description Canceled; the fee, if there was one, is charged. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 5
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 4
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `ride_id` that requestRide answered. */
        ride_id: components['parameters']['ride_id'];
      };
      cookie?: never;
    };
    /** @description Where to. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideMove'];
      };
    };
    responses: {
      /** @description The ride has moved. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Where, and how much. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PrimeTimeSetting'];
      };
    };
    responses: {
      /** @description Set. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Where, and which. */
    requestBody: {
      content: {
        'application/json': components['schemas']['RideTypesSetting'];
      };
    };
    responses: {
      /** @description What was set. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The ride type whose drivers come or go. */
        ride_type: components['schemas']['RideTypeKey'];
      };
      cookie?: never;
    };
    /** @description Where, and whether there are drivers. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DriverAvailability'];
      };
    };
    responses: {
      /** @description Set. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description How the world begins; all of it can be left out. */
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
      409: components['responses']['TooManyWorlds'];
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description What changes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['WorldChange'];
      };
    };
    responses: {
      /** @description The world. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Who they are; all of it can be left out. */
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description What changes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PassengerChange'];
      };
    };
    responses: {
      /** @description The passenger. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Whether it stands or runs. */
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
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description By how much. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ClockAdvance'];
      };
    };
    responses: {
      /** @description The clock, and what was done. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Where to, and what goes wrong. */
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookSettings'];
      };
    };
    responses: {
      /** @description What is set now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
        /** @description Of this ride only. */
        ride_id?: components['schemas']['Identifier'];
        /** @description The greatest count of events to answer with. */
        limit?: number;
        /**
         * @description The `next_cursor` of the page before. Left out, the list begins with the latest event. One that is not from a list of this world and `ride_id`, or whose events are
         *     deleted by now, is 400 `bad_parameter`: begin again without it.
         */
        cursor?: components['schemas']['Identifier'];
      };
      header?: {
        /**
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, the latest first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
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
         * @description In a sandbox, the code of the failure to answer with: one that this operation has. [Errors](http://localhost:8080/docs#tag/Errors) says more about it.
         *     `none` asks for no failure, as if the header was not sent. In the live world it is ignored.
         */
        'Svc-Sandbox-Scenario'?: components['parameters']['scenario'];
      };
      path: {
        /** @description The `event_id` of the event. */
        event_id: components['schemas']['Identifier'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It will be sent. */
      202: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'Request-ID': components['headers']['Request-ID'];
          /**
           * @description How many calls the bucket of this operation takes in a window, a count. In the 429 of the limit of all sandboxes, how many they take.
           * @example 1000
           */
          'X-RateLimit-Limit'?: number;
          /**
           * @description How many calls are left in this window, a count.
           * @example 999
           */
          'X-RateLimit-Remaining'?: number;
          'X-RateLimit-Reset': components['headers']['X-RateLimit-Reset'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadParameter'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['SandboxForbidden'];
      404: components['responses']['EventNotFound'];
      429: components['responses']['RateLimitExceededOf1000'];
      500: components['responses']['InternalErrorOf1000'];
      503: components['responses']['TemporarilyUnavailableOf1000'];
    };
  };
  onRideStatusUpdated: {
    parameters: {
      query?: never;
      header: {
        /** @description Names the sender. It may change with a release, so do not rely on it. */
        'User-Agent': components['parameters']['User-Agent'];
        /** @description `production` for a ride of the live world, `sandbox` for one of a sandbox. It is not signed: rely on which verification token verifies the body. */
        'Svc-Environment': components['parameters']['Svc-Environment'];
        /**
         * @description Proves that the body comes from us and is unchanged. To verify it:
         *
         *     1. Take the body as the bytes that arrived, before anything parses it. (JSON that was parsed and written again has other bytes.)
         *     2. Compute HMAC-SHA256 over them. The key is your verification token of the environment, its characters as they stand in the developer portal: it looks like base64, but do not decode it.
         *     3. Write the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44 characters in all.
         *     4. Take `sha256=` off the front of the header, and compare the rest with your result in constant time, with `timingSafeEqual` or what your
         *        language calls it. If they differ, or there is no such header, answer 401 and do nothing.
         *
         *     Try your code on this token and this body of 132 bytes. In a shell:
         *
         *     ```sh
         *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
         *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
         *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
         *     ```
         *
         *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. When yours differs, count the bytes first: a line break at the end is the usual reason.
         */
        'X-Svc-Signature': components['parameters']['X-Svc-Signature'];
        /**
         * @description The signatures of the same body under two tokens, the current one first and then the one before, with a comma and a blank between them. It is sent for
         *     24 hours after the verification token changed, and is absent at all other times.
         *
         *     With it you change over without losing an event: accept a request if **one** of these signatures is right, and look at `X-Svc-Signature` when the header is absent.
         *     Then a receiver that still has the old token goes on working. Give it the new one within the 24 hours; it never needs more than one.
         *     Should the old token have leaked, give it the new one at once: from then on it refuses what is signed with the old one alone.
         *
         *     The example is for the body and the token at `X-Svc-Signature`, and the token `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC` before it.
         */
        'X-Svc-Signatures'?: components['parameters']['X-Svc-Signatures'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, with the ride as getRide would have answered it at that moment. */
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
        /** @description Names the sender. It may change with a release, so do not rely on it. */
        'User-Agent': components['parameters']['User-Agent'];
        /** @description `production` for a ride of the live world, `sandbox` for one of a sandbox. It is not signed: rely on which verification token verifies the body. */
        'Svc-Environment': components['parameters']['Svc-Environment'];
        /**
         * @description Proves that the body comes from us and is unchanged. To verify it:
         *
         *     1. Take the body as the bytes that arrived, before anything parses it. (JSON that was parsed and written again has other bytes.)
         *     2. Compute HMAC-SHA256 over them. The key is your verification token of the environment, its characters as they stand in the developer portal: it looks like base64, but do not decode it.
         *     3. Write the 32 bytes of the result in base64: the standard alphabet with `+` and `/`, padded with `=`, 44 characters in all.
         *     4. Take `sha256=` off the front of the header, and compare the rest with your result in constant time, with `timingSafeEqual` or what your
         *        language calls it. If they differ, or there is no such header, answer 401 and do nothing.
         *
         *     Try your code on this token and this body of 132 bytes. In a shell:
         *
         *     ```sh
         *     TOKEN='kT3vXq9LmZ2wR8cYb5NfJ7hD1gS6pA0eUiOoWtVxQyM'
         *     BODY='{"event_id":"01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31","event_type":"ride.status.updated","occurred_at":"2026-05-15T01:04:50.000+00:00"}'
         *     printf %s "$BODY" | openssl dgst -sha256 -hmac "$TOKEN" -binary | base64
         *     ```
         *
         *     That prints `DZGi/JiemcmraRJ3ylbXwfwMNkdsyj3bvOSQVBZfkaw=`. When yours differs, count the bytes first: a line break at the end is the usual reason.
         */
        'X-Svc-Signature': components['parameters']['X-Svc-Signature'];
        /**
         * @description The signatures of the same body under two tokens, the current one first and then the one before, with a comma and a blank between them. It is sent for
         *     24 hours after the verification token changed, and is absent at all other times.
         *
         *     With it you change over without losing an event: accept a request if **one** of these signatures is right, and look at `X-Svc-Signature` when the header is absent.
         *     Then a receiver that still has the old token goes on working. Give it the new one within the 24 hours; it never needs more than one.
         *     Should the old token have leaked, give it the new one at once: from then on it refuses what is signed with the old one alone.
         *
         *     The example is for the body and the token at `X-Svc-Signature`, and the token `h8WqB2nZ5rLx0TfVd3KcYp7MjG1sA9uEiQo6RtNvXyC` before it.
         */
        'X-Svc-Signatures'?: components['parameters']['X-Svc-Signatures'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, with the ride and what was paid for it. */
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
