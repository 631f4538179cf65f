import type { Application } from './domain/applications/application.ts';
import type { Passenger } from './domain/passengers/passenger.ts';
import { worldTime } from './domain/worlds/clock.ts';
import { LIVE_WORLD } from './domain/worlds/live.ts';
import { PATHS } from './links.ts';
import { hashOf } from './oauth/secrets.ts';
import { insertApplicationIfAbsent } from './store/applications.ts';
import type { Store } from './store/open.ts';
import { insertPassengerIfAbsent } from './store/passengers.ts';
import { insertWorldIfAbsent } from './store/worlds.ts';

/** The demo application's credentials. They are public, so a production server has none of this. */
export const DEMO = {
  clientId: 'demo',
  clientSecret: 'demo-live-secret',
  sandboxClientSecret: 'SANDBOX-demo-secret',
  redirectUri: 'http://localhost:8080/demo/callback',
  password: 'correct horse battery staple',
} as const;

const DEMO_SANDBOX_ID = 'demo-sandbox';
const DEMO_VERIFICATION_TOKEN = 'demo-verification-token';

interface DemoPassenger {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly rating: string | null;
  readonly hasPortrait: boolean;
  readonly paymentMethod: string;
}

export const DEMO_PASSENGERS: readonly DemoPassenger[] = [
  {
    id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f10',
    email: 'maya@example.com',
    firstName: 'Maya',
    lastName: 'Okafor',
    rating: '4.9',
    hasPortrait: true,
    paymentMethod: 'Visa ending in 4242',
  },
  {
    id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f11',
    email: 'leo@example.com',
    firstName: 'Leo',
    lastName: 'Brandt',
    rating: '4.7',
    hasPortrait: true,
    paymentMethod: 'Mastercard ending in 5454',
  },
  {
    id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f12',
    email: 'aiko@example.com',
    firstName: 'Aiko',
    lastName: 'Tanaka',
    rating: null,
    hasPortrait: false,
    paymentMethod: 'Visa ending in 1881',
  },
];

/** Makes the live world, once. */
export async function seedLiveWorld({ db }: Store, realNow: number): Promise<void> {
  await insertWorldIfAbsent(db, LIVE_WORLD, realNow);
}

/** Makes the demo application with its sandbox, and the demo passengers; what is there already stays as it is. */
export async function seedDemo({ db }: Store, realNow: number): Promise<void> {
  await insertWorldIfAbsent(
    db,
    {
      id: DEMO_SANDBOX_ID,
      kind: 'sandbox',
      applicationId: DEMO.clientId,
      seed: DEMO_SANDBOX_ID,
      clock: { realAnchor: realNow, worldAnchor: worldTime(LIVE_WORLD.clock, realNow), running: true },
      autoAdvance: false,
    },
    realNow,
  );
  await insertApplicationIfAbsent(db, demoApplication(realNow));
  for (const passenger of DEMO_PASSENGERS) await insertPassengerIfAbsent(db, demoPassenger(passenger, realNow));
}

function demoApplication(createdAt: number): Application {
  return {
    id: DEMO.clientId,
    name: 'Demo',
    redirectUri: DEMO.redirectUri,
    liveSecretHash: hashOf(DEMO.clientSecret),
    sandboxSecretHash: hashOf(DEMO.sandboxClientSecret),
    webhookUrl: null,
    verificationToken: DEMO_VERIFICATION_TOKEN,
    sandboxWorldId: DEMO_SANDBOX_ID,
    createdAt,
  };
}

function demoPassenger({ hasPortrait, ...passenger }: DemoPassenger, createdAt: number): Passenger {
  return {
    ...passenger,
    worldId: LIVE_WORLD.id,
    passwordHash: hashOf(DEMO.password),
    imageUrl: hasPortrait ? PATHS.person(passenger.id) : null,
    phoneNumber: '+14155550100',
    phoneVerified: true,
    accountDisabled: false,
    driverMode: false,
    businessProfile: false,
    hasTakenARide: false,
    createdAt,
  };
}
