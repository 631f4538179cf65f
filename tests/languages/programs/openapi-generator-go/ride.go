package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example/ridehail"
)

func client(authorization string) *ridehail.APIClient {
	configuration := ridehail.NewConfiguration()
	configuration.Servers = ridehail.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", authorization)
	return ridehail.NewAPIClient(configuration)
}

func answer[T any](value T, _ *http.Response, err error) T {
	return must(value, err)
}

func ride() {
	ctx := context.Background()
	token := answer(client(os.Getenv("BASIC")).TokensAPI.CreateToken(ctx).TokenRequest(*ridehail.NewTokenRequest("client_credentials")).Execute())
	prices := client("Bearer " + token.AccessToken).AvailabilityAPI
	price := answer(prices.EstimateCost(ctx).StartLat(37.7955).StartLng(-122.3937).EndLat(37.7596).EndLng(-122.4269).RideType("svc").Execute())
	passenger := client("Bearer " + os.Getenv("TOKEN"))
	request := ridehail.NewRideRequest(*ridehail.NewRequestedPlace(37.7955, -122.3937), "svc")
	request.SetDestination(*ridehail.NewOptionalPlace(37.7596, -122.4269))
	_, _, err := passenger.RidesAPI.RequestRide(ctx).RideRequest(*request).Execute()
	primeTime := err.(*ridehail.GenericOpenAPIError).Model().(ridehail.RideRequestFailure).PrimeTimeConfirmationRequired
	request.SetCostToken(primeTime.CostToken)
	id := answer(passenger.RidesAPI.RequestRide(ctx).RideRequest(*request).Execute()).RideId
	answer(passenger.SandboxAPI.SetRideStatus(ctx, id).RideMove(*ridehail.NewRideMove("pickedUp")).Execute())
	_, err = passenger.RidesAPI.CancelRide(ctx, id).Execute()
	fee := err.(*ridehail.GenericOpenAPIError).Model().(ridehail.CancelFailure).CancelConfirmationRequired
	cancel := ridehail.NewCancelRequest()
	cancel.SetCancelConfirmationToken(fee.Token)
	_, err = passenger.RidesAPI.CancelRide(ctx, id).CancelRequest(*cancel).Execute()
	stop(err)
	receipt := answer(passenger.RidesAPI.GetReceipt(ctx, id).Execute())
	estimate := price.CostEstimates[0].GetEstimatedCostCentsMax()
	fmt.Println(estimate, primeTime.PrimetimePercentage, fee.Amount, receipt.LineItems[0].Amount)
}
