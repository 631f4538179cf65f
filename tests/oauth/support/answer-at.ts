import { MAYA } from '../../support/consent.ts';
import { type FormValues, newVisitor } from '../../support/visitor.ts';

/**
 * Maya opens an authorization URL in a new browser, signs in and answers. @returns the redirect to another origin.
 * Throws an Error when there is none
 */
export async function answerAt(url: string | URL, answer: FormValues): Promise<URL> {
  const { origin } = new URL(url);
  const visitor = newVisitor(origin);
  await visitor.open(String(url));
  await visitor.submit(MAYA);
  const { location, text } = await visitor.submit(answer);
  if (location === null) throw new Error(`The response is not a redirect to another origin: ${text}`);
  return location;
}
