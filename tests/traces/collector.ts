import type { Receiver } from '../support/receiver.ts';

/** A span as OTLP has it in JSON. Other fields are left out. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: ReadonlyArray<{
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }>;
  readonly status: { readonly code?: number };
}

interface Exported {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: Pick<ExportedSpan, 'attributes'>;
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly ExportedSpan[] }>;
  }>;
}

/** Every span that reached a collector so far. */
export function spansAt(collector: Receiver): ExportedSpan[] {
  const exports = collector.at('/v1/traces').map(({ body }): Exported => JSON.parse(body));
  return exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

export function attributesOf({ attributes }: Pick<ExportedSpan, 'attributes'>): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));
}
