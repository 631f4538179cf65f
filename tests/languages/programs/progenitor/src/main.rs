progenitor::generate_api!("for-progenitor.json");

use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, json};

fn client(authorization: String) -> Client {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, authorization.parse().unwrap())]);
    let sender = reqwest::Client::builder().default_headers(headers).build().unwrap();
    Client::new_with_client(&variable("BASE_URL"), sender)
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}

async fn refusal<T: std::fmt::Debug>(answer: Result<T, Error<()>>) -> Value {
    match answer.unwrap_err() {
        Error::UnexpectedResponse(response) => response.json().await.unwrap(),
        other => panic!("{other}"),
    }
}

fn made<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn again<T: serde::de::DeserializeOwned + serde::Serialize>(body: Value) -> Value {
    serde_json::to_value(made::<T>(body)).unwrap()
}

fn decoded(component: &str, body: Value) -> Value {
    include!("types_by_name.rs")
}

fn decode(file: &str) {
    let answers: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for answer in answers {
        println!("{}", decoded(answer["component"].as_str().unwrap(), answer["body"].clone()));
    }
}

#[tokio::main]
async fn main() {
    let file = variable("FILE");
    if !file.is_empty() {
        return decode(&file);
    }
    let credentials = made(json!({ "grant_type": "client_credentials" }));
    let token = client(variable("BASIC")).create_token(None, &credentials).await.unwrap();
    let prices = client(format!("Bearer {}", token.access_token.as_str()));
    let svc = Some("svc".parse().unwrap());
    let price = prices.estimate_cost(Some(37.7596), Some(-122.4269), svc.as_ref(), 37.7955, -122.3937, None).await.unwrap();
    let passenger = client(format!("Bearer {}", variable("TOKEN")));
    let mut request: types::RideRequest = made(json!({
        "ride_type": "svc", "origin": { "lat": 37.7955, "lng": -122.3937 }, "destination": { "lat": 37.7596, "lng": -122.4269 }
    }));
    let prime_time = refusal(passenger.request_ride(None, &request).await).await;
    request.cost_token = Some(made(prime_time["cost_token"].clone()));
    let id = passenger.request_ride(None, &request).await.unwrap().ride_id.clone();
    passenger.set_ride_status(&id, None, &made(json!({ "status": "accepted" }))).await.unwrap();
    let world = client(format!("Bearer {}", variable("WORLD_TOKEN")));
    world.advance_clock(None, &made(json!({ "seconds": 180 }))).await.unwrap();
    let fee = refusal(passenger.cancel_ride(&id, None, &made(json!({}))).await).await;
    passenger.cancel_ride(&id, None, &made(json!({ "cancel_confirmation_token": fee["token"] }))).await.unwrap();
    let receipt = passenger.get_receipt(&id, None).await.unwrap();
    println!("{}", json!({
        "estimate": price.cost_estimates[0].estimated_cost_cents_max, "prime_time": prime_time["primetime_percentage"],
        "fee": fee["amount"], "receipt": receipt.line_items[0].amount,
    }));
}
