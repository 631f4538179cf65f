package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example/ridehail"
)

func client(authorization string) *ridehail.APIClient {
	configuration := ridehail.NewConfiguration()
	configuration.Servers = ridehail.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", authorization)
	return ridehail.NewAPIClient(configuration)
}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func refusal[T any](err error) T {
	return err.(*ridehail.GenericOpenAPIError).Model().(T)
}

func main() {
	if file := os.Getenv("FILE"); file != "" {
		decode(file)
		return
	}
	ctx := context.Background()
	token := must(client(os.Getenv("BASIC")).TokensAPI.CreateToken(ctx).TokenRequest(*ridehail.NewTokenRequest("client_credentials")).Execute())
	prices := client("Bearer " + token.AccessToken).AvailabilityAPI
	price := must(prices.EstimateCost(ctx).StartLat(37.7955).StartLng(-122.3937).EndLat(37.7596).EndLng(-122.4269).RideType("svc").Execute())
	passenger := client("Bearer " + os.Getenv("TOKEN"))
	request := ridehail.NewRideRequest(*ridehail.NewRequestedPlace(37.7955, -122.3937), "svc")
	request.SetDestination(*ridehail.NewOptionalPlace(37.7596, -122.4269))
	_, _, err := passenger.RidesAPI.RequestRide(ctx).RideRequest(*request).Execute()
	primeTime := refusal[ridehail.RideRequestFailure](err).PrimeTimeConfirmationRequired
	request.SetCostToken(primeTime.CostToken)
	id := must(passenger.RidesAPI.RequestRide(ctx).RideRequest(*request).Execute()).RideId
	must(passenger.SandboxAPI.SetRideStatus(ctx, id).RideMove(*ridehail.NewRideMove("accepted")).Execute())
	must(client("Bearer " + os.Getenv("WORLD_TOKEN")).SandboxAPI.AdvanceClock(ctx).ClockAdvance(*ridehail.NewClockAdvance(180)).Execute())
	_, err = passenger.RidesAPI.CancelRide(ctx, id).Execute()
	fee := refusal[ridehail.CancelFailure](err).CancelConfirmationRequired
	cancel := ridehail.NewCancelRequest()
	cancel.SetCancelConfirmationToken(fee.Token)
	_, err = passenger.RidesAPI.CancelRide(ctx, id).CancelRequest(*cancel).Execute()
	must(0, nil, err)
	receipt := must(passenger.RidesAPI.GetReceipt(ctx, id).Execute())
	text, _ := json.Marshal(map[string]any{
		"estimate": price.CostEstimates[0].EstimatedCostCentsMax, "prime_time": primeTime.PrimetimePercentage,
		"fee": fee.Amount, "receipt": receipt.LineItems[0].Amount,
	})
	fmt.Println(string(text))
}
