progenitor::generate_api!("for-progenitor.json");

use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Value, from_value, json};

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

fn again<T: serde::de::DeserializeOwned + serde::Serialize>(body: Value) -> Value {
    serde_json::to_value(from_value::<T>(body).unwrap()).unwrap()
}

/// Has an entry for each component in answers.json, because Rust cannot look up a type by its name.
fn decoded(component: &str, body: Value) -> Value {
    match component {
        // ENTRIES
        _ => panic!("{component}"),
    }
}

/// Prints the bodies in answers.json as the generated types read and write them, and takes a ride.
#[tokio::main]
async fn main() {
    let answers: Vec<Value> = serde_json::from_str(&std::fs::read_to_string("answers.json").unwrap()).unwrap();
    for answer in answers {
        println!("{}", decoded(answer["component"].as_str().unwrap(), answer["body"].clone()));
    }
    ride().await;
}

async fn ride() {
    let credentials = from_value(json!({ "grant_type": "client_credentials" })).unwrap();
    let token = client(variable("BASIC")).create_token(None, &credentials).await.unwrap();
    let prices = client(format!("Bearer {}", token.access_token.as_str()));
    let svc = Some("svc".parse().unwrap());
    let price = prices.estimate_cost(Some(37.7596), Some(-122.4269), svc.as_ref(), 37.7955, -122.3937, None).await.unwrap();
    let estimate = price.cost_estimates[0].estimated_cost_cents_max.unwrap();
    let passenger = client(format!("Bearer {}", variable("TOKEN")));
    let request = |cost_token: &Value| from_value(json!({
        "ride_type": "svc", "cost_token": cost_token,
        "origin": { "lat": 37.7955, "lng": -122.3937 }, "destination": { "lat": 37.7596, "lng": -122.4269 },
    })).unwrap();
    let prime_time = refusal(passenger.request_ride(None, &request(&Value::Null)).await).await;
    let id = passenger.request_ride(None, &request(&prime_time["cost_token"])).await.unwrap().ride_id.clone();
    passenger.set_ride_status(&id, None, &from_value(json!({ "status": "pickedUp" })).unwrap()).await.unwrap();
    let fee = refusal(passenger.cancel_ride(&id, None, &from_value(json!({})).unwrap()).await).await;
    let confirmed = from_value(json!({ "cancel_confirmation_token": fee["token"] })).unwrap();
    passenger.cancel_ride(&id, None, &confirmed).await.unwrap();
    let receipt = passenger.get_receipt(&id, None).await.unwrap();
    let percentage = prime_time["primetime_percentage"].as_str().unwrap();
    println!("{estimate} {percentage} {} {}", fee["amount"], receipt.line_items[0].amount);
}
