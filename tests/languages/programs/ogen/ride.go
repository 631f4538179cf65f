package main

import (
	"context"
	"fmt"
	"os"

	"example/ridehail"
)

// bearer is a token for every scheme that takes one.
type bearer string

func (bearer) ClientBasic(context.Context, ridehail.OperationName) (ridehail.ClientBasic, error) {
	return ridehail.ClientBasic{Username: os.Getenv("CLIENT_ID"), Password: os.Getenv("CLIENT_SECRET")}, nil
}

func (b bearer) ClientToken(context.Context, ridehail.OperationName) (ridehail.ClientToken, error) {
	return ridehail.ClientToken{Token: string(b)}, nil
}

func (b bearer) UserToken(context.Context, ridehail.OperationName) (ridehail.UserToken, error) {
	return ridehail.UserToken{Token: string(b)}, nil
}

func client(token string) *ridehail.Client {
	return must(ridehail.NewClient(os.Getenv("BASE_URL"), bearer(token)))
}

func ride() {
	ctx := context.Background()
	credentials := ridehail.CreateTokenApplicationJSON{GrantType: "client_credentials"}
	token := must(client("").CreateToken(ctx, &credentials, ridehail.CreateTokenParams{})).(*ridehail.TokenHeaders).Response
	price := must(client(token.AccessToken).EstimateCost(ctx, ridehail.EstimateCostParams{
		StartLat: 37.7955, StartLng: -122.3937, EndLat: ridehail.NewOptFloat64(37.7596),
		EndLng: ridehail.NewOptFloat64(-122.4269), RideType: ridehail.NewOptRideTypeKey("svc"),
	})).(*ridehail.CostEstimateListHeaders).Response.CostEstimates[0]
	passenger := client(os.Getenv("TOKEN"))
	ride := ridehail.RideRequest{
		RideType:    "svc",
		Origin:      ridehail.RequestedPlace{Lat: 37.7955, Lng: -122.3937},
		Destination: ridehail.NewOptNilOptionalPlace(ridehail.OptionalPlace{Lat: 37.7596, Lng: -122.4269}),
	}
	refused := must(passenger.RequestRide(ctx, &ride, ridehail.RequestRideParams{})).(*ridehail.RideRequestRefusedHeaders)
	primeTime := refused.Response.PrimeTimeConfirmationRequired
	ride.CostToken = ridehail.NewOptNilString(primeTime.CostToken)
	id := must(passenger.RequestRide(ctx, &ride, ridehail.RequestRideParams{})).(*ridehail.RequestedRideHeaders).Response.RideID
	must(passenger.SetRideStatus(ctx, &ridehail.RideMove{Status: "pickedUp"}, ridehail.SetRideStatusParams{RideID: id}))
	ofRide := ridehail.CancelRideParams{RideID: id}
	unconfirmed := must(passenger.CancelRide(ctx, ridehail.OptCancelRequest{}, ofRide)).(*ridehail.CancelRefusedHeaders)
	fee := unconfirmed.Response.CancelConfirmationRequired
	confirmed := ridehail.CancelRequest{CancelConfirmationToken: ridehail.NewOptNilString(fee.Token)}
	must(passenger.CancelRide(ctx, ridehail.NewOptCancelRequest(confirmed), ofRide))
	receipt := must(passenger.GetReceipt(ctx, ridehail.GetReceiptParams{RideID: id})).(*ridehail.ReceiptHeaders).Response
	fmt.Println(price.EstimatedCostCentsMax.Value, primeTime.PrimetimePercentage, fee.Amount, receipt.LineItems[0].Amount)
}
