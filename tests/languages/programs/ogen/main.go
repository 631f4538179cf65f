package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"example/ridehail"
)

type credentials struct{ id, secret, client, user string }

func (c credentials) ClientBasic(context.Context, ridehail.OperationName) (ridehail.ClientBasic, error) {
	return ridehail.ClientBasic{Username: c.id, Password: c.secret}, nil
}

func (c credentials) ClientToken(context.Context, ridehail.OperationName) (ridehail.ClientToken, error) {
	return ridehail.ClientToken{Token: c.client}, skipped(c.client)
}

func (c credentials) UserToken(context.Context, ridehail.OperationName) (ridehail.UserToken, error) {
	return ridehail.UserToken{Token: c.user}, skipped(c.user)
}

func skipped(token string) error {
	if token == "" {
		return ogenerrors.ErrSkipClientSecurity
	}
	return nil
}

func client(with credentials) *ridehail.Client {
	return must(ridehail.NewClient(os.Getenv("BASE_URL"), with))
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
	ctx := context.Background()
	basic := client(credentials{id: os.Getenv("CLIENT_ID"), secret: os.Getenv("CLIENT_SECRET")})
	request := ridehail.CreateTokenApplicationJSON{GrantType: "client_credentials"}
	token := must(basic.CreateToken(ctx, &request, ridehail.CreateTokenParams{})).(*ridehail.TokenHeaders).Response
	price := must(client(credentials{client: token.AccessToken}).EstimateCost(ctx, ridehail.EstimateCostParams{
		StartLat: 37.7955, StartLng: -122.3937, EndLat: ridehail.NewOptFloat64(37.7596),
		EndLng: ridehail.NewOptFloat64(-122.4269), RideType: ridehail.NewOptRideTypeKey("svc"),
	})).(*ridehail.CostEstimateListHeaders).Response
	passenger := client(credentials{user: os.Getenv("TOKEN")})
	ride := ridehail.RideRequest{
		RideType:    "svc",
		Origin:      ridehail.RequestedPlace{Lat: 37.7955, Lng: -122.3937},
		Destination: ridehail.NewOptNilOptionalPlace(ridehail.OptionalPlace{Lat: 37.7596, Lng: -122.4269}),
	}
	refused := must(passenger.RequestRide(ctx, &ride, ridehail.RequestRideParams{})).(*ridehail.RideRequestRefusedHeaders)
	primeTime := refused.Response.PrimeTimeConfirmationRequired
	ride.CostToken = ridehail.NewOptNilString(primeTime.CostToken)
	id := must(passenger.RequestRide(ctx, &ride, ridehail.RequestRideParams{})).(*ridehail.RequestedRideHeaders).Response.RideID
	must(passenger.SetRideStatus(ctx, &ridehail.RideMove{Status: "accepted"}, ridehail.SetRideStatusParams{RideID: id}))
	world := client(credentials{client: os.Getenv("WORLD_TOKEN")})
	must(world.AdvanceClock(ctx, &ridehail.ClockAdvance{Seconds: 180}, ridehail.AdvanceClockParams{}))
	cancel := ridehail.CancelRequest{}
	ofRide := ridehail.CancelRideParams{RideID: id}
	unconfirmed := must(passenger.CancelRide(ctx, ridehail.NewOptCancelRequest(cancel), ofRide)).(*ridehail.CancelRefusedHeaders)
	fee := unconfirmed.Response.CancelConfirmationRequired
	cancel.CancelConfirmationToken = ridehail.NewOptNilString(fee.Token)
	must(passenger.CancelRide(ctx, ridehail.NewOptCancelRequest(cancel), ofRide))
	receipt := must(passenger.GetReceipt(ctx, ridehail.GetReceiptParams{RideID: id})).(*ridehail.ReceiptHeaders).Response
	fmt.Println(string(must(json.Marshal(map[string]any{
		"estimate": price.CostEstimates[0].EstimatedCostCentsMax, "prime_time": primeTime.PrimetimePercentage,
		"fee": fee.Amount, "receipt": receipt.LineItems[0].Amount,
	}))))
}
