import { type AuthorizationQuery, authorizationUrl } from '../../client/authorization-url.ts';
import { SCOPES } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { CSRF_FIELD } from '../../server/http/browser.ts';
import { newVisitor, type View, type Visitor } from './visitor.ts';

export const MAYA = { email: 'maya@example.com', password: DEMO.password } as const;

/** What somebody without an account tells of themselves in the form to sign up. */
export const ADA = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '(415) 555-0199',
  password: 'analytical',
};

/** What the demo application asks for unless a test says otherwise: everything. */
const REQUEST: AuthorizationQuery = {
  client_id: DEMO.clientId,
  response_type: 'code',
  scope: SCOPES.userToken.join(' '),
  state: 'state-1',
};

/** The path that an application sends its user to. @param change undefined leaves a parameter out */
export function pathOfRequest(change: Partial<Record<keyof AuthorizationQuery, string | undefined>> = {}): string {
  return authorizationUrl('', { ...REQUEST, ...change } as AuthorizationQuery);
}

/** The query of the demo application's request, without a question mark. */
export function queryOfRequest(change: Parameters<typeof pathOfRequest>[0] = {}): string {
  return pathOfRequest(change).split('?')[1]!;
}

/** A visitor at the page that asks to sign in. @param headers of every request */
export async function newcomer(
  baseUrl: string,
  change?: Parameters<typeof pathOfRequest>[0],
  headers?: Readonly<Record<string, string>>,
): Promise<Visitor> {
  const visitor = newVisitor(baseUrl, headers);
  await visitor.open(pathOfRequest(change));
  return visitor;
}

/** A visitor who is signed in, at the page that asks for consent. */
export async function signedInVisitor(
  baseUrl: string,
  change?: Parameters<typeof pathOfRequest>[0],
  who: { readonly email: string; readonly password: string } = MAYA,
): Promise<Visitor> {
  const visitor = await newcomer(baseUrl, change);
  await visitor.submit(who);
  return visitor;
}

/** Which page of the way to a consent is open, by its forms. */
export function pageOf({ forms }: View): 'sign-in' | 'sign-up' | 'consent' | null {
  const fields = new Set(forms.flatMap((form) => form.fields.map(({ name }) => name)));
  if (fields.has('decision')) return 'consent';
  if (fields.has('first_name')) return 'sign-up';
  return fields.has('password') ? 'sign-in' : null;
}

/** The token that the forms of a page bring back. */
export function csrfTokenOn({ forms }: View): string {
  return forms[0]!.fields.find(({ name }) => name === CSRF_FIELD)!.value;
}
