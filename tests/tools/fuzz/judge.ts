import type { OperationId } from '../../../generated/server.ts';
import { namesIn } from '../exchange.ts';
import { differs } from './ask.ts';
import { type Attack, type Draft, FACTS, malformedCode } from './attack.ts';
import { codeOf } from './promises.ts';
import type { Answer } from './send.ts';

/** A valid call never fails with these codes. */
const NEVER_IF_SOUND: ReadonlySet<string | undefined> = new Set([
  ...['invalid_token', 'insufficient_scope', 'token_expired', 'invalid_client', 'sandbox_only'],
  ...['payload_too_large', 'unsupported_media_type', 'rate_limit_exceeded', 'not_found', 'method_not_allowed'],
  ...['ride_not_found', 'ride_does_not_belong_to_user', 'event_not_found', 'world_is_default'],
]);

/** Problems with a response, given the expected one. */
export function misjudgments({ draft, expected }: Attack, answer: Answer): string[] {
  if (answer.status >= 500) return [`server error: ${answer.status}`];
  if (expected.kind !== 'refused') return expected.kind === 'valid' ? soundProblems(draft, answer) : [];
  const code = codeOf(answer);
  const wanted = malformedCode(draft.operation);
  if (answer.status !== 400 || code !== wanted)
    return [`got ${answer.status} ${code ?? 'without a code'}, expected 400 ${wanted}`];
  return differs('the list of names in error_detail', namesIn(answer.text), [expected.name]);
}

function soundProblems(draft: Draft, answer: Answer): string[] {
  if (answer.status < 400) return [];
  const code = codeOf(answer);
  if (NEVER_IF_SOUND.has(code)) return [`${code} for a valid call`];
  if (code !== malformedCode(draft.operation)) return [];
  const allowed = refusableIn(draft);
  const strange = namesIn(answer.text).filter((name) => !allowed.has(name));
  return strange.length === 0 && allowed.size > 0
    ? []
    : [`${code} for a valid call; error_detail names ${JSON.stringify(namesIn(answer.text))}`];
}

/** Parameters that the server may refuse in a valid call, because only the contract's prose limits them. */
function refusableIn({ operation, query, body }: Draft): ReadonlySet<string> {
  if (operation === 'authorizeApplication') return new Set(['client_id', 'redirect_uri']);
  const sent = new Set(query.map(([name]) => name));
  const fields = body && 'value' in body ? Object.keys(body.value as object) : [];
  const refusable: Readonly<Record<string, readonly string[]>> = {
    listRides: sent.has('end_time') ? ['end_time'] : [],
    resendWebhookEvents: fields.includes('until') ? ['until'] : [],
    requestRide: fields.includes('destination') ? ['destination'] : [],
    setRideStatus: ['status', 'canceled_by'],
    createPassenger: fields.includes('email') ? ['email'] : [],
    createToken: ['grant_type', 'code', 'refresh_token', 'client_id', 'client_secret'],
    revokeToken: ['token', 'token_type_hint', 'client_id', 'client_secret'],
    revokeRefreshToken: ['token', 'client_id', 'client_secret'],
  };
  return new Set([...missingHalves(operation, sent), ...(refusable[operation] ?? [])]);
}

/** Optional coordinates whose other half was sent without them. */
function missingHalves(operation: OperationId, sent: ReadonlySet<string>): string[] {
  const optional = FACTS[operation].parameters.filter(({ required }) => !required).map(({ name }) => name);
  const other = (name: string) => name.replace(/(lat|lng)$/, (half) => (half === 'lat' ? 'lng' : 'lat'));
  return optional.filter((name) => other(name) !== name && !sent.has(name) && sent.has(other(name)));
}
