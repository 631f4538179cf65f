import { Registry } from 'prom-client';
import type { Meter } from '../parts.ts';
import { type DatabaseParts, databaseGauges } from './database-gauges.ts';
import { openMeter } from './meter.ts';
import { type MetricsServer, metricsServer } from './metrics-server.ts';

/** A process's metrics: the counters, and the port for Prometheus. */
export interface Metrics extends MetricsServer {
  readonly meter: Meter;
}

export function openMetrics(parts: DatabaseParts): Metrics {
  const register = new Registry();
  const meter = openMeter(register);
  const refresh = databaseGauges(register, parts);
  const render = async () => {
    await refresh();
    return register.metrics();
  };
  return { meter, ...metricsServer({ ...parts, render, mediaType: register.contentType }) };
}
