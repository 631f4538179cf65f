import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.concurrent.Callable;
import ridehail.*;
import ridehail.model.*;

/** Prints the bodies in answers.json as the generated types read and write them, and takes a ride. */
public class Check {
  static final ObjectMapper MAPPER = ApiClient.createDefaultObjectMapper();

  public static void main(String[] args) throws Exception {
    for (var answer : MAPPER.readTree(new File("answers.json"))) {
      var type = Class.forName("ridehail.model." + answer.get("component").asText());
      System.out.println(MAPPER.writeValueAsString(MAPPER.treeToValue(answer.get("body"), type)));
    }
    ride();
  }

  static <T> T refusal(Class<T> type, Callable<?> call) throws Exception {
    try {
      throw new IllegalStateException("Not refused: " + call.call());
    } catch (ApiException e) {
      return MAPPER.readValue(e.getResponseBody(), type);
    }
  }

  static ApiClient client(String authorization) {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));
    return client;
  }

  static void ride() throws Exception {
    var token = new TokensApi(client(System.getenv("BASIC"))).createToken(new TokenRequest().grantType("client_credentials"), null);
    var prices = new AvailabilityApi(client("Bearer " + token.getAccessToken()));
    var price = prices.estimateCost(37.7955, -122.3937, null, 37.7596, -122.4269, "svc").getCostEstimates().get(0);
    var passenger = client("Bearer " + System.getenv("TOKEN"));
    var rides = new RidesApi(passenger);
    var request = new RideRequest().rideType("svc")
        .origin(new RequestedPlace().lat(37.7955).lng(-122.3937))
        .destination(new OptionalPlace().lat(37.7596).lng(-122.4269));
    var primeTime = refusal(RideRequestFailure.class, () -> rides.requestRide(request, null)).getPrimeTimeConfirmationRequired();
    var id = rides.requestRide(request.costToken(primeTime.getCostToken()), null).getRideId();
    new SandboxApi(passenger).setRideStatus(id, new RideMove().status(RideStatus.PICKED_UP), null);
    var fee = refusal(CancelFailure.class, () -> rides.cancelRideWithHttpInfo(id, null, null)).getCancelConfirmationRequired();
    rides.cancelRide(id, null, new CancelRequest().cancelConfirmationToken(fee.getToken()));
    var receipt = rides.getReceipt(id, null).getLineItems().get(0);
    System.out.println(price.getEstimatedCostCentsMax() + " " + primeTime.getPrimetimePercentage() + " " + fee.getAmount() + " " + receipt.getAmount());
  }
}
