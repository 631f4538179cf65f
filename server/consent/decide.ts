import { Refusal } from '../domain/refusal.ts';
import { hashOf } from '../oauth/secrets.ts';
import { ASK_AGAIN, answerPage } from '../pages/answer.ts';
import type { Parts } from '../parts.ts';
import { passengerAccounts } from '../sign-in/accounts.ts';
import { textIn, textsIn } from '../sign-in/sent-form.ts';
import { signedIn } from '../sign-in/signed-in.ts';
import { saveDecision } from '../store/decisions.ts';
import { askFor, isOptionalScope } from './operation.ts';
import { authorizePath, type FormHandler, goOn } from './step.ts';
import { leavingPage } from './views/leaving.ts';

/** Saves the passenger's decision. authorizeApplication then sends it to the application. */
export function decideStep(parts: Pick<Parts, 'store' | 'refusedPassengers'>): FormHandler {
  const accounts = passengerAccounts(parts);
  return async ({ visitor, request, form, res }) => {
    const decision = textIn(form, 'decision');
    const granted = grantedOf(request.scopes, textsIn(form, 'scope'));
    if (decision !== 'allow' && decision !== 'deny') {
      throw new Refusal('bad_parameter', 'The form must either allow or deny access.');
    }
    const who = await signedIn(parts, accounts, visitor);
    if (who === null) return goOn(res, request.query);
    if (decision === 'allow' && granted.length === 0) {
      const problem = 'Select at least one item to allow, or choose Deny.';
      return answerPage(res, askFor(request, who, visitor, problem), ASK_AGAIN);
    }
    await saveDecision(parts.store.db, {
      sessionHash: who.session.tokenHash,
      requestHash: hashOf(request.query),
      scopes: decision === 'allow' ? granted : null,
      decidedAt: visitor.realNow,
    });
    answerPage(res, leavingPage(request, authorizePath(request.query)));
  };
}

/** The requested scopes without the optional ones that the passenger cleared. */
function grantedOf(asked: readonly string[], ticked: readonly string[]): string[] {
  return asked.filter((scope) => !isOptionalScope(scope) || ticked.includes(scope));
}
