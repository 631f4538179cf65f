import { createHmac } from 'node:crypto';
import type { ResultOf } from '../audit.ts';
import { NOT_A_NUMBER, PHONE_NUMBER } from '../consent/views/sign-in.ts';
import { CODE_TTL_MS, codeIn, MOST_CODE_TRIES, messageWith, newCode } from '../domain/phone/code.ts';
import type { TextMessages } from '../domain/phone/text-messages.ts';
import { HOUR_SECONDS } from '../domain/time.ts';
import type { Networks } from '../http/network.ts';
import type { Limit } from '../limits/throttle.ts';
import { ACCOUNT_PATHS } from '../links.ts';
import { isSameHash } from '../oauth/secrets.ts';
import { type Html, html, NOTHING } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { answerWait } from '../sign-in/failure-page.ts';
import { labeledInput, type Problems } from '../sign-in/views/form.ts';
import type { SigningKey } from '../signing-keys.ts';
import { goTo, incompleteForm, wrongFields } from '../site/site.ts';
import { CodeUsed, findPhoneCode, savePhoneCode, takeCodeTry, verifyPhone } from '../store/phone-codes.ts';
import { askOutside } from './outside.ts';
import { type AccountVisit, forDevelopers, type Section } from './section.ts';

interface SentCode {
  readonly networks: Networks;
  readonly passengerId: string;
  /** E.164. */
  readonly phoneNumber: string;
}

/**
 * Phone codes requested from a network, its /56, its /48 or /24, by a passenger, and for a number. Each message costs
 * money and may reach a stranger. Networks come first: see WRONG_SIGN_IN_LIMITS.
 * @beyond a page with 429 and `Retry-After`
 * @heldBy tests/account/networks.test.ts, tests/account/phone.test.ts
 */
const MESSAGE_LIMITS: readonly Limit<SentCode>[] = [
  { attempts: 30, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.narrow },
  { attempts: 60, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.middle },
  { attempts: 120, windowSeconds: HOUR_SECONDS, keyOf: ({ networks }) => networks.wide },
  { attempts: 5, windowSeconds: HOUR_SECONDS, keyOf: ({ passengerId }) => passengerId },
  { attempts: 5, windowSeconds: HOUR_SECONDS, keyOf: ({ phoneNumber }) => phoneNumber },
];

const VERIFIED = 'Your number is verified. If an app sent you here, go back and request your ride again.';
const NO_CODE_LEFT = 'This code has expired or was tried too many times. Request a new code.';

const { phone: PATH } = ACCOUNT_PATHS;

type PhoneParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'signingKeys' | 'textMessages' | 'throttles'> &
  Pick<Parts, 'rateLimitMultiplier' | 'isDevelopment' | 'logger'>;

/** The passenger's phone number. The `error_uri` of verified_phone_required links here. */
export function phoneSection(parts: PhoneParts): Section {
  const { textMessages } = parts;
  if (textMessages !== null) return { path: PATH, ...withMessages(parts, textMessages) };
  // a new number could never be verified, so the page offers no change
  return {
    path: PATH,
    show: ({ account }) => ({
      lead: LEAD,
      body: html`
      ${current(account)}
      <p class="note">This service doesn’t send text messages, so you can’t change or verify your number here.</p>`,
    }),
  };
}

