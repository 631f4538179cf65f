import { MAYA } from '../../support/consent.ts';
import { type FormValues, newVisitor } from '../../support/visitor.ts';

/**
 * Maya, at a browser of her own, opens the address that an application sends her to, signs in, and answers.
 * @returns where her browser is sent then. Throws an Error when that is nowhere else
 */
export async function answerAt(url: string | URL, answer: FormValues): Promise<URL> {
  const { origin } = new URL(url);
  const visitor = newVisitor(origin);
  await visitor.open(String(url));
  await visitor.submit(MAYA);
  const { location, text } = await visitor.submit(answer);
  if (location === null) throw new Error(`The browser stays here: ${text}`);
  return location;
}
