import type { Passenger } from '../domain/passenger.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { deletionPage } from '../site/own-account.ts';
import type { Site } from '../site/site.ts';
import { endAccess } from '../store/consents.ts';
import { beginDeparture, type Leaving, mayLeave } from '../store/departures.ts';
import { type DepartureParts, leaveAtOnce } from '../workers/departures.ts';
import type { Section } from './section.ts';

/**
 * Transactions that the deletion of an account waits for.
 * @beyond the hourly sweep does the rest
 * @heldBy tests/account/many-rides.test.ts
 */
const MOST_TURNS_OF_DELETION = 50;

/** Begins the deletion of an account: see `beginDeparture`. */
export async function leave({ store }: Pick<Parts, 'store'>, passenger: Leaving, realNow: number) {
  // first alone: applications' calls lock the passenger for a moment, and many of them would keep the passenger
  await store.transaction(async (tx) => {
    if ((await mayLeave(tx, passenger)) === 'left') await endAccess(tx, passenger.id, realNow);
  });
  return store.transaction((tx) => beginDeparture(tx, passenger, realNow));
}

export function deletionSection(parts: DepartureParts, site: Site<Passenger>): Section {
  return deletionPage(site, {
    lead: html`You can’t undo this. You may want to <a href="${ACCOUNT_PATHS.data}">download your data</a> first.`,
    consequences: html`<h2 id="gone">Deleted right away</h2>
      <ul aria-labelledby="gone">
        <li>Your name, email, phone number, payment method and picture. You can sign up again with the same email as a new passenger.</li>
        <li>Every app’s access to your account. You’re signed out everywhere.</li>
      </ul>
      <h2 id="soon">Deleted within two hours</h2>
      <ul aria-labelledby="soon">
        <li>The addresses, routes, feedback and payment method of your past rides. We keep the rest without your name: each ride’s
        fare, times, distance, star rating and driver, and its pickup and drop-off to within about a kilometer.</li>
        <li>Our copies of messages to apps about your rides, including messages we haven’t sent yet.</li>
        <li>Made-up passengers that apps linked to your account for tests, and their test rides.</li>
      </ul>
      <p>If you have a ride in progress, wait until it ends. If you haven’t paid for a ride, we charge your card for it when you
      delete your account.</p>`,
    remove: async (passenger, realNow) => {
      const outcome = await leave(parts, passenger, realNow);
      if (outcome === 'riding') return { problem: 'You have a ride in progress. Delete your account after it ends.' };
      return outcome === 'stale' ? 'stale' : 'deleted';
    },
    finish: ({ id }) => leaveAtOnce(parts, id, MOST_TURNS_OF_DELETION),
  });
}
