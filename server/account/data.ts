import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResultOf } from '../audit.ts';
import { HOUR_MS, SECOND_MS } from '../domain/time.ts';
import type { Limit } from '../limits/throttle.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { html } from '../pages/html.ts';
import type { Parts } from '../parts.ts';
import { answerWait } from '../sign-in/answer-wait.ts';
import { type Exported, exportOf } from './export.ts';
import type { Section } from './section.ts';

/** Data exports of a passenger. @beyond a page with 429 and `Retry-After` @heldBy tests/account/account.test.ts */
const EXPORT_LIMITS: readonly Limit<{ readonly passengerId: string }>[] = [
  { attempts: 10, windowSeconds: HOUR_MS / SECOND_MS, keyOf: ({ passengerId }) => passengerId },
];

export function dataSection(parts: Exported & Pick<Parts, 'throttles' | 'rateLimitMultiplier' | 'logger'>): Section {
  const path = ACCOUNT_PATHS.data;
  const count = parts.throttles.throttle('exports', EXPORT_LIMITS, parts.rateLimitMultiplier);
  return {
    path,
    show: ({ ownForm }) => ({
      lead: html`Download a file with everything we store about you. It’s in JSON format, with times in UTC.`,
      body: html`<h2 id="inside">What’s included</h2>
      <ul aria-labelledby="inside">
        <li>your profile, phone number and payment method</li>
        <li>every ride with its route, rating and receipt</li>
        <li>the apps you gave access to, and the apps that tested with a made-up passenger linked to your account</li>
        <li>the browsers where you’re signed in or were signed in before</li>
      </ul>
      <p>Your password isn’t included. We don’t store it in a readable form.</p>
      ${ownForm(html`<div class="buttons"><button class="primary">Download</button></div>`)}`,
    }),
    submit: async (visit) => {
      const { account: passenger, visitor, res } = visit;
      const verdict = await count({ passengerId: passenger.id });
      const tell = (result: ResultOf<'data_exported'>) =>
        visitor.audit({ event: 'data_exported', result, passenger: passenger.id });
      if ('waitSeconds' in verdict) {
        tell('slowed_down');
        return answerWait(res, verdict.waitSeconds, path);
      }
      const chunks = exportOf(parts, visit);
      // a failure up to here still returns an error page
      const first = await chunks.next();
      tell('succeeded');
      const day = new Date(visitor.realNow).toISOString().slice(0, 10);
      res.set('Content-Disposition', `attachment; filename="ridehail-${day}.json"`).type('json');
      // a later failure closes the connection, so the browser reports an incomplete file
      await pipeline(Readable.from(startingWith(first.value, chunks)), res).catch((error: unknown) => {
        if (!res.destroyed) res.destroy();
        parts.logger.warn({ err: error }, 'data export interrupted');
      });
      return undefined;
    },
  };
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}
