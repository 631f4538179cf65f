import type { OPERATIONS, OperationId } from '../../generated/server.ts';
import type { AcceptedCall } from './accepted-calls.ts';
import { FERRY_BUILDING } from './places.ts';
import type { TestServer } from './server.ts';
import { advanceUntil, startRiding } from './take-ride.ts';

/** An operation that controls a sandbox. */
export type SandboxId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['tag'] extends 'Sandbox' ? Id : never;
}[OperationId];

const { lat, lng } = FERRY_BUILDING;

/** For each control of a sandbox a way to a call that it accepts, the one that writes the most. */
export const ACCEPTED_IN_SANDBOX: Readonly<Record<SandboxId, (server: TestServer) => Promise<AcceptedCall>>> = {
  setRideStatus: async (server) => {
    const { world, passenger, token, rideId } = await startRiding(server);
    return { world, passenger, token, path: { ride_id: rideId }, ...bodyOf({ status: 'droppedOff' }) };
  },
  setPrimeTime: (server) => asApplication(server, bodyOf({ lat, lng, primetime_percentage: '50%' })),
  setRideTypes: (server) => asApplication(server, bodyOf({ lat, lng, ride_types: ['svc'] })),
  setDriverAvailability: async (server) => ({
    ...(await asApplication(server, bodyOf({ lat, lng, driver_availability: false }))),
    path: { ride_type: 'svc' },
  }),
  createWorld: (server) => asApplication(server, bodyOf({ seed: 'a seed' })),
  getWorld: (server) => asApplication(server),
  updateWorld: (server) => asApplication(server, bodyOf({ limits: false, auto_advance: false })),
  deleteWorld: (server) => asApplication(server),
  resetWorld: (server) => asApplication(server),
  createPassenger: (server) => asApplication(server, bodyOf({ first_name: 'Ada' })),
  updatePassenger: async (server) => {
    const world = await server.newWorld();
    const { passenger, token } = await server.newRider(world);
    return { world, passenger, token, ...bodyOf({ payment_method: null }) };
  },
  getClock: (server) => asApplication(server),
  setClock: (server) => asApplication(server, bodyOf({ state: 'running' })),
  advanceClock: (server) => asApplication(server, bodyOf({ seconds: 61 })),
  setWebhooks: (server) => asApplication(server, bodyOf({ url: 'http://127.0.0.1:9/', duplicates: 1 })),
  listEvents: async (server) => (await withEvent(server)).call,
  resendEvent: async (server) => {
    const { call, eventId } = await withEvent(server);
    return { ...call, path: { event_id: eventId } };
  },
};

function bodyOf(value: object) {
  return { body: JSON.stringify(value) };
}

async function asApplication(server: TestServer, sent: { readonly body?: string } = {}): Promise<AcceptedCall> {
  const world = await server.newWorld();
  return { world, passenger: null, token: await server.newToken({ world }), ...sent };
}

/** A world in which a ride was accepted, and nobody listens to it. */
async function withEvent(server: TestServer): Promise<{ readonly call: AcceptedCall; readonly eventId: string }> {
  const call = await asApplication(server);
  const api = server.client({ token: call.token! });
  await api.setWebhooks({ body: { url: 'http://127.0.0.1:9/' } });
  const riding = await startRiding(server, { world: call.world });
  await advanceUntil(server, riding, 'accepted');
  const { data } = await api.listEvents();
  return { call, eventId: data!.events[0]!.event_id };
}
