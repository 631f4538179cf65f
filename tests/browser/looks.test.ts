import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { TEST_EVENT } from '../../generated/webhooks.ts';
import { geography } from '../../server/cities/geography.ts';
import { DEMO, DEMO_PASSENGERS, demoRedirectUri } from '../../server/demo.ts';
import { COLORS, LUXURY_COLORS, MODELS } from '../../server/domain/fleet/vehicle.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { setSettings } from '../../server/store/applications.ts';
import { noteConsent } from '../../server/store/consents.ts';
import { passengerAt } from '../account/support.ts';
import { atOwn, inPortal, newEventOf, newOwnApplication, send } from '../portal/applications-support.ts';
import { newDeveloper, newLink, setPasswordPath, signUpPath } from '../portal/support.ts';
import { runsBrowserTests } from '../support/browser.ts';
import { ADA, MAYA, newcomer, pathOfRequest, queryOfRequest, signedInVisitor } from '../support/consent.ts';
import { newApplication, newGrant } from '../support/oauth.ts';
import { rawCall } from '../support/raw-call.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { advanceUntil, startRiding, storedRide } from '../support/take-ride.ts';
import { type FormValues, newVisitor, type View, type Visitor } from '../support/visitor.ts';
import { faultsOfLooks } from './support/looks.ts';

/** A page, its heading, how to reach it, and what its markup shows. No script does more than add buttons to it. */
type Way = readonly [name: string, heading: string, go: () => Promise<View>, shows?: string];

const ALERT = 'role="alert"';
const STATUS = 'role="status"';
/** A name of the maximum length. */
const NAME = 'Rides of the very-long-and-unbroken-name-of-sixty-characters';
/** A passenger with the longest names. */
const LONGEST = {
  firstName: 'Marie-Ann '.repeat(10),
  lastName: 'M'.repeat(100),
  email: `${'m'.repeat(242)}@example.com`,
};
/** A request for all scopes, of an application whose name is `NAME`. */
const OF_LONG_NAME = { client_id: 'long-name' };
const CALLBACK = 'https://planner.example/callback';
const LONG_CALLBACK = `https://staging.planner.example/${'a-long-path-without-a-space/'.repeat(8)}callback`;
const SIGN_UP = `${CONSENT_PATHS.signUp}?${queryOfRequest()}`;
const WRONG = { email: MAYA.email, password: 'not the password' };
const NEW_DEVELOPER = { email: 'signed-up@example.com', password: 'a quiet place by the sea' };
const [{ id: MAYA_ID }, LEO] = DEMO_PASSENGERS as [(typeof DEMO_PASSENGERS)[0], (typeof DEMO_PASSENGERS)[0]];
const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled'] as const;

