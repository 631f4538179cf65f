import { type Contract, webhooksOf } from '../../../scripts/contract/bundle.ts';
import { fieldsOf } from '../../../scripts/contract/fields.ts';
import { parsed } from '../../support/parsed.ts';
import { FACTS } from './facts.ts';
import type { Sight } from './sight.ts';
import { situationsOf } from './situations.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Makes a function that lists the facts of a webhook, or returns null without an event. Header names are in lower case.
 */
export function sightOfWebhook(contract: Contract): (headers: Headers, body: string) => Sight | null {
  const fields = new Map(
    webhooksOf(contract).map((located) => [
      located.path,
      fieldsOf(located)
        .filter(({ location }) => location === 'header')
        .map((field) => ({ field, situations: situationsOf(field).filter(({ isRefused }) => !isRefused) })),
    ]),
  );
  return (headers, body) => {
    const told = eventIn(body);
    const known = told && fields.get(told.event_type);
    if (!known) return null;
    const parameters = known.flatMap(({ field, situations }) =>
      situations
        .filter(({ holds }) => holds(headers[field.names[0]!.toLowerCase()]))
        .map(({ says }) => FACTS.parameter(field, says)),
    );
    return {
      part: told.event_type,
      facts: [FACTS.event(told.event.status), ...Object.keys(headers).map(FACTS.webhookHeader), ...parameters],
    };
  };
}

function eventIn(body: string): { readonly event_type: string; readonly event: { readonly status: string } } | null {
  // biome-ignore lint/suspicious/noExplicitAny: tests also send other texts
  const told = parsed(body) as any;
  return typeof told?.event?.status === 'string' ? told : null;
}
