import type { BrowserCookies } from '../http/browser.ts';
import type { Parts } from '../parts.ts';
import { deleteSession } from '../store/sessions.ts';
import { OF_PASSENGERS } from '../store/sign-in-tables.ts';
import { goOn, type Step } from './step.ts';

/** Ends the browser's session, if any. */
export function signOutStep({ store }: Pick<Parts, 'store'>, cookies: BrowserCookies): Step {
  return async ({ visitor, request, res }) => {
    const passenger =
      visitor.sessionHash === null ? null : await deleteSession(store.db, OF_PASSENGERS, visitor.sessionHash);
    if (passenger !== null) {
      visitor.audit({ event: 'sign_out', result: 'succeeded', application: request.application.id, passenger });
    }
    cookies.endSession(res);
    goOn(res, request.query);
  };
}
