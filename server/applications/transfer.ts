import type { Offer, OwnApplication } from '../domain/application.ts';
import { wrongField } from '../domain/refusal.ts';
import { DAY_MS } from '../domain/time.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { SOUND_WEBHOOKS } from '../domain/worlds/settings.ts';
import { oneByOne } from '../limits/one-by-one.ts';
import type { Parts } from '../parts.ts';
import { forgetOwner } from '../store/application-log.ts';
import {
  countApplications,
  countOffers,
  findOwnApplication,
  holdApplication,
  setOffer,
  setOwner,
} from '../store/applications.ts';
import { cancelResend } from '../store/deliveries/resends.ts';
import { holdDeveloper } from '../store/developers.ts';
import type { Tx } from '../store/schema.ts';
import { changeSettings, findWorld } from '../store/worlds.ts';
import { type By, isStorable, noApplication } from './by.ts';
import { change } from './change.ts';
import { MOST_APPLICATIONS } from './rules.ts';

/**
 * Offer of an application to another developer.
 * @beyond the offer ends, and the application stays with its owner
 * @heldBy tests/portal/transfer.test.ts
 */
export const LONGEST_OFFER_MS = 7 * DAY_MS;
/**
 * Open offers to a developer, so that strangers cannot fill their page.
 * @beyond the form returns with an error
 * @heldBy tests/portal/transfer.test.ts
 */
export const MOST_OFFERS = 10;

type TransferParts = Pick<Parts, 'store'>;

const refuse = (problem: string) => wrongField('developer', problem);

/**
 * Offers an application to another developer, in place of an earlier offer. Throws Refusal `bad_parameter` and
 * `not_found`.
 */
export async function offerApplication({ store }: TransferParts, by: By, id: string, to: string): Promise<void> {
  const offer = async (tx: Tx) => {
    await holdNewOwner(tx, to);
    if ((await countOffers(tx, to, by.realNow)) >= MOST_OFFERS)
      throw refuse('This developer already has too many offers. They must accept or decline some first.');
    await setOffer(tx, id, { offeredTo: to, offerEndsAt: by.realNow + LONGEST_OFFER_MS });
    return { action: 'transfer_offered', detail: to } as const;
  };
  await toOneByOne(to, () => change({ store }, by, id, offer));
}

/** Strangers' offers to one developer lock the developer, who must not wait for all of them. */
const toOneByOne = oneByOne();

/** Ends the offer of an application. Throws Refusal `not_found`. */
export async function withdrawOffer({ store }: TransferParts, by: By, id: string): Promise<void> {
  await change({ store }, by, id, async (tx, { offeredTo }) => {
    if (offeredTo === null) return null;
    await setOffer(tx, id, null);
    return { action: 'transfer_withdrawn', detail: null };
  });
}

/**
 * Makes the developer the owner of an application that was offered to them. Secrets and keys do not change, and the
 * former owner knows them, so the new owner should rotate them. Throws Refusal `bad_parameter` and `not_found`.
 */
export async function acceptOffer({ store }: TransferParts, by: By, id: string): Promise<void> {
  await changeOffered({ store }, by, id, (tx, before) => give(tx, before, by.developerId!, 'transfer_accepted', by));
}

/** Ends an offer to the developer. The owner does not learn who declined. Throws Refusal `not_found`. */
export async function declineOffer({ store }: TransferParts, by: By, id: string): Promise<void> {
  const decline = async (tx: Tx) => {
    await setOffer(tx, id, null);
    return { action: 'transfer_declined', detail: null, isByOther: true } as const;
  };
  await changeOffered({ store }, by, id, decline);
}

/** Refuses a stranger before they wait with the owner for the application. */
async function changeOffered({ store }: TransferParts, by: By, id: string, work: Parameters<typeof change>[3]) {
  assertOffered(isStorable(id) ? await findOwnApplication(store.db, id) : undefined, by);
  await change({ store }, by, id, work, async (tx) => assertOffered(await holdApplication(tx, id), by));
}

/** Transfers an application without an offer, for an operator. Throws Refusal `bad_parameter` and `not_found`. */
export async function transferApplication({ store }: TransferParts, by: By, id: string, to: string): Promise<void> {
  await change({ store }, by, id, async (tx, before) =>
    before.developerId === to ? null : give(tx, before, to, 'transferred', by),
  );
}

/** The default sandbox forgets the URL that the former owner may have set for its webhooks. */
async function give(
  tx: Tx,
  { id, sandboxWorldId }: OwnApplication,
  to: string,
  action: 'transfer_accepted' | 'transferred',
  { realNow }: By,
) {
  await holdNewOwner(tx, to);
  if ((await countApplications(tx, to)) >= MOST_APPLICATIONS)
    throw refuse(
      `The new owner already has ${MOST_APPLICATIONS} applications, the maximum. They must delete one first.`,
    );
  const sandbox = await findWorld(tx, sandboxWorldId);
  if (sandbox) await changeSettings(tx, sandbox, (settings) => ({ ...settings, webhooks: SOUND_WEBHOOKS }));
  await setOwner(tx, id, to);
  await cancelResend(tx, { applicationId: id, worldId: LIVE_WORLD.id }, realNow);
  await forgetOwner(tx, id);
  return { action, detail: null } as const;
}

/** Locks the developer, who can then not leave. Throws Refusal `bad_parameter`. */
async function holdNewOwner(tx: Tx, id: string): Promise<void> {
  if (!isStorable(id) || (await holdDeveloper(tx, id)) === undefined)
    throw refuse('No developer has this ID. Check it with the new owner.');
}

/** Throws Refusal `not_found` unless the application is offered to this developer. */
function assertOffered<T extends Offer>(application: T | undefined, { developerId, realNow }: By): T {
  const isOpen = application?.offeredTo === developerId && realNow < (application?.offerEndsAt ?? 0);
  if (application === undefined || !isOpen) throw noApplication();
  return application;
}