function withMessages(parts: PhoneParts, textMessages: TextMessages): Pick<Section, 'show' | 'submit'> {
  const { store, now, randomBytes, signingKeys, throttles } = parts;
  const count = throttles.throttle('messages', MESSAGE_LIMITS, parts.rateLimitMultiplier);
  // keyed: a plain hash of a six-digit code is easy to reverse
  const hashOfCode = (key: SigningKey, passengerId: string, phoneNumber: string, code: string) =>
    createHmac('sha256', key.derived('phone codes'))
      .update(JSON.stringify([passengerId, phoneNumber, code]))
      .digest('base64url');

  const tell = ({ account, visitor }: AccountVisit, result: ResultOf<'phone_verified'>) =>
    visitor.audit({ event: 'phone_verified', result, passenger: account.id });
  const send = async (visit: AccountVisit): Promise<undefined> => {
    const { account: passenger, visitor, form, res } = visit;
    // imported on demand: the package loads slowly and is rarely needed
    const { e164 } = await import('../consent/phone-number.ts');
    const phoneNumber = e164(form.text('phone_number').trim());
    if (phoneNumber === undefined) throw wrongFields({ phone_number: NOT_A_NUMBER });
    if (phoneNumber === passenger.phoneNumber && passenger.phoneVerified) {
      throw wrongFields({ phone_number: 'This number is already verified.' });
    }
    const attempt = await count({ networks: visitor.networks, passengerId: passenger.id, phoneNumber });
    if ('waitSeconds' in attempt) {
      return answerWait(res, attempt.waitSeconds, PATH, () => tell(visit, 'slowed_down'));
    }
    const code = newCode(randomBytes);
    try {
      await askOutside('text message service', () => textMessages.send(phoneNumber, messageWith(code)));
    } catch (error) {
      parts.logger.error({ err: error }, 'text message could not be sent');
      const sentence = 'We couldn’t send the message. Your number is unchanged. Try again later.';
      throw wrongFields({ phone_number: sentence });
    }
    const codeHash = hashOfCode(signingKeys.signing(), passenger.id, phoneNumber, code);
    const sent = { passengerId: passenger.id, phoneNumber, codeHash, expiresAt: now() + CODE_TTL_MS };
    await store.transaction((tx) => savePhoneCode(tx, sent));
    tell(visit, 'code_sent');
    return goTo(res, PATH);
  };

  const verify = async (visit: AccountVisit): Promise<undefined> => {
    const { account: passenger, form, res } = visit;
    const code = codeIn(form.text('code'));
    if (code === undefined) throw wrongFields({ code: 'Enter the six-digit code from the message.' });
    const refused = (problems: Problems) => {
      tell(visit, 'failed');
      return wrongFields(problems);
    };
    const sent = await takeCodeTry(store.db, passenger.id, { at: now(), mostTries: MOST_CODE_TRIES });
    if (sent === undefined) throw refused({ '': NO_CODE_LEFT });
    const isRight = signingKeys
      .valid()
      .some((key) => isSameHash(sent.codeHash, hashOfCode(key, passenger.id, sent.phoneNumber, code)));
    if (!isRight && sent.tries < MOST_CODE_TRIES)
      throw refused({ code: 'This code doesn’t match. Enter the code from the latest message.' });
    if (!isRight) throw refused({ '': NO_CODE_LEFT });
    try {
      await store.transaction((tx) => verifyPhone(tx, sent));
    } catch (error) {
      if (error instanceof CodeUsed) throw refused({ '': NO_CODE_LEFT });
      throw error;
    }
    tell(visit, 'succeeded');
    return goTo(res, PATH, '');
  };

  return {
    show: async ({ account: passenger, ownForm, done }, problems = {}) => {
      const pending = await findPhoneCode(store.db, passenger.id, { at: now(), mostTries: MOST_CODE_TRIES });
      return {
        lead: LEAD,
        note: done === '' ? VERIFIED : undefined,
        body: html`
      ${current(passenger)}
      ${pending === undefined ? NOTHING : codeForm(pending.phoneNumber, ownForm, problems, textMessages)}
      ${numberForm(passenger, pending?.phoneNumber ?? null, ownForm, problems)}
      ${parts.isDevelopment ? forDevelopers({ phone_verified: false }) : NOTHING}`,
      };
    },
    submit: async (visit) => {
      const action = visit.form.text('action');
      if (action === 'send') return send(visit);
      if (action !== 'verify') throw incompleteForm();
      return verify(visit);
    },
  };
}

const LEAD = html`Your driver uses this number to reach you. You need a verified number to request rides.`;

type Phone = AccountVisit['account'];
type OwnForm = AccountVisit['ownForm'];

function isVerified({ phoneNumber, phoneVerified }: Phone): boolean {
  return phoneNumber !== null && phoneVerified;
}

function current(passenger: Phone): Html {
  if (passenger.phoneNumber === null) return html`<p>You have no phone number.</p>`;
  return html`<dl><div><dt>${isVerified(passenger) ? 'Verified' : 'Not verified'}</dt><dd>${passenger.phoneNumber}</dd></div></dl>`;
}

function codeForm(phoneNumber: string, ownForm: OwnForm, problems: Problems, { latestTo }: TextMessages): Html {
  const message = latestTo?.(phoneNumber);
  return html`<h2 id="enter">Enter the code</h2>
      <p>We sent a six-digit code to ${phoneNumber}. It expires ten minutes after we send it, or after five tries.</p>
      ${message === undefined ? NOTHING : html`<p class="note">This server simulates text messages, so nothing arrives on your phone. Your message: “${message}”</p>`}
      ${ownForm(html`${labeledInput({
        ...{ name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code' },
        ...{ inputMode: 'numeric', problem: problems.code },
      })}
      <div class="buttons"><button class="primary" name="action" value="verify">Verify</button></div>`)}`;
}

/** @param pending the number that a code was sent to; null if none is waiting */
function numberForm(passenger: Phone, pending: string | null, ownForm: OwnForm, problems: Problems): Html {
  const isWaiting = pending !== null;
  const value = isVerified(passenger) ? null : (pending ?? passenger.phoneNumber);
  const { title, sentence } = ASKS[isWaiting ? 'again' : askOf(passenger)];
  return html`<h2 id="number">${title}</h2>
      <p>${sentence}</p>
      ${ownForm(html`${labeledInput({ ...PHONE_NUMBER, value: value ?? undefined, problem: problems.phone_number })}
      <div class="buttons"><button${isWaiting ? NOTHING : html` class="primary"`} name="action" value="send">Send a ${isWaiting ? 'new ' : ''}code</button></div>`)}`;
}

/** How the form asks for a number, by the number the passenger has. */
const ASKS = {
  again: { title: 'Didn’t get the code?', sentence: 'Check the number, then send a new code.' },
  add: { title: 'Add your number', sentence: 'We’ll text you a code to verify it.' },
  verify: { title: 'Verify your number', sentence: 'We’ll text a code to this number.' },
  change: {
    title: 'Change your number',
    sentence:
      'The new number replaces your current one right away. To request rides, verify it with the code we text you.',
  },
} as const;

function askOf(passenger: Phone): 'add' | 'verify' | 'change' {
  if (passenger.phoneNumber === null) return 'add';
  return isVerified(passenger) ? 'change' : 'verify';
}
