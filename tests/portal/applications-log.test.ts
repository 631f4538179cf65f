import { describe, expect, test } from 'vitest';
import { renameApplication } from '../../server/applications/change.ts';
import { MOST_DETAIL_CHARACTERS } from '../../server/applications/log.ts';
import { insertLogEntry } from '../../server/store/application-log.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';
import { atOwn, send } from './applications-support.ts';
import { newDeveloper } from './support.ts';

const FIRST_NAME = 'Night Rides';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const atLog = () => atOwn(server, '/log', { name: FIRST_NAME });

  test('lists each change with its time and network, latest first', async () => {
    const { visitor, path } = await atLog();
    const uris = ['https://app.example/b', 'https://app.example/c'];
    const url = { webhook_url: 'https://app.example/w?key=1' };
    const steps: readonly (readonly [string, Record<string, string>, Record<string, string>, said: string])[] = [
      [
        'settings',
        { action: 'rename' },
        { name: 'Day <b>R</b>' },
        'renamed the application: Night Rides → Day <b>R</b>.',
      ],
      ['settings', { rotation: 'on' }, {}, 'turned on refresh token rotation.'],
      ['settings', { rotation: 'off' }, {}, 'turned off refresh token rotation.'],
      ['redirect-uris', {}, { redirect_uris: uris.join('\n') }, `set the redirect URIs: ${uris.join(', ')}.`],
      ['secrets', { environment: 'sandbox' }, {}, 'rotated the sandbox secret.'],
      ['secrets', { environment: 'live' }, {}, 'rotated the live secret.'],
      ['webhooks', { environment: 'live' }, url, 'set the live webhook URL to https://app.example/w?….'],
      ['webhooks', { environment: 'live' }, { webhook_url: '' }, 'removed the live webhook URL.'],
    ];
    for (const [page, hidden, typed] of steps) {
      server.passTime(1000);
      await visitor.open(`${path}/${page}`);
      const form = page === 'redirect-uris' ? visitor.submit(typed) : send(visitor, hidden, typed);
      expect((await form).status).toBe(200);
    }
    const view = await visitor.open(`${path}/log`);
    const said = [`created the application as ${FIRST_NAME}.`, ...steps.map(([, , , sentence]) => sentence)];
    const places = said.map((sentence) => view.text.indexOf(`You ${sentence}`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    expect(view.markup).toContain(new Date(server.parts.now()).toISOString());
    expect(view.text).toContain('UTC from 127.0.0.1');
    expect(view.markup).not.toContain('<b>');
  });

  test('names operators, but no other developers', async () => {
    const { visitor, id, path } = await atLog();
    const other = await newDeveloper(server);
    const operator = { developerId: null, network: null, realNow: server.parts.now(), audit: () => {} };
    await renameApplication(server.parts, operator, id, 'By an operator');
    for (const [developerId, action] of [
      [other.id, 'secret_rotated'],
      [other.id, 'from_a_newer_server'],
    ] as const) {
      const entry = { applicationId: id, at: server.parts.now(), developerId, network: '198.51.100.7', action };
      await server.store.transaction((tx) => insertLogEntry(tx, { ...entry, detail: 'live' }));
    }
    const { text } = await visitor.open(`${path}/log`);
    expect(text).toContain(`An operator renamed the application: ${FIRST_NAME} → By an operator.`);
    expect(text).toContain('Another developer rotated the live secret.');
    expect(text).toContain('Another developer made a change: from_a_newer_server.');
    for (const personal of [other.email, other.id, '198.51.100.7']) expect(text).not.toContain(personal);
  });

  test('has 50 entries a page and a link to older ones', async () => {
    const { visitor, id, path } = await atLog();
    await server.store.transaction(async (tx) => {
      const entry = { applicationId: id, at: server.parts.now(), developerId: null, network: null, detail: null };
      for (let i = 2; i <= 101; i++) await insertLogEntry(tx, { ...entry, action: `step-${i}.` });
    });
    const steps = ({ text }: { readonly text: string }) =>
      [...text.matchAll(/step-(\d+)/g)].map(([, step]) => Number(step));
    const from = (first: number, last: number) => Array.from({ length: first - last + 1 }, (_, i) => first - i);
    expect(steps(await visitor.open(`${path}/log`))).toEqual(from(101, 52));
    expect(steps(await visitor.follow('Older'))).toEqual(from(51, 2));
    const oldest = await visitor.follow('Older');
    expect(oldest.text).toContain('You created the application');
    expect(oldest.text).not.toContain('Older');
    expect(steps(await visitor.follow('Latest'))).toEqual(from(101, 52));
  });

  test('shows the beginning of a long list of redirect URIs', async () => {
    const { visitor, path } = await atLog();
    const uris = Array.from({ length: 10 }, (_, i) => `https://app.example/${i}/`.padEnd(500, 'a'));
    await visitor.open(`${path}/redirect-uris`);
    await visitor.submit({ redirect_uris: uris.join('\n') });
    const { text } = await visitor.open(`${path}/log`);
    expect(text).toContain(`You set the redirect URIs: ${uris[0]}`);
    expect(text.length).toBeLessThan(2 * MOST_DETAIL_CHARACTERS);
  });
});
