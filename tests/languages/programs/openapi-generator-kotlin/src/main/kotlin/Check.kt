import com.google.gson.JsonParser
import okhttp3.OkHttpClient
import ridehail.apis.*
import ridehail.infrastructure.*
import ridehail.models.*
import java.io.File

val GSON = Serializer.gson
val BASE_URL: String = System.getenv("BASE_URL")

/** Prints the bodies in answers.json as the generated types read and write them, and takes a ride. */
fun main() {
    for (answer in JsonParser.parseString(File("answers.json").readText()).asJsonArray.map { it.asJsonObject }) {
        val type = Class.forName("ridehail.models." + answer["component"].asString)
        println("\n" + GSON.toJson(GSON.fromJson(answer["body"], type)))
    }
    ride()
}

fun client(authorization: String) = OkHttpClient.Builder()
    .addInterceptor { it.proceed(it.request().newBuilder().header("Authorization", authorization).build()) }.build()

inline fun <reified T> refusal(call: () -> Unit): T = try {
    call()
    error("nothing was refused")
} catch (refused: ClientException) {
    GSON.fromJson((refused.response as ClientError<*>).body as String, T::class.java)
}

fun ride() {
    val token = TokensApi(BASE_URL, client(System.getenv("BASIC"))).createToken(TokenRequest(grantType = "client_credentials"))
    val prices = AvailabilityApi(BASE_URL, client("Bearer ${token.accessToken}"))
    val price = prices.estimateCost(37.7955, -122.3937, endLat = 37.7596, endLng = -122.4269, rideType = "svc").costEstimates[0]
    val passenger = client("Bearer ${System.getenv("TOKEN")}")
    val rides = RidesApi(BASE_URL, passenger)
    val request = RideRequest(
        rideType = "svc", origin = RequestedPlace(lat = 37.7955, lng = -122.3937),
        destination = OptionalPlace(lat = 37.7596, lng = -122.4269),
    )
    val primeTime = refusal<PrimeTimeConfirmationRequired> { rides.requestRide(request) }
    val id = rides.requestRide(request.copy(costToken = primeTime.costToken)).rideId
    SandboxApi(BASE_URL, passenger).setRideStatus(id, RideMove(RideStatus.pickedUp))
    val fee = refusal<CancelConfirmationRequired> { rides.cancelRide(id) }
    rides.cancelRide(id, cancelRequest = CancelRequest(cancelConfirmationToken = fee.token))
    val receipt = rides.getReceipt(id)
    println("\n${price.estimatedCostCentsMax} ${primeTime.primetimePercentage} ${fee.amount} ${receipt.lineItems[0].amount}")
}
