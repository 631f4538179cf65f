import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { type Request, type RequestHandler, Router } from 'express';
import { own } from '../domain/own.ts';
import { Refusal } from '../domain/refusal.ts';
import { mediaTypeOf } from '../http/body.ts';
import type { BrowserCookies } from '../http/browser.ts';
import type { CallsInTurn } from '../http/calls-at-once.ts';
import { methodNotAllowed } from '../http/failures.ts';
import { isDecodable } from '../http/percent.ts';
import { unstorableIn } from '../http/unstorable.ts';
import { answerPage } from '../pages/page.ts';
import { refusedPage } from './failure-page.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A form, well above our longest one. @beyond a page with 413 @heldBy tests/consent/sign-in.test.ts */
const MOST_FORM_BYTES = 32 * 1024;
/** Fields of a form. @beyond a page with 413 @heldBy tests/consent/sign-in.test.ts */
const MOST_FORM_FIELDS = 50;

/** Checks the head of a form before its body is read. */
const checkHead: RequestHandler = (req, _res, next) => {
  if (mediaTypeOf(req.get('content-type')) !== FORM_TYPE) throw malformed();
  if ((req.get('content-encoding') ?? 'identity').toLowerCase() === 'identity') return next();
  throw new Refusal('unsupported_media_type', 'The form has a Content-Encoding. Send it without one.');
};

/** Parses the bytes of `req.body` into its fields. */
const parseForm: RequestHandler = (req, _res, next) => {
  const bytes: Buffer = req.body ?? Buffer.alloc(0);
  const text = bytes.toString();
  // the library decodes invalid UTF-8 to U+FFFD, which would make different passwords equal
  if (!isUtf8(bytes) || !isDecodable(text)) throw malformed();
  if (text.split('&', MOST_FORM_FIELDS + 1).length > MOST_FORM_FIELDS) throw formTooLarge();
  req.body = parse(text);
  next();
};

function malformed(): Refusal {
  return new Refusal('bad_parameter', 'The form is malformed. Go back and submit it again.');
}

function formTooLarge(): Refusal {
  return new Refusal('payload_too_large', 'The form is too large.');
}

/** A form's unchecked fields; undefined without a form. */
export type SentForm = Readonly<Record<string, unknown>> | undefined;

/**
 * Field of a form. Above every field's own limit, so that the field's message comes first.
 * @beyond a page with 400
 * @heldBy tests/consent/sign-in.test.ts
 */
const MOST_CHARACTERS = 1000;

/** A field's text; empty if absent. Throws Refusal `bad_parameter` for input that our pages never send. */
export function textIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string {
  const [text = '', ...more] = textsIn(form, name, mostCharacters);
  if (more.length > 0) throw new Refusal('bad_parameter', `The field ${name} was sent more than once.`);
  return text;
}

/** The texts of all fields with one name, such as checkboxes. Throws like textIn. */
export function textsIn(form: SentForm, name: string, mostCharacters = MOST_CHARACTERS): string[] {
  const sent = own(form ?? {}, name);
  const values = sent === undefined ? [] : [sent].flat();
  return values.map((value) => {
    if (typeof value !== 'string' || unstorableIn(value).length > 0) {
      throw new Refusal('bad_parameter', `The field ${name} contains characters that cannot be stored.`);
    }
    if (value.length > mostCharacters) throw new Refusal('bad_parameter', `The field ${name} is too long.`);
    return value;
  });
}

interface PathHandlers {
  readonly show?: RequestHandler;
  readonly submit?: RequestHandler | undefined;
}

/**
 * A router for pages and their forms. A form without a valid CSRF token is rejected, and other methods get 405.
 * @param beginningOf where the error page's "Start over" links to
 */
export function formRoutes(
  cookies: BrowserCookies,
  { readBody }: Pick<CallsInTurn, 'readBody'>,
  beginningOf: (req: Request) => string,
): { readonly router: Router; readonly add: (path: string, handlers: PathHandlers) => void } {
  const router = Router({ caseSensitive: true, strict: true });
  const readCookies: RequestHandler = (req, _res, next) => {
    cookies.read(req);
    next();
  };
  const refuseIf =
    (isForged: (req: Request) => boolean): RequestHandler =>
    (req, res, next) => {
      if (!isForged(req)) return next();
      const title = 'This form has expired';
      const sentence =
        'You opened it too long ago, you signed in or out in the meantime, or your browser blocks cookies. Nothing was changed.';
      answerPage(res, refusedPage({ title, sentence, beginning: beginningOf(req) }), 403);
    };
  const refuseUnread = refuseIf((req) => cookies.isForgedAnyway(req) || !req.is(FORM_TYPE));
  const refuseForged = refuseIf(cookies.isForged);
  const read = readBody({ most: MOST_FORM_BYTES, tooLarge: formTooLarge });
  const add = (path: string, { show, submit }: PathHandlers) => {
    const route = router.route(path).all(neverStored);
    if (show) route.get(readCookies, show);
    if (submit) route.post(readCookies, refuseUnread, checkHead, read, parseForm, refuseForged, submit);
    route.all(methodNotAllowed([...(show ? ['GET', 'HEAD'] : []), ...(submit ? ['POST'] : [])]));
  };
  return { router, add };
}

/** Applies to redirects too: some set a session, and some carry an authorization request. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
