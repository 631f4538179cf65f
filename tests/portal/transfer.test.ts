import { describe, expect, test } from 'vitest';
import { MOST_APPLICATIONS } from '../../server/applications/rules.ts';
import { LONGEST_OFFER_MS, MOST_OFFERS } from '../../server/applications/transfer.ts';
import { leaveDeveloper } from '../../server/developers/delete.ts';
import { SOUND_WEBHOOKS } from '../../server/domain/worlds/settings.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { findApplication, findOwnApplication } from '../../server/store/applications.ts';
import { changeSettings, findWorld } from '../../server/store/worlds.ts';
import { engines } from '../support/database.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { testServer } from '../support/started.ts';
import { atOwn, inPortal, newOwnApplication, send } from './applications-support.ts';
import { newDeveloper } from './support.ts';

describe.each(engines)('an application that is offered to another developer, on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const ownerOf = async (id: string) => (await findOwnApplication(server.store.db, id))?.developerId;
  const offered = async (other: { readonly id: string }) => {
    const owner = await atOwn(server, '/settings');
    const offer = () =>
      send(owner.visitor, { action: 'offer' }, { developer: ` ${other.id} `, transfer_name: owner.name });
    return { ...owner, offer, shown: await offer() };
  };

  test('belongs to them once they accept, and its log no longer names the former owner', async () => {
    const other = await newDeveloper(server);
    const { visitor, id, name, path, developer, shown } = await offered(other);
    expect(shown.text).toContain('Application offered. It stays yours until the other developer accepts.');
    expect(shown.text).toContain(`You offered this application to the developer ${other.id}.`);
    expect((await visitor.open(`${path}/log`)).text).toContain(
      `You offered the application to the developer ${other.id}.`,
    );
    expect(await ownerOf(id)).toBe(developer.id);

    const { db } = server.store;
    const { sandboxWorldId } = (await findApplication(db, id))!;
    const sandbox = (await findWorld(db, sandboxWorldId))!;
    const webhooks = { ...SOUND_WEBHOOKS, url: 'https://former.example/', verificationToken: 'known' };
    await server.store.transaction((tx) => changeSettings(tx, sandbox, (settings) => ({ ...settings, webhooks })));

    const theirs = await inPortal(server, other);
    expect(theirs.view().text).toContain(name);
    expect(theirs.view().text).not.toContain(developer.email);
    const accepted = await theirs.submit({ action: 'accept' });
    expect(accepted.text).toContain('Application accepted. Its former owner knows both secrets, so rotate them now.');
    expect(await ownerOf(id)).toBe(other.id);
    expect((await findWorld(db, sandboxWorldId))!.settings.webhooks).toEqual(SOUND_WEBHOOKS);
    expect((await visitor.open(path)).status).toBe(404);

    const log = await theirs.open(`${path}/log`);
    expect(log.text).toMatch(
      /You accepted the application\..*Another developer offered the application\..*Another developer created/s,
    );
    const { application_log: rows = [] } = await everythingStored(server.store);
    const before = rows.filter((row) => row.includes(id) && !row.includes('transfer_accepted'));
    expect(before.length).toBe(2);
    for (const personal of [developer.id, developer.email, '127.0.0.1', '192.0.2.1'])
      expect(before.join('\n')).not.toContain(`"${personal}"`);
  });

  test.each(['decline', 'withdraw', 'end'] as const)('stays with its owner after they %s', async (end) => {
    const other = await newDeveloper(server);
    const { visitor, id, name, path, developer, shown } = await offered(other);
    const theirs = await inPortal(server, other);
    const form = theirs.view();
    if (end === 'decline') expect((await theirs.submit({ action: 'decline' })).text).toContain('Offer declined.');
    if (end === 'withdraw') expect((await send(visitor, { action: 'withdraw' })).text).toContain('Offer withdrawn.');
    if (end === 'end') server.passTime(LONGEST_OFFER_MS);
    // a session lasts a day
    const later = await inPortal(server, other);
    expect(later.view().text).not.toContain(name);
    const csrf_token = later.view().forms[0]!.fields.find((field) => field.name === 'csrf_token')!.value;
    const fields = { csrf_token, action: 'accept', application: id };
    expect((await later.post(PORTAL_PATHS.overview, new URLSearchParams(fields))).status).toBe(404);
    expect([form.status, shown.status, await ownerOf(id)]).toEqual([200, 200, developer.id]);
    const owners = await inPortal(server, developer, `${path}/log`);
    if (end === 'decline') expect(owners.view().text).toContain('Another developer declined the application.');
    expect(owners.view().text).not.toContain(other.email);
  });

  test('cannot be accepted by anyone else, or by a developer with the most applications', async () => {
    const other = await newDeveloper(server);
    const { id, developer } = await offered(other);
    const theirs = await inPortal(server, other);
    const stranger = await inPortal(server, await newDeveloper(server));
    const csrf_token = stranger.view().forms[0]!.fields.find((field) => field.name === 'csrf_token')!.value;
    const fields = { csrf_token, action: 'accept', application: id };
    expect((await stranger.post(PORTAL_PATHS.overview, new URLSearchParams(fields))).status).toBe(404);
    for (let i = 0; i < MOST_APPLICATIONS; i++) await newOwnApplication(server, other);
    const refused = await theirs.submit({ action: 'accept' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`The new owner already has ${MOST_APPLICATIONS} applications`);
    expect(await ownerOf(id)).toBe(developer.id);
  });

  test('ends when that developer deletes their account, and the log no longer names them', async () => {
    const other = await newDeveloper(server);
    const { id, developer } = await offered(other);
    const leaver = { id: other.id, email: other.email };
    const { outcome } = await server.store.transaction((tx) => leaveDeveloper(tx, leaver));
    expect(outcome).toBe('deleted');
    const left = await findOwnApplication(server.store.db, id);
    expect(left).toMatchObject({ developerId: developer.id, offeredTo: null, offerEndsAt: null });
    const rows = Object.values(await everythingStored(server.store)).flat();
    expect(rows.filter((row) => row.includes(`"${other.id}"`))).toEqual([]);
  });

  test('is one of at most ten offers, so that strangers cannot fill the page', async () => {
    const other = await newDeveloper(server);
    for (let i = 0; i < MOST_OFFERS; i++) expect((await offered(other)).shown.status).toBe(200);
    const { shown } = await offered(other);
    expect(shown.status).toBe(422);
    expect(shown.text).toContain('This developer already has too many offers.');
  });
});