describe.skipIf(!runsBrowserTests)('the looks of', () => {
  const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
  /** Allows each network one sign-up. */
  const strict = testServer('sqlite', { withPages: true, rateLimitMultiplier: 0.05 });
  const invite = testServer('sqlite', { withPages: true, portalSignUp: 'invite', hasDemo: false });
  const off = testServer('sqlite', { withPages: true, portalSignUp: 'off', hasDemo: false });
  const receiver = testReceiver();
  beforeAll(async () => {
    const { db } = server.store;
    await setSettings(db, DEMO.clientId, { redirectUris: [demoRedirectUri(server.baseUrl)] });
    await newApplication(server, OF_LONG_NAME.client_id);
    await setSettings(db, OF_LONG_NAME.client_id, { name: NAME });
  });
  beforeEach(() => receiver.answerWith(() => ({ status: 200, body: 'Thank you.' })));

  const open = (path: string, of: TestServer = server) => newVisitor(of.baseUrl).open(path);
  const submit = async (visitor: Promise<Visitor>, values: FormValues, to?: string) =>
    (await visitor).submit(values, to);
  const at = async (visitor: Promise<Visitor>) => (await visitor).view();
  /** Opens a page, and submits its form. */
  const after = async (path: string, values: FormValues, of: TestServer = server) => {
    const visitor = newVisitor(of.baseUrl);
    await visitor.open(path);
    return visitor.submit(values);
  };
  /** Sends the form of the latest view after the cookies are gone. */
  const tooLate = async (visitor: Promise<Visitor>, values: FormValues, to?: string) => {
    (await visitor).cookies.clear();
    return submit(visitor, values, to);
  };

  const account = (path: string, who: { readonly id: string } = { id: MAYA_ID }) => passengerAt(server, who, path);
  const anyone = async (path: string) => account(path, await server.newPassenger(LIVE));
  const consent = (scope?: string) => signedInVisitor(server.baseUrl, scope === undefined ? {} : { scope });
  const problem = (name: string) => PATHS.account(name);
  const CARD = { action: 'add', card_number: '1', expires: '1', security_code: '1' };

  /** The pages that the account and the portal have. @param inside opens one as a new account */
  const ofSite = (
    { overview, signOut, password, deletion }: typeof ACCOUNT_PATHS | typeof PORTAL_PATHS,
    heading: string,
    inside: (path: string) => Promise<Visitor>,
  ): readonly Way[] => [
    ['sign-in', heading, () => open(overview)],
    ['a failed sign-in', heading, () => after(overview, WRONG), ALERT],
    ['a sign-out', heading, () => submit(inside(overview), {}, signOut), STATUS],
    ['password', 'Change your password', () => at(inside(password))],
    ['a wrong password', 'Change your password', () => submit(inside(password), { current_password: '' }), ALERT],
    ['deletion', 'Delete your account', () => at(inside(deletion))],
    ['a failed deletion', 'Delete your account', () => submit(inside(deletion), { word: '' }), ALERT],
    ['an old form', 'This form has expired', () => tooLate(inside(deletion), { word: '' })],
  ];

  const OF_ACCOUNT: readonly Way[] = [
    ...ofSite(ACCOUNT_PATHS, 'Sign in to your account', anyone),
    ['overview', 'Your account', () => at(account(ACCOUNT_PATHS.overview))],
    ['no applications', 'Apps', () => at(account(ACCOUNT_PATHS.applications, LEO))],
    [
      'applications',
      'Apps',
      async () => {
        const { passenger } = await newGrant(server);
        await noteConsent(server.store.db, { passengerId: passenger.id, applicationId: DEMO.clientId, at: 0 });
        return at(account(ACCOUNT_PATHS.applications, passenger));
      },
      'Remove access for Demo',
    ],
    ['sessions', 'Where you’re signed in', () => at(account(ACCOUNT_PATHS.sessions))],
    ['data', 'Download your data', () => at(account(ACCOUNT_PATHS.data))],
    ['payment', 'Payment method', () => at(account(problem('payment')))],
    ['a wrong card', 'Payment method', () => submit(account(problem('payment')), CARD), ALERT],
    [
      'no card',
      'Payment method',
      () => submit(anyone(problem('payment')), { action: 'remove' }),
      'You have no payment method.',
    ],
    ['phone', 'Phone number', () => at(account(problem('phone')))],
    [
      'a wrong code',
      'Phone number',
      async () => {
        const visitor = account(problem('phone'), await server.newPassenger(LIVE, { phoneVerified: false }));
        await submit(visitor, { action: 'send', phone_number: '(415) 555-0123' });
        return submit(visitor, { action: 'verify', code: '000' });
      },
      ALERT,
    ],
    ['a suspended account', '', () => open(problem('suspended'))],
    ['driver mode', '', () => open(problem('driver-mode'))],
  ];

  const OF_CONSENT: readonly Way[] = [
    ['sign-in', 'Sign in to continue to Demo', () => open(pathOfRequest())],
    ['a failed sign-in', 'Sign in to continue to Demo', () => after(pathOfRequest(), WRONG), ALERT],
    ['sign-up', 'Create an account', () => open(SIGN_UP)],
    ['a failed sign-up', 'Create an account', () => after(SIGN_UP, { first_name: ' ', phone_number: '12' }), ALERT],
    ['a finished sign-up', 'Sign in to continue to Demo', () => after(SIGN_UP, ADA), STATUS],
    ['sign-in, with a long name', NAME, () => open(pathOfRequest(OF_LONG_NAME))],
    ['sign-up, with a long name', 'Create', () => open(`${CONSENT_PATHS.signUp}?${queryOfRequest(OF_LONG_NAME)}`)],
    [
      'consent, with the longest names',
      NAME,
      async () => at(account(pathOfRequest(OF_LONG_NAME), await server.newPassenger(LIVE, LONGEST))),
      'Stay signed in',
    ],
    ['consent', 'Allow Demo to use your account?', () => at(consent())],
    [
      'no scopes',
      'Allow Demo to use your account?',
      () => submit(consent('profile'), { decision: 'allow', scope: [] }),
      ALERT,
    ],
    ['an unknown client', 'This link doesn’t work', () => open(pathOfRequest({ client_id: 'stranger' }))],
    [
      'a wrong redirect URI',
      'This link doesn’t work',
      () => open(pathOfRequest({ redirect_uri: 'https://elsewhere.example/' })),
    ],
    ['an old form', 'This form has expired', () => tooLate(newcomer(server.baseUrl), MAYA)],
    [
      'too many tries',
      'Too many attempts',
      async () => {
        await after(SIGN_UP, ADA, strict);
        return after(SIGN_UP, { ...ADA, email: 'una@example.com' }, strict);
      },
    ],
    ['the demo application, with a code', 'Access allowed', () => submit(consent(), { decision: 'allow' })],
    ['the demo application, with an error', 'Access denied', () => submit(consent(), { decision: 'deny' })],
    ['the demo application, at the start', 'Demo application', () => open(demoRedirectUri(''))],
  ];

  /** A page of a new developer with an application, whose webhook has failed for some days. */
  const portal = async (path: string, failingDays?: number) => {
    const developer = await newDeveloper(server);
    const { application } = await newOwnApplication(server, developer, {
      name: NAME,
      redirectUris: [CALLBACK, LONG_CALLBACK],
      webhookUrl: `${receiver.url}/live`,
      sandboxWebhookUrl: `${receiver.url}/sandbox/${'a-long-path-without-a-space/'.repeat(6)}`,
    });
    if (failingDays !== undefined) {
      const webhookFailingSince = server.parts.now() - failingDays * DAY_MS;
      await server.store.db.updateTable('applications').set({ webhookFailingSince }).execute();
    }
    const home = PORTAL_PATHS.application.replace(':application', application.id);
    return inPortal(server, developer, path.startsWith('.') ? home + path.slice(1) : path);
  };
  const sendAt = async (
    path: string,
    ...form: Parameters<typeof send> extends [unknown, ...infer Rest] ? Rest : never
  ) => send(await portal(path), ...form);
  /** The page of an event of a live ride that failed, with a long answer. @param liveEventsSince null: without its body */
  const failed = async (liveEventsSince: number | null = 1) => {
    const urls = { webhookUrl: `${receiver.url}/live` };
    const { visitor, id, application } = await atOwn(server, '', { name: NAME, ...urls });
    await setSettings(server.store.db, id, { liveEventsSince });
    receiver.answerWith(() => ({ status: 500, body: `<h1>Broken</h1>${'x'.repeat(200)}` }));
    const body = JSON.stringify(TEST_EVENT.body);
    const { detail, eventId } = await newEventOf(server, application, 'live', { body });
    await server.runDeliveries();
    const states = server.store.db.updateTable('deliveries').set({ status: 'given_up', realDueAt: null });
    await states.where('eventId', '=', eventId).execute();
    await visitor.open(detail);
    return visitor;
  };
  const resendOf = async (visitor: Promise<Visitor>) => submit(visitor, {}, (await at(visitor)).url.pathname);
  const operatorLink = async () => {
    const { email, id } = await newDeveloper(server);
    return setPasswordPath(await newLink(server, email, id));
  };
  const TEST = { environment: 'live', action: 'test' };

  const OF_PORTAL: readonly Way[] = [
    ['no applications', 'Your applications', async () => at(inPortal(server, await newDeveloper(server)))],
    ['applications', 'Your applications', () => at(portal(PORTAL_PATHS.overview, 6))],
    ['a new application', 'New application', () => at(portal(PORTAL_PATHS.newApplication))],
    [
      'problems of a new application',
      'New application',
      () =>
        submit(portal(PORTAL_PATHS.newApplication), {
          name: '',
          redirect_uris: `http://planner.example/callback\n${LONG_CALLBACK}#part`,
          webhook_url: 'planner',
        }),
      ALERT,
    ],
    [
      'a created application',
      'Save these secrets now',
      () => submit(portal(PORTAL_PATHS.newApplication), { name: NAME, redirect_uris: CALLBACK }),
    ],
    ['overview', NAME, () => at(portal('.'))],
    ['overview, failing', NAME, () => at(portal('.', 6))],
    ['redirect URIs', 'Redirect URIs', () => at(portal('./redirect-uris'))],
    [
      'a wrong redirect URI',
      'Redirect URIs',
      () => submit(portal('./redirect-uris'), { redirect_uris: 'nowhere' }),
      ALERT,
    ],
    [
      'saved redirect URIs',
      'Redirect URIs',
      () => submit(portal('./redirect-uris'), { redirect_uris: CALLBACK }),
      STATUS,
    ],
    ['webhooks', 'Webhooks', () => at(portal('./webhooks'))],
    ['a wrong webhook URL', 'Webhooks', () => submit(portal('./webhooks'), { webhook_url: 'nowhere' }), ALERT],
    ['a test event that arrived', 'Webhooks', () => sendAt('./webhooks', TEST), 'The live URL accepted the event.'],
    [
      'a test event that failed',
      'Webhooks',
      () => {
        const body = `<h1>Broken</h1>${'no space '.repeat(9)}${'x'.repeat(200)}`;
        receiver.answerWith(() => ({ status: 500, body }));
        return sendAt('./webhooks', TEST);
      },
      'The live URL rejected the event',
    ],
    ['no deliveries', 'Deliveries', () => at(portal('./deliveries?world=nowhere')), 'no sandbox with this ID'],
    ['deliveries', 'Deliveries', async () => (await failed()).follow('Deliveries'), 'Failed'],
    ['webhooks with a failed event', 'Webhooks', async () => (await failed()).follow('Webhooks'), 'Failed live events'],
    ['a failed event', 'Ride ', () => at(failed()), 'Attempt 1'],
    ['an event without its body', 'Ride ', () => at(failed(null)), 'Turn on live events'],
    ['a resent event', 'Ride ', () => resendOf(failed()), STATUS],
    ['the timeline of a ride', 'Timeline', async () => (await failed()).follow('Ride timeline'), 'Attempt 1'],
    ['secrets', 'Client secrets', () => at(portal('./secrets'))],
    [
      'a rotated secret',
      'Save this secret now',
      () => sendAt('./secrets', { environment: 'live' }, { live_overlap_hours: '24' }),
    ],
    ['settings', 'Settings', () => at(portal('./settings'))],
    ['a wrong name', 'Settings', () => sendAt('./settings', { action: 'rename' }, { name: '' }), ALERT],
    ['a deletion without the name', 'Settings', () => sendAt('./settings', { action: 'delete' }), ALERT],
    [
      'log',
      'Log',
      async () => {
        const visitor = await portal('./secrets');
        await send(visitor, { environment: 'sandbox' });
        await visitor.follow('Redirect URIs');
        await visitor.submit({ redirect_uris: LONG_CALLBACK });
        return visitor.follow('Log');
      },
    ],
    [
      'requests, and one in a sandbox',
      'PUT request',
      async () => {
        const visitor = await portal('./requests');
        const [, id = ''] = /applications\/([^/]+)/.exec(visitor.view().url.pathname)!;
        const world = await server.newWorld({ applicationId: id });
        const token = await server.newToken({ world, applicationId: id });
        await server
          .client({ token })
          .setPrimeTime({ body: { lat: 37.77, lng: -122.39, primetime_percentage: '50%' } });
        await server.writeRequests();
        await visitor.follow('Requests');
        return visitor.follow(`PUT ${OPERATIONS.setPrimeTime.path}`);
      },
      'Copy as curl',
    ],
    [
      'requests',
      'Requests of',
      async () => {
        const visitor = await portal('./requests');
        const [, id = ''] = /applications\/([^/]+)/.exec(visitor.view().url.pathname)!;
        const token = await server.newToken({ world: LIVE, applicationId: id });
        await rawCall(server.baseUrl, 'getRide', { path: { ride_id: 'r'.repeat(400) }, token });
        await server.writeRequests();
        return visitor.follow('Requests');
      },
      'insufficient_scope',
    ],
    ['account', 'Your account', () => at(portal(PORTAL_PATHS.account))],
    ['not found', 'Not found', () => at(portal(`${PORTAL_PATHS.overview}/applications/of-another`))],
    ...ofSite(PORTAL_PATHS, 'Sign in to the developer portal', portal),
    ['sign-up', 'Create a developer account', () => open(PORTAL_PATHS.signUp)],
    ['a failed sign-up', 'Create a developer account', () => after(PORTAL_PATHS.signUp, { email: '' }), ALERT],
    ['a finished sign-up', 'Sign in', () => after(PORTAL_PATHS.signUp, NEW_DEVELOPER), STATUS],
    ['set password', 'Set your password', async () => open(await operatorLink())],
    [
      'a new password with problems',
      'Set your password',
      async () => after(await operatorLink(), { new_password: '' }),
      ALERT,
    ],
    ['a wrong link', 'This link doesn’t work', () => open(setPasswordPath('old'))],
    ['sign-in for the invited', 'Sign in to the developer portal', () => open(PORTAL_PATHS.signIn, invite)],
    ['sign-up without an invitation', 'You need an invitation', () => open(PORTAL_PATHS.signUp, invite)],
    [
      'sign-up with an invitation',
      'Create a developer account',
      async () => open(signUpPath(await newLink(invite, 'invited@example.com')), invite),
    ],
    ['sign-up with a wrong invitation', 'This invitation doesn’t work', () => open(signUpPath('old'), invite)],
    ['sign-in without sign-up', 'Sign in to the developer portal', () => open(PORTAL_PATHS.signIn, off)],
    ['closed sign-up', 'Sign-up is closed', () => open(PORTAL_PATHS.signUp, off)],
  ];

  const OF_SITE: readonly Way[] = [
    ['start page', 'Build with the Ridehail API', () => open('/')],
    ['dead link', 'Not found', () => open('/nothing/here')],
    ['all pictures', 'Ridehail', async () => ({ ...(await open('/')), markup: pageOfPictures() })],
    ...geography.areas.map(({ id, name }): Way => [`prices in ${name}`, name, () => open(PATHS.pricing(id))]),
    ...STATUSES.map((status): Way => {
      const go = async () => {
        const riding = await startRiding(server);
        if (status === 'canceled') await riding.api.cancelRide({ params: riding.params });
        await advanceUntil(server, riding, status);
        const view = await open(PATHS.route(await storedRide(server, riding.world, riding.rideId)));
        // the page of a ride in progress reloads itself, which axe rejects
        return { ...view, markup: view.markup.replace(/<meta http-equiv="refresh"[^>]*>/, '') };
      };
      return [`ride that is ${status}`, '', go];
    }),
  ];

  const pageOfPictures = () => {
    const vehicles = Object.values(MODELS)
      .flat()
      .flatMap(([make, model]) => [...new Set([...COLORS, ...LUXURY_COLORS])].map((color) => ({ make, model, color })));
    const pictures = [
      ...[...geography.rideTypes.keys()].map(PATHS.car),
      ...vehicles.map((car) => PATHS.vehicle({ ...car, year: 2023, licensePlate: '', licensePlateState: null })),
      ...Array.from({ length: 50 }, (_, i) => PATHS.person(`person-${i}`)),
      '/favicon.svg',
    ].map((path) => `<img alt="" src="${path}">`);
    return `<!doctype html><html lang="en"><title>All</title><main><h1>All</h1>${pictures.join('')}</main></html>`;
  };

  const ALL = Object.entries({ account: OF_ACCOUNT, consent: OF_CONSENT, portal: OF_PORTAL, site: OF_SITE });
  const ROWS = ALL.flatMap(([where, ways]) => ways.map((way) => [where, way[0], way] as const));
  test.each(ROWS)('%s, %s: no faults, at any width and in any color scheme', async (where, name, way) => {
    const [, heading, go, shows = ''] = way;
    const view = await go();
    expect(view.title).toContain(heading);
    expect(view.markup).toContain(shows);
    // as in the API and the docs; passengers have apps
    if (where === 'portal') expect(view.text).not.toMatch(/\bapps?\b(?!\.example)/i);
    if (shows === ALERT) {
      expect(view.title).toMatch(/^Error: /);
      expect(view.markup.match(/ autofocus\b/g)).toHaveLength(1);
    }
    expect(await faultsOfLooks(view, `${where} ${name}`)).toEqual([]);
  });
});
