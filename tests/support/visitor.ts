import { decoded, type Form, formsOf, linksOf, textOf, titleOf } from './markup.ts';

/** The page that the browser shows after it has followed all redirects. */
export interface View {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly markup: string;
  /** The visible text: no tags, decoded entities, single spaces. */
  readonly text: string;
  readonly title: string;
  readonly forms: readonly Form[];
  /** The redirect to another origin, which the visitor does not follow; otherwise null. */
  readonly location: URL | null;
  /** The redirects that led here, oldest first, and pages that go on at once. */
  readonly redirects: readonly { readonly status: number; readonly location: string }[];
}

/** What a user enters in each field, by field name. A list contains the checked boxes with that name. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** A user with a browser, which keeps cookies, follows redirects within the server, and sends forms. */
export interface Visitor {
  /** The value and attributes of each cookie by name: `token; Path=/; HttpOnly`. */
  readonly cookies: Map<string, string>;
  /** The latest view. Throws an Error when there is none. */
  view(): View;
  /** @param url absolute, or a path of the server */
  open(url: string, headers?: Record<string, string>): Promise<View>;
  /**
   * Submits a form of the latest view: the one with the action `to`, or the first one with all these fields. Throws an
   * Error if a user could not do that.
   */
  submit(values: FormValues, to?: string): Promise<View>;
  /** Opens the link with this text. Throws an Error if there is none. */
  follow(words: string): Promise<View>;
  /** Sends a request that no form sends, with the visitor's cookies. */
  post(url: string, body: URLSearchParams | string, headers?: Record<string, string>): Promise<View>;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MOST_REDIRECTS = 10;

/** @param always headers of every request, such as those of a proxy */
export function newVisitor(baseUrl: string, always: Readonly<Record<string, string>> = {}): Visitor {
  const cookies: Visitor['cookies'] = new Map();
  let latest: View | undefined;

  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    const cookie = [...cookies].map(([name, said]) => `${name}=${said.split(';')[0]}`).join('; ');
    const headers = { Accept: 'text/html', ...always, ...(cookie && { Cookie: cookie }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return response;
  };

  const visit = async (start: URL, init: RequestInit): Promise<View> => {
    const redirects: { status: number; location: string }[] = [];
    let url = start;
    let response = await request(url, init);
    for (;;) {
      const markup = await response.text();
      const location = response.headers.get('location') ?? goOnIn(markup);
      const target = location === null ? null : new URL(location, url);
      if (target === null || target.origin !== start.origin) {
        latest = viewOf(url, response, markup, target, redirects);
        return latest;
      }
      redirects.push({ status: response.status, location: location! });
      if (redirects.length > MOST_REDIRECTS) throw new Error(`Too many redirects, the last one to ${location}`);
      url = target;
      response = await request(url, { headers: { ...(init.method === undefined && init.headers) } });
    }
  };

  const view = () => {
    if (latest === undefined) throw new Error('The visitor has not opened a page yet.');
    return latest;
  };
  const post: Visitor['post'] = (url, body, headers) =>
    visit(new URL(url, baseUrl), {
      method: 'POST',
      body: String(body),
      headers: { 'Content-Type': FORM_TYPE, ...headers },
    });
  return {
    cookies,
    view,
    open: (url, headers) => visit(new URL(url, baseUrl), { headers }),
    submit: (values, to) => {
      const form = formFor(view(), values, to);
      if (form.method !== 'post') throw new Error(`The form has the method ${form.method}, expected post.`);
      return post(form.action.href, entriesOf(form, values));
    },
    follow: (words) => {
      const { markup, url, text } = view();
      const link = linksOf(markup).find((each) => each.text === words);
      if (link === undefined) throw new Error(`No link "${words}" on ${url}: ${text}`);
      return visit(new URL(link.href, url), {});
    },
    post,
  };
}

/** The path that a page opens at once. */
function goOnIn(markup: string): string | null {
  const [content] = /(?<=<meta http-equiv="refresh" content="0; url=)[^"]*/.exec(markup) ?? [];
  return content === undefined ? null : decoded(content);
}

/** Stores a cookie, or removes a deleted one. Ignores expiry times, because the server's clock is not the real one. */
function keep(cookies: Visitor['cookies'], line: string): void {
  const [pair = '', ...attributes] = line.split(/; */);
  const name = pair.slice(0, pair.indexOf('='));
  const said = [pair.slice(name.length + 1), ...attributes].join('; ');
  if (/; (Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(said)) cookies.delete(name);
  else cookies.set(name, said);
}

function viewOf(
  url: URL,
  { status, headers }: Response,
  markup: string,
  location: URL | null,
  redirects: View['redirects'],
): View {
  const read = { text: textOf(markup), title: titleOf(markup), forms: formsOf(markup, url) };
  return { url, status, headers, markup, location, redirects, ...read };
}

function formFor({ url, text, forms }: View, values: FormValues, to: string | undefined): Form {
  const names = Object.keys(values);
  const form = forms.find(
    ({ action, fields }) =>
      (to === undefined || action.pathname === to) &&
      names.every((name) => fields.some((field) => field.name === name)),
  );
  if (form === undefined)
    throw new Error(`No form with the fields ${names} ${to ? `to ${to} ` : ''}on ${url}: ${text}`);
  return form;
}

/** The fields that a browser sends for a filled-in form. Throws an Error for a missing box or button. */
function entriesOf({ fields }: Form, values: FormValues): URLSearchParams {
  const entries = new URLSearchParams();
  const left = new Map(Object.entries(values).map(([name, value]) => [name, new Set([value].flat())]));
  for (const { name, type, value, isChecked } of fields) {
    if (name === '') continue;
    const given = left.get(name);
    if (type === 'checkbox' || type === 'submit') {
      const isSent = given === undefined ? isChecked : given.delete(value);
      if (isSent) entries.append(name, value);
    } else {
      const [typed = value] = given ?? [];
      given?.clear();
      entries.append(name, typed);
    }
  }
  for (const [name, rest] of left) if (rest.size > 0) throw new Error(`The field ${name} has no option ${[...rest]}.`);
  return entries;
}
