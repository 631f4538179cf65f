package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example/ridehail"
)

func client(authorization string) *ridehail.ClientWithResponses {
	return must(ridehail.NewClientWithResponses(os.Getenv("BASE_URL"), ridehail.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", authorization)
			return nil
		})))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	if file := os.Getenv("FILE"); file != "" {
		decode(file)
		return
	}
	ctx, svc := context.Background(), "svc"
	token := must(client(os.Getenv("BASIC")).CreateTokenWithResponse(ctx, nil, ridehail.TokenRequest{GrantType: "client_credentials"}))
	endLat, endLng := 37.7596, -122.4269
	price := must(client("Bearer "+token.JSON200.AccessToken).EstimateCostWithResponse(ctx, &ridehail.EstimateCostParams{
		StartLat: 37.7955, StartLng: -122.3937, EndLat: &endLat, EndLng: &endLng, RideType: &svc,
	}))
	passenger := client("Bearer " + os.Getenv("TOKEN"))
	request := ridehail.RideRequest{
		RideType:    "svc",
		Origin:      ridehail.RequestedPlace{Lat: 37.7955, Lng: -122.3937},
		Destination: &ridehail.OptionalPlace{Lat: endLat, Lng: endLng},
	}
	refused := must(passenger.RequestRideWithResponse(ctx, nil, request))
	primeTime := must(refused.JSON400.AsPrimeTimeConfirmationRequired())
	request.CostToken = &primeTime.CostToken
	id := must(passenger.RequestRideWithResponse(ctx, nil, request)).JSON201.RideId
	must(passenger.SetRideStatusWithResponse(ctx, id, nil, ridehail.RideMove{Status: "accepted"}))
	must(client("Bearer "+os.Getenv("WORLD_TOKEN")).AdvanceClockWithResponse(ctx, nil, ridehail.ClockAdvance{Seconds: 180}))
	unconfirmed := must(passenger.CancelRideWithResponse(ctx, id, nil, ridehail.CancelRequest{}))
	fee := must(unconfirmed.JSON400.AsCancelConfirmationRequired())
	must(passenger.CancelRideWithResponse(ctx, id, nil, ridehail.CancelRequest{CancelConfirmationToken: &fee.Token}))
	receipt := must(passenger.GetReceiptWithResponse(ctx, id, nil)).JSON200
	fmt.Println(string(must(json.Marshal(map[string]any{
		"estimate": price.JSON200.CostEstimates[0].EstimatedCostCentsMax, "prime_time": primeTime.PrimetimePercentage,
		"fee": fee.Amount, "receipt": receipt.LineItems[0].Amount,
	}))))
}
