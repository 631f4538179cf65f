import { applicationThatBegins, type OwnApplication } from './domain/application.ts';
import { NEW_FLAGS, type Passenger } from './domain/passenger.ts';
import { LIVE_WORLD } from './domain/worlds/live.ts';
import { sandboxThatBegins } from './domain/worlds/sandbox.ts';
import { PATHS } from './links.ts';
import { hashOf } from './oauth/secrets.ts';
import type { Parts } from './parts.ts';
import { setSecrets } from './store/application-keys.ts';
import { adoptApplication, insertApplicationIfAbsent, setSettings } from './store/applications.ts';
import { insertDeveloperIfAbsent } from './store/developers.ts';
import type { Store } from './store/engine/open.ts';
import { insertPassengerIfAbsent } from './store/passengers.ts';
import { insertWorldIfAbsent } from './store/worlds.ts';

/** Public credentials: only a server that no one else can reach has the demo application. */
export const DEMO = {
  clientId: 'demo',
  clientSecret: 'demo-secret',
  // clients of the original API derive it like this; any other application's two secrets are independent
  sandboxClientSecret: 'SANDBOX-demo-secret',
  password: 'correct horse battery staple',
} as const;

/** DEMO.password in Argon2id, computed once: hashing it at every start would slow down every test. */
const DEMO_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$vYbP9DW6gTUyO2lKeqZLfw$8RejYF/V9iSb8x+T7g57wQCWx7hl46DUoaJNHI1sqm8';
const DEMO_SANDBOX_ID = 'demo-sandbox';
const DEMO_VERIFICATION_TOKEN = 'demo-verification-token';
const DEMO_SANDBOX_VERIFICATION_TOKEN = 'demo-sandbox-verification-token';

type DemoPassenger = Pick<Passenger, 'id' | 'email' | 'firstName' | 'lastName' | 'rating' | 'paymentMethod'> & {
  readonly hasPortrait: boolean;
};

export const DEMO_PASSENGERS: readonly DemoPassenger[] = [
  {
    ...{ id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f10', email: 'maya@example.com', firstName: 'Maya', lastName: 'Okafor' },
    ...{ rating: '4.9', hasPortrait: true, paymentMethod: 'Visa ending in 4242' },
  },
  {
    ...{ id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f11', email: 'leo@example.com', firstName: 'Leo', lastName: 'Brandt' },
    ...{ rating: '4.7', hasPortrait: true, paymentMethod: 'Mastercard ending in 5454' },
  },
  {
    ...{ id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f12', email: 'aiko@example.com', firstName: 'Aiko', lastName: 'Tanaka' },
    ...{ rating: null, hasPortrait: false, paymentMethod: 'Visa ending in 1881' },
  },
];

/** The developer who owns the demo application. The password is the demo password. */
export const DEMO_DEVELOPER = {
  id: '01985f3e-52c1-7d08-8a6f-3b9e2c7d4f0f',
  email: 'developer@example.com',
} as const;

/** Identities to refuse because their credentials are public. */
type Refused = Pick<Parts, 'refusedApplications' | 'refusedPassengers' | 'refusedDevelopers'>;

export const WITH_DEMO: Refused = {
  refusedApplications: new Set(),
  refusedPassengers: new Set(),
  refusedDevelopers: new Set(),
};

/** For a server without the demo, because its database may come from a server that had it. */
export const WITHOUT_DEMO: Refused = {
  refusedApplications: new Set([DEMO.clientId]),
  refusedPassengers: new Set(DEMO_PASSENGERS.map(({ id }) => id)),
  refusedDevelopers: new Set([DEMO_DEVELOPER.id]),
};

export async function seedLiveWorld({ db }: Store, realNow: number): Promise<void> {
  await insertWorldIfAbsent(db, LIVE_WORLD, realNow);
}

/** The demo application's redirect URI, a page on this server. */
export function demoRedirectUri(publicUrl: string): string {
  return `${publicUrl}/demo/callback`;
}

/**
 * Creates the demo application with its sandbox and developer, and the demo passengers. Existing rows stay unchanged,
 * except for the redirect URI and the secrets, which are reset to this server's. An application without a developer
 * gets one.
 * @param publicUrl the URL where clients reach the server, without a trailing slash
 */
export async function seedDemo({ db }: Store, realNow: number, publicUrl: string): Promise<void> {
  const sandbox = { id: DEMO_SANDBOX_ID, applicationId: DEMO.clientId, seed: DEMO_SANDBOX_ID };
  await insertWorldIfAbsent(db, sandboxThatBegins(sandbox, realNow), realNow);
  await insertDeveloperIfAbsent(db, { ...DEMO_DEVELOPER, passwordHash: DEMO_PASSWORD_HASH, createdAt: realNow });
  const redirectUri = demoRedirectUri(publicUrl);
  const application = demoApplication(realNow, redirectUri);
  if (!(await insertApplicationIfAbsent(db, application))) {
    const { redirectUris, liveEventsSince } = application;
    await setSettings(db, application.id, { redirectUris, liveEventsSince });
    await setSecrets(db, application.id, application);
    await adoptApplication(db, application.id, DEMO_DEVELOPER.id);
  }
  for (const passenger of DEMO_PASSENGERS) await insertPassengerIfAbsent(db, demoPassenger(passenger, realNow));
}

function demoApplication(createdAt: number, redirectUri: string): OwnApplication {
  const beginning = applicationThatBegins({
    ...{ id: DEMO.clientId, name: 'Demo', developerId: DEMO_DEVELOPER.id, redirectUris: [redirectUri], createdAt },
    ...{ liveSecretHash: hashOf(DEMO.clientSecret), sandboxSecretHash: hashOf(DEMO.sandboxClientSecret) },
    ...{ webhookUrl: null, sandboxWebhookUrl: null, sandboxWorldId: DEMO_SANDBOX_ID },
    verificationToken: DEMO_VERIFICATION_TOKEN,
    sandboxVerificationToken: DEMO_SANDBOX_VERIFICATION_TOKEN,
  });
  return { ...beginning, liveEventsSince: createdAt };
}

function demoPassenger({ hasPortrait, ...passenger }: DemoPassenger, createdAt: number): Passenger {
  return {
    ...passenger,
    worldId: LIVE_WORLD.id,
    passwordHash: DEMO_PASSWORD_HASH,
    imageUrl: hasPortrait ? PATHS.person(passenger.id) : null,
    phoneNumber: '+14155550100',
    phoneVerified: true,
    ...NEW_FLAGS,
    createdAt,
  };
}
