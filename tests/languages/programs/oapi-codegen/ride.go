package main

import (
	"context"
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

func ride() {
	ctx, svc, endLat, endLng := context.Background(), "svc", 37.7596, -122.4269
	token := must(client(os.Getenv("BASIC")).CreateTokenWithResponse(ctx, nil, ridehail.TokenRequest{GrantType: "client_credentials"}))
	price := must(client("Bearer "+token.JSON200.AccessToken).EstimateCostWithResponse(ctx, &ridehail.EstimateCostParams{
		StartLat: 37.7955, StartLng: -122.3937, EndLat: &endLat, EndLng: &endLng, RideType: &svc,
	})).JSON200.CostEstimates[0]
	passenger := client("Bearer " + os.Getenv("TOKEN"))
	request := ridehail.RideRequest{
		RideType:    "svc",
		Origin:      ridehail.RequestedPlace{Lat: 37.7955, Lng: -122.3937},
		Destination: &ridehail.OptionalPlace{Lat: endLat, Lng: endLng},
	}
	refused := must(passenger.RequestRideWithResponse(ctx, nil, request)).JSON400
	primeTime := must(refused.AsPrimeTimeConfirmationRequired())
	request.CostToken = &primeTime.CostToken
	id := must(passenger.RequestRideWithResponse(ctx, nil, request)).JSON201.RideId
	must(passenger.SetRideStatusWithResponse(ctx, id, nil, ridehail.RideMove{Status: "pickedUp"}))
	unconfirmed := must(passenger.CancelRideWithResponse(ctx, id, nil, ridehail.CancelRequest{})).JSON400
	fee := must(unconfirmed.AsCancelConfirmationRequired())
	must(passenger.CancelRideWithResponse(ctx, id, nil, ridehail.CancelRequest{CancelConfirmationToken: &fee.Token}))
	receipt := must(passenger.GetReceiptWithResponse(ctx, id, nil)).JSON200
	fmt.Println(*price.EstimatedCostCentsMax, primeTime.PrimetimePercentage, fee.Amount, receipt.LineItems[0].Amount)
}
