import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { CONTRACT_VERSION } from '../../generated/server.ts';
import { SECOND_MS } from '../domain/time.ts';
import { withoutQuotes } from '../logged-error.ts';
import type { Parts, Tracer } from '../parts.ts';
import { within } from '../shared.ts';

/** Spans that wait for export. An unresponsive collector must not use up memory. @beyond further ones are dropped */
export const MOST_WAITING_SPANS = 2048;
/** An export of spans, with its retries. @beyond its spans are dropped @heldBy tests/process/traces.test.ts */
const LONGEST_EXPORT_MS = 2 * SECOND_MS;
/** The last export at exit. @beyond its spans are dropped @heldBy tests/process/traces.test.ts */
const LONGEST_LAST_EXPORT_MS = SECOND_MS;
const EXPORT_EVERY_MS = SECOND_MS;

/**
 * @param endpoint the OTLP/HTTP base URL, without `/v1/traces`
 * @param exportEveryMs how long a span waits for others before its export
 */
export function openTraces(
  endpoint: string,
  { logger }: Pick<Parts, 'logger'>,
  exportEveryMs: number = EXPORT_EVERY_MS,
) {
  const agent = endpoint.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: LONGEST_EXPORT_MS,
    httpAgentOptions: () => agent,
  });
  const named = resourceFromAttributes({ 'service.name': 'ridehail', 'service.version': CONTRACT_VERSION });
  const provider = new BasicTracerProvider({
    // the operator's OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(logged(exporter, logger), {
        maxQueueSize: MOST_WAITING_SPANS,
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: LONGEST_EXPORT_MS,
      }),
    ],
  });
  /** Exports the remaining spans, for at most a second. */
  const close = async (): Promise<void> => {
    await within(
      LONGEST_LAST_EXPORT_MS,
      provider.shutdown().catch(() => {}),
    );
    agent.destroy();
  };
  return { tracer: tracerOf(provider), close };
}

function tracerOf(provider: BasicTracerProvider): Tracer {
  const tracer = provider.getTracer('ridehail');
  return {
    beginRequest: (traceparent) => {
      const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
      const parent = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      return ({ operation = 'none', method, id, status, code, isSimulated }) => {
        span.updateName(operation);
        span.setAttributes({ 'http.request.method': method, 'ridehail.request_id': id });
        if (typeof status === 'number') span.setAttribute('http.response.status_code', status);
        if (code !== null) span.setAttribute('error.type', code);
        if (typeof status === 'number' && status >= 500 && !isSimulated) fail(span);
        span.end();
      };
    },
    beginAttempt: (kind) => {
      const attributes = { 'ridehail.world': kind };
      const span = tracer.startSpan('webhook', { kind: SpanKind.CLIENT, root: true, attributes }, ROOT_CONTEXT);
      return {
        traceparent: traceparentOf(span),
        end: (result, status) => {
          span.setAttribute('ridehail.result', result);
          if (status !== null) span.setAttribute('http.response.status_code', status);
          if (result !== 'delivered') fail(span);
          span.end();
        },
      };
    },
  };
}

function fail(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** W3C Trace Context, version 00. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Wraps an exporter. Logs a problem when it first appears, not at every export. */
function logged(exporter: SpanExporter, logger: Parts['logger']): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.code === ExportResultCode.FAILED;
        if (fails && !isFailing) {
          logger.warn({ problem: withoutQuotes(String(result.error)) }, 'traces are lost: the export failed');
        }
        isFailing = fails;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
