import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.Map;
import ridehail.*;
import ridehail.model.*;

public class Check {
  static final ObjectMapper MAPPER = ApiClient.createDefaultObjectMapper();

  static ApiClient client(String authorization) {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));
    return client;
  }

  public static void main(String[] args) throws Exception {
    var file = System.getenv("FILE");
    if (file.isEmpty()) ride();
    else decode(file);
  }

  static void decode(String file) throws Exception {
    for (var answer : MAPPER.readTree(new File(file))) {
      var type = Class.forName("ridehail.model." + answer.get("component").asText());
      System.out.println(MAPPER.writeValueAsString(MAPPER.treeToValue(answer.get("body"), type)));
    }
  }

  static void ride() throws Exception {
    var token = new TokensApi(client(System.getenv("BASIC"))).createToken(new TokenRequest().grantType("client_credentials"), null);
    var prices = new AvailabilityApi(client("Bearer " + token.getAccessToken()));
    var price = prices.estimateCost(37.7955, -122.3937, null, 37.7596, -122.4269, "svc").getCostEstimates().get(0);
    var passenger = client("Bearer " + System.getenv("TOKEN"));
    var rides = new RidesApi(passenger);
    var sandbox = new SandboxApi(passenger);
    var request = new RideRequest().rideType("svc")
        .origin(new RequestedPlace().lat(37.7955).lng(-122.3937))
        .destination(new OptionalPlace().lat(37.7596).lng(-122.4269));
    PrimeTimeConfirmationRequired primeTime = null;
    try {
      rides.requestRide(request, null);
    } catch (ApiException e) {
      primeTime = MAPPER.readValue(e.getResponseBody(), RideRequestFailure.class).getPrimeTimeConfirmationRequired();
    }
    var id = rides.requestRide(request.costToken(primeTime.getCostToken()), null).getRideId();
    sandbox.setRideStatus(id, new RideMove().status(RideStatus.ACCEPTED), null);
    new SandboxApi(client("Bearer " + System.getenv("WORLD_TOKEN"))).advanceClock(new ClockAdvance().seconds(180), null);
    CancelConfirmationRequired fee = null;
    try {
      rides.cancelRide(id, null, null);
    } catch (ApiException e) {
      fee = MAPPER.readValue(e.getResponseBody(), CancelFailure.class).getCancelConfirmationRequired();
    }
    rides.cancelRide(id, null, new CancelRequest().cancelConfirmationToken(fee.getToken()));
    var receipt = rides.getReceipt(id, null);
    System.out.println(MAPPER.writeValueAsString(Map.of(
        "estimate", price.getEstimatedCostCentsMax(), "prime_time", primeTime.getPrimetimePercentage(),
        "fee", fee.getAmount(), "receipt", receipt.getLineItems().get(0).getAmount())));
  }
}
