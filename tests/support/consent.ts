import { type AuthorizationQuery, authorizationUrl } from '../../client/authorization-url.ts';
import { SCOPES } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { CSRF_FIELD } from '../../server/http/browser.ts';
import { newVisitor, type View, type Visitor } from './visitor.ts';

export const MAYA = { email: 'maya@example.com', password: DEMO.password } as const;

/** What a new user types into the sign-up form. */
export const ADA = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '(415) 555-0199',
  password: 'analytical',
};

/** The default request of the demo application: every scope. */
const REQUEST: AuthorizationQuery = {
  client_id: DEMO.clientId,
  response_type: 'code',
  scope: SCOPES.userToken.join(' '),
  state: 'state-1',
};

/** The path of an authorization request. @param change undefined leaves a parameter out */
export function pathOfRequest(change: Partial<Record<keyof AuthorizationQuery, string | undefined>> = {}): string {
  return authorizationUrl('', { ...REQUEST, ...change } as AuthorizationQuery);
}

/** The query of an authorization request, without a question mark. */
export function queryOfRequest(change: Parameters<typeof pathOfRequest>[0] = {}): string {
  return pathOfRequest(change).split('?')[1]!;
}

/** A visitor at the sign-in page. @param headers of every request */
export async function newcomer(
  baseUrl: string,
  change?: Parameters<typeof pathOfRequest>[0],
  headers?: Readonly<Record<string, string>>,
): Promise<Visitor> {
  const visitor = newVisitor(baseUrl, headers);
  await visitor.open(pathOfRequest(change));
  return visitor;
}

/** A signed-in visitor at the consent page. */
export async function signedInVisitor(
  baseUrl: string,
  change?: Parameters<typeof pathOfRequest>[0],
  who: { readonly email: string; readonly password: string } = MAYA,
): Promise<Visitor> {
  const visitor = await newcomer(baseUrl, change);
  await visitor.submit(who);
  return visitor;
}

/** The open page, recognized by its forms. */
export function pageOf({ forms }: View): 'sign-in' | 'sign-up' | 'consent' | null {
  const fields = new Set(forms.flatMap((form) => form.fields.map(({ name }) => name)));
  if (fields.has('decision')) return 'consent';
  if (fields.has('first_name')) return 'sign-up';
  return fields.has('password') ? 'sign-in' : null;
}

/** The CSRF token that the forms of a page send. */
export function csrfTokenOn({ forms }: View): string {
  return forms[0]!.fields.find(({ name }) => name === CSRF_FIELD)!.value;
}
