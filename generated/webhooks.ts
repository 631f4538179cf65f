// Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.
import type { webhooks } from './types.ts';

/** Every event type that the contract declares. */
export const EVENT_TYPES = ['ride.status.updated', 'ride.receipt.ready'] as const satisfies ReadonlyArray<
  keyof webhooks
>;

export type EventType = (typeof EVENT_TYPES)[number];

/** Pointers to the schema of each event in webhooks.json. */
export const EVENT_SCHEMAS: Readonly<Record<EventType, string>> = {
  'ride.status.updated': '#/components/schemas/RideStatusUpdated',
  'ride.receipt.ready': '#/components/schemas/RideReceiptReady',
};

/** The body of a webhook request, by its event type. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? webhooks[Type]['post'] extends { requestBody: { content: { 'application/json': infer Event } } }
    ? Event
    : never
  : never;

/** The body of a test event, with links to the server of the contract. */
export const TEST_EVENT = {
  server: 'http://localhost:8080',
  body: {
    event_id: '01a1fd5d-3c10-7a42-9b6e-5d8f0c2e7a31',
    href: 'http://localhost:8080/v1/rides/01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75',
    occurred_at: '2026-05-15T01:04:50.000+00:00',
    event_type: 'ride.status.updated',
    event: {
      ride_id: '01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75',
      status: 'accepted',
      ride_type: 'svc',
      origin: { lat: 37.7955, lng: -122.3937, address: 'Ferry Building, San Francisco', eta_seconds: 200 },
      destination: { lat: 37.7596, lng: -122.4269, address: 'Dolores Park, San Francisco' },
      passenger: {
        user_id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f10',
        first_name: 'Maya',
        last_name: 'Okafor',
        image_url: 'http://localhost:8080/pictures/people/01985f3e-52c1-7d08-8a6f-3b9e2c7d4f10.svg',
        rating: '4.9',
      },
      driver: {
        user_id: '7c2f9b84-3d1e-4a65-b0c8-91e47f2d6a53',
        first_name: 'Priya',
        image_url: 'http://localhost:8080/pictures/people/7c2f9b84-3d1e-4a65-b0c8-91e47f2d6a53.svg',
        rating: '4.8',
        phone_number: '+14155550123',
      },
      vehicle: {
        make: 'Toyota',
        model: 'Prius',
        year: 2023,
        license_plate: '8RHL204',
        license_plate_state: 'CA',
        color: 'Blue',
        image_url: 'http://localhost:8080/pictures/vehicles/Toyota/Prius/Blue.svg',
      },
      beacon_color: '#7A4DFF',
      location: { lat: 37.7925, lng: -122.3976, bearing: 45.5 },
      primetime_percentage: '25%',
      requested_at: '2026-05-15T01:04:05.000+00:00',
      generated_at: '2026-05-15T01:04:50.000+00:00',
      ride_profile: 'personal',
      pricing_details_url: 'http://localhost:8080/pricing/san-francisco',
      route_url: 'http://localhost:8080/routes/live/01a1fd5c-8a40-7b3e-9c11-2f6d8e0a4b75',
      can_cancel: ['passenger', 'driver', 'dispatcher'],
    },
  },
} as const satisfies {
  readonly server: string;
  readonly body: WebhookEvent;
};
