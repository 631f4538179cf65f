import { expect } from 'vitest';
import type { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** A span in OTLP's JSON format, with the fields that tests read. */
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

/** Waits for this many spans. */
export async function arrivedSpans(collector: Receiver, count: number): Promise<ExportedSpan[]> {
  await until(() => expect(spansAt(collector)).toHaveLength(count));
  return spansAt(collector);
}

/** Every span that the collector has received. */
export function spansAt(collector: Receiver): ExportedSpan[] {
  const exports = collector.at('/v1/traces').map(({ body }): Exported => JSON.parse(body));
  return exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

export function attributesOf({ attributes }: Pick<ExportedSpan, 'attributes'>): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));
}
