import { describe, expect, test } from 'vitest';
import { PORTAL_PATHS } from '../../server/links.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { testReceiver, testServer } from '../support/started.ts';
import { inPortal, newOwnApplication, PAGES_OF_APPLICATION } from './applications-support.ts';
import { newDeveloper } from './support.ts';

const NAME = 'Not yours';

/** Each form on an application's pages, as its owner could send it. The tests add `made_at` and `developer`. */
const ACTIONS: readonly (readonly [page: string, form: Readonly<Record<string, string>>])[] = [
  ['/redirect-uris', { redirect_uris: 'https://elsewhere.example/' }],
  ['/webhooks', { environment: 'live', action: 'set', webhook_url: 'https://elsewhere.example/' }],
  ['/webhooks', { environment: 'sandbox', action: 'set', sandbox_webhook_url: '' }],
  ['/webhooks', { environment: 'live', action: 'test' }],
  ['/webhooks', { environment: 'sandbox', action: 'test' }],
  ['/secrets', { environment: 'live', live_overlap_hours: '0' }],
  ['/secrets', { environment: 'sandbox', sandbox_overlap_hours: '24' }],
  ['/settings', { action: 'rename', name: 'Mine' }],
  ['/settings', { action: 'rotation', rotation: 'on' }],
  ['/settings', { action: 'offer', transfer_name: NAME }],
  ['/settings', { action: 'delete', delete_name: NAME }],
  // invalid forms, whose error messages would reveal the application
  ['/redirect-uris', { redirect_uris: '' }],
  ['/webhooks', { environment: 'moon' }],
  ['/secrets', { environment: 'live', live_overlap_hours: 'x' }],
  ['/settings', { action: 'rename', name: '' }],
];
/** `*` is the id of another developer's application. */
const IDS = ['*', 'unknown', 'demo', '%00', '*%00', '..%2f*', '%2e%2e%2f', 'x'.repeat(5000), '*x', '%F0%9F%9A%95'];

describe.each(engines)('on %s', (engine) => {
  const receiver = testReceiver();
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const others = async () => {
    const owner = await newDeveloper(server);
    const urls = { webhookUrl: `${receiver.url}/live`, sandboxWebhookUrl: `${receiver.url}/sandbox` };
    const { application } = await newOwnApplication(server, owner, { name: NAME, ...urls });
    const stranger = await newDeveloper(server);
    const visitor = await inPortal(server, stranger, PORTAL_PATHS.newApplication);
    const form = {
      csrf_token: csrfTokenOn(visitor.view()),
      developer: stranger.id,
      made_at: String(application.createdAt),
    };
    const pathOf = (id: string, page: string) =>
      `${PORTAL_PATHS.overview}/applications/${id.replace('*', application.id)}${page}`;
    return { owner, application, visitor, form, pathOf };
  };

  test('every page and form returns 404 for the id of another application, and for any other', async () => {
    const { visitor, form, pathOf } = await others();
    await changingNothing(server, async () => {
      for (const id of IDS) {
        for (const page of PAGES_OF_APPLICATION) {
          const view = await visitor.open(pathOf(id, page));
          expect([id, page, view.status, view.text.includes(NAME)]).toEqual([id, page, 404, false]);
        }
        for (const [page, fields] of ACTIONS) {
          const view = await visitor.post(pathOf(id, page), new URLSearchParams({ ...form, ...fields }));
          expect([id, page, fields, view.status, view.text.includes(NAME)]).toEqual([id, page, fields, 404, false]);
        }
      }
    });
    expect(receiver.received).toEqual([]);
  });

  test('every form works for the owner or shows a problem', async () => {
    for (const [page, fields] of ACTIONS) {
      const { owner, application, pathOf } = await others();
      const developer = (await newDeveloper(server)).id;
      const visitor = await inPortal(server, owner, pathOf('*', page));
      const mine = { csrf_token: csrfTokenOn(visitor.view()), developer, made_at: String(application.createdAt) };
      const { status } = await visitor.post(pathOf('*', page), new URLSearchParams({ ...mine, ...fields }));
      expect([page, fields, status]).toEqual([page, fields, expect.toBeOneOf([200, 422])]);
    }
  });
});
