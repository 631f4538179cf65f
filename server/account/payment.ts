import type { ResultOf } from '../audit.ts';
import { type CardField, readCard } from '../domain/payment/card.ts';
import type { PaymentProvider } from '../domain/payment/provider.ts';
import { HOUR_SECONDS } from '../domain/time.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../limits/throttle.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { type Html, html, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { answerWait } from '../sign-in/failure-page.ts';
import { labeledInput, type Problems } from '../sign-in/views/form.ts';
import { goTo, incompleteForm, wrongFields } from '../site/site.ts';
import { setPaymentMethod } from '../store/passengers.ts';
import { askOutside } from './outside.ts';
import { type AccountVisit, forDevelopers, type Section } from './section.ts';

/**
 * Payment cards tried from a network, its /56, its /48 or /24, and by a passenger. Slows down testing of stolen cards.
 * Networks come first: see WRONG_SIGN_IN_LIMITS.
 * @beyond a page with 429 and `Retry-After`
 * @heldBy tests/account/networks.test.ts, tests/account/payment.test.ts
 */
const CARD_LIMITS: readonly Limit<{ readonly networks: Networks; readonly passengerId: string }>[] = [
  { attempts: 100, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.narrow },
  { attempts: 200, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.middle },
  { attempts: 400, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.wide },
  { attempts: 20, windowSeconds: HOUR_SECONDS, keyOf: ({ passengerId }) => passengerId },
];

const { payment: PATH } = ACCOUNT_PATHS;

/** The passenger's payment method. The `error_uri` of user_payment_required links here. */
export function paymentSection(
  parts: Pick<Parts, 'store' | 'now' | 'paymentProvider' | 'throttles' | 'rateLimitMultiplier' | 'isDevelopment'>,
): Section {
  const { store, now, paymentProvider, throttles } = parts;
  const count = throttles.throttle('cards', CARD_LIMITS, parts.rateLimitMultiplier);

  const tell = ({ account, visitor }: AccountVisit, result: ResultOf<'payment_method_changed'>) =>
    visitor.audit({ event: 'payment_method_changed', result, passenger: account.id });
  const add = async (visit: AccountVisit): Promise<undefined> => {
    const { account: passenger, visitor, form, res } = visit;
    const fields = {
      card_number: form.text('card_number'),
      expires: form.text('expires'),
      security_code: form.text('security_code'),
    };
    const read = readCard(fields, now());
    if ('problems' in read) throw wrongFields(read.problems);
    const attempt = await count({ networks: visitor.networks, passengerId: passenger.id });
    if ('waitSeconds' in attempt) {
      return answerWait(res, attempt.waitSeconds, PATH, () => tell(visit, 'slowed_down'));
    }
    const verdict = await askOutside('payment provider', () => paymentProvider.addCard(read.card));
    if ('refusal' in verdict) {
      tell(visit, 'declined');
      throw wrongFields({ card_number: verdict.refusal });
    }
    await setPaymentMethod(store.db, passenger.id, verdict.paymentMethod);
    tell(visit, 'added');
    return goTo(res, PATH, '');
  };

  return {
    path: PATH,
    show: ({ account: { paymentMethod }, ownForm, done }, problems = {}) => ({
      lead: html`You need a card to request rides. We charge your rides to it.`,
      note: done === '' ? doneSentence(paymentMethod) : undefined,
      body: html`
      ${paymentMethod === null ? html`<p>You have no payment method.</p>` : current(paymentMethod, ownForm)}
      <h2 id="add">${paymentMethod === null ? 'Add a card' : 'Use another card'}</h2>
      ${testCardsNote(paymentProvider, parts.isDevelopment)}
      ${ownForm(html`${cardInputs(paymentProvider, problems)}
      <p class="quiet">We store only the brand and the last four digits.</p>
      <div class="buttons"><button class="primary" name="action" value="add">Save card</button></div>`)}
      ${parts.isDevelopment ? forDevelopers({ payment_method: null }) : NOTHING}`,
    }),
    submit: async (visit) => {
      const action = visit.form.text('action');
      if (action === 'add') return add(visit);
      if (action !== 'remove') throw incompleteForm();
      await setPaymentMethod(store.db, visit.account.id, null);
      tell(visit, 'removed');
      return goTo(visit.res, PATH, '');
    },
  };
}

function doneSentence(paymentMethod: string | null): string {
  if (paymentMethod === null) return 'Your card was removed.';
  return `Card saved: ${paymentMethod}. If an app sent you here, go back and request your ride again.`;
}

function current(paymentMethod: string, ownForm: AccountVisit['ownForm']): Html {
  return html`<dl><div><dt>Current card</dt><dd>${paymentMethod}</dd></div></dl>
      ${ownForm(html`<div class="buttons"><button name="action" value="remove">Remove card</button></div>`)}`;
}

function testCardsNote({ testCards }: PaymentProvider, isDevelopment: boolean): Html {
  const shown = testCards.filter(({ refusal }) => refusal === undefined || isDevelopment);
  if (shown.length === 0) return NOTHING;
  const item = ({ number, refusal }: PaymentProvider['testCards'][number]) =>
    html`<li><code>${number}</code>${refusal === undefined ? NOTHING : html` fails: “${refusal}”`}</li>`;
  return html`<div class="note">
        <p>This server simulates payments and never charges anyone. Don’t enter a real card. Use a test card with any
        security code and any future expiry date:</p>
        <ul>${shown.map(item)}</ul>
      </div>`;
}

function cardInputs({ testCards }: PaymentProvider, problems: Problems): Html {
  const input = (name: CardField, label: string, token: string, hint?: string) =>
    labeledInput({
      ...{ name, label, hint, type: 'text', inputMode: 'numeric', problem: problems[name] },
      // keep browsers from autofilling a real card on a simulated provider
      autocomplete: testCards.length > 0 ? 'off' : token,
    });
  return html`${input('card_number', 'Card number', 'cc-number')}
      ${input('expires', 'Expires', 'cc-exp', 'Month and year, such as 04/29.')}
      ${input('security_code', 'Security code', 'cc-csc', '3 or 4 digits.')}`;
}
