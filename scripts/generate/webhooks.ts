import { type Contract, webhooksOf } from '../contract/bundle.ts';

/** Returns the text of generated/webhooks.ts: the events, by type. */
export function webhooksModule(contract: Contract): string {
  const all = webhooksOf(contract);
  const types = all.map(({ path }) => `'${path}'`);
  const { operation, body } = all.find(({ operation }) => operation['x-test-event'] !== undefined)!;
  const testEvent = body!.examples[operation['x-test-event']!]!.value;
  const schemas = all.map(({ path, body }) => `'${path}': '${body!.schema.$ref}'`);
  return `import type { webhooks } from './types.ts';

/** Every event type that the contract declares. */
export const EVENT_TYPES = [${types.join(', ')}] as const satisfies ReadonlyArray<keyof webhooks>;

export type EventType = (typeof EVENT_TYPES)[number];

/** Pointers to the schema of each event in webhooks.json. */
export const EVENT_SCHEMAS: Readonly<Record<EventType, string>> = { ${schemas.join(', ')} };

/** The body of a webhook request, by its event type. */
export type WebhookEvent<Type extends EventType = EventType> = Type extends EventType
  ? (webhooks[Type]['post'] extends { requestBody: { content: { 'application/json': infer Event } } } ? Event : never)
  : never;

/** The body of a test event, with links to the server of the contract. */
export const TEST_EVENT = { server: '${contract.servers![0]!.url}', body: ${JSON.stringify(testEvent)} } as const satisfies {
  readonly server: string;
  readonly body: WebhookEvent;
};
`;
}
