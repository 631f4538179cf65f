import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deleteApplication } from '../../server/applications/change.ts';
import { createDeveloper, inviteDeveloper } from '../../server/developers/link.ts';
import { Refusal } from '../../server/domain/refusal.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { findOwnApplication } from '../../server/store/applications.ts';
import { findDeveloper } from '../../server/store/developers.ts';
import { finishApplicationEnds } from '../../server/workers/application-ends.ts';
import { sweep } from '../../server/workers/sweep.ts';
import { ACROSS_TOWN } from '../support/accepted-calls.ts';
import { answerOf } from '../support/answers.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken, newCode } from '../support/oauth.ts';
import { rounds } from '../support/run.ts';
import { LIVE } from '../support/server.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { newEvent } from '../support/webhook-events.ts';
import { inPortal, newOwnApplication } from './applications-support.ts';
import { DEVELOPER, newDeveloper, newLink, signUpPath } from './support.ts';

const ROUNDS = rounds({ usually: 2, atLength: 40 });

describe.each(engines)('on %s', (engine) => {
  const receiver = testReceiver();
  const callsAtOnce = { running: 60, waiting: 1000 };
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000, callsAtOnce });

  /** Creates a developer who can send a form to any path, even if they may not see the page of the form. */
  const atWork = async () => {
    const developer = await newDeveloper(server);
    const visitor = await inPortal(server, developer, PORTAL_PATHS.newApplication);
    const csrf_token = csrfTokenOn(visitor.view());
    const form = (path: string, fields: Readonly<Record<string, string>>) => async () =>
      (await visitor.post(path, new URLSearchParams({ csrf_token, ...fields }))).status;
    return { ...developer, form };
  };
  const operator = () => ({ developerId: null, network: null, realNow: server.parts.now(), audit: () => {} });
  const refusedWith = (error: unknown) => (error instanceof Refusal && error.code === 'not_found' ? 404 : 500);
  const mixed = <T>(calls: readonly T[], seed: number): T[] =>
    calls
      .map((call, n) => [((n + seed) * 7919) % 101, call] as const)
      .sort(([a], [b]) => a - b)
      .map(([, call]) => call);

  test.each([true, false])('two developers change one application at once, with a deletion: %s', async (isDeleted) => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await atWork(), await atWork()];
      const name = `Raced ${round}`;
      const urls = { webhookUrl: receiver.url, sandboxWebhookUrl: receiver.url };
      const made = await newOwnApplication(server, one, { name, ...urls });
      const { id, createdAt, sandboxWorldId } = made.application;
      server.passTime(1000);
      const path = PORTAL_PATHS.application.replace(':application', id);
      const riders = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const passenger = await server.newPassenger(LIVE);
          const codes = await Promise.all([0, 1].map(() => newCode(server, passenger, { applicationId: id })));
          const traded = { grant_type: 'authorization_code', code: codes[0] };
          const { refresh_token } = (await askToken(server, traded, basic(id, made.liveSecret))).body;
          const token = await server.newToken({ world: LIVE, passenger, applicationId: id });
          return { code: codes[1], refresh_token, api: server.client({ token }) };
        }),
      );
      await newEvent(server, id, { world: LIVE });
      const made_at = String(createdAt);
      const by = (who: typeof one, next: typeof one, n: number) => {
        const forms: [page: string, fields: Record<string, string>][] = [
          ['redirect-uris', { redirect_uris: `https://app.example/${n}` }],
          ['webhooks', { environment: 'live', action: 'set', webhook_url: `${receiver.url}/${n}` }],
          ['webhooks', { environment: 'sandbox', action: 'set', sandbox_webhook_url: '' }],
          ['webhooks', { environment: 'live', action: 'test' }],
          ['secrets', { environment: 'live', live_overlap_hours: '1', made_at }],
          ['secrets', { environment: 'sandbox', sandbox_overlap_hours: '0', made_at }],
          ['settings', { action: 'rotation', rotation: n % 2 === 0 ? 'on' : 'off' }],
          ['settings', { action: 'offer', developer: next.id, transfer_name: name }],
        ];
        if (isDeleted && n % 2 === 0) forms.push(['settings', { action: 'delete', delete_name: name }]);
        const accept = who.form(PORTAL_PATHS.overview, { action: 'accept', application: id });
        return [...forms.map(([page, fields]) => who.form(`${path}/${page}`, fields)), accept];
      };
      const asClient = (body: Record<string, unknown>) => async () =>
        (await askToken(server, body, basic(id, made.liveSecret))).status;
      const calls = mixed(
        [
          ...[0, 1].flatMap((n) => by(one, other, n)),
          ...[2, 3].flatMap((n) => by(other, one, n)),
          other.form(PORTAL_PATHS.deletion, { password: DEVELOPER.password, word: 'delete' }),
          one.form(PORTAL_PATHS.deletion, { password: DEVELOPER.password, word: 'delete' }),
          ...riders.flatMap(({ code, refresh_token, api }) => [
            asClient({ grant_type: 'authorization_code', code }),
            asClient({ grant_type: 'refresh_token', refresh_token }),
            asClient({ grant_type: 'client_credentials' }),
            async () => answerOf(await api.requestRide({ body: ACROSS_TOWN })).status,
          ]),
          () => server.runDeliveries().then(() => 200),
          () => sweep(server.parts).then(() => 200),
          ...(isDeleted ? [() => deleteApplication(server.parts, operator(), id).then(() => 200, refusedWith)] : []),
        ],
        round,
      );
      const statuses = await Promise.all(calls.map((call) => call()));
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const after = await findOwnApplication(server.store.db, id);
      const { rides: _, deleted_applications: __, ...rows } = await everythingStored(server.store);
      if (after === undefined) {
        await finishApplicationEnds(server.parts);
        const { rides: _, deleted_applications: __, ...left } = await everythingStored(server.store);
        for (const mark of [id, sandboxWorldId]) expect(JSON.stringify(left)).not.toContain(`"${mark}"`);
        continue;
      }
      expect(isDeleted).toBe(false);
      // the owner exists
      expect(await findDeveloper(server.store.db, after.developerId!)).toBeDefined();
      const log = rows.application_log!.map((row) => JSON.parse(row)).filter((row) => row.application_id === id);
      const numbers = log.map(({ number }) => number).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, n) => n + 1));
      // concurrent forms rotate each secret at most once
      const rotated = log.filter(({ action }) => action === 'secret_rotated').map(({ detail }) => detail);
      expect(rotated).toHaveLength(new Set(rotated).size);
      // the stored values match the latest log entries
      const last = (action: string) =>
        log.filter((entry) => entry.action === action).sort((a, b) => b.number - a.number)[0]?.detail;
      expect(after.redirectUris).toEqual([last('redirect_uris_changed') ?? 'https://app.example/callback']);
      const accepted = log.filter(({ action }) => action === 'transfer_accepted').length;
      expect(after.developerId).toBe(accepted % 2 === 0 ? one.id : other.id);
    }
  });

  test('concurrent sign-ups with one email, with and without an invitation, create one account', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `raced-${round}@example.com`;
      const invitation = await newLink(server, email);
      const visitors = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          const visitor = newVisitor(server.baseUrl);
          await visitor.open(n % 2 === 0 ? PORTAL_PATHS.signUp : signUpPath(invitation));
          return { visitor, typed: { ...(n % 2 === 0 && { email }), password: `a password of number ${n}` } };
        }),
      );
      const desk = { ...server.parts, publicUrl: server.baseUrl, audit: () => {} };
      const [views] = await Promise.all([
        Promise.all(visitors.map(({ visitor, typed }) => visitor.submit(typed))),
        inviteDeveloper(desk, email).catch(refusedWith),
        ...(round % 2 === 0 ? [createDeveloper(desk, email).catch(refusedWith)] : []),
      ]);
      // the server rejects too many concurrent hashes
      expect(views.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
      const { db } = server.store;
      const [made, ...others] = await db.selectFrom('developers').select('id').where('email', '=', email).execute();
      expect([made !== undefined, others]).toEqual([true, []]);
      const links = await db.selectFrom('developerLinks').selectAll().where('email', '=', email).execute();
      expect(links.filter(({ developerId }) => developerId !== null && developerId !== made!.id)).toEqual([]);
    }
  });

  test('changes of one application run one after the other, so that at most one waits for its row', async () => {
    const one = await atWork();
    const { application } = await newOwnApplication(server, one);
    const { transaction } = server.store;
    let [running, most] = [0, 0];
    const counted = vi.spyOn(server.store, 'transaction').mockImplementation(async (...work) => {
      running += 1;
      most = Math.max(most, running);
      return transaction(...work).finally(() => (running -= 1));
    });
    onTestFinished(() => counted.mockRestore());
    const path = `${PORTAL_PATHS.application.replace(':application', application.id)}/settings`;
    const forms = Array.from({ length: 8 }, (_, n) =>
      one.form(path, { action: 'rotation', rotation: n % 2 === 0 ? 'on' : 'off' }),
    );
    await Promise.all(forms.map((form) => form()));
    expect([counted.mock.calls.length, most]).toEqual([8, 1]);
  });
});
