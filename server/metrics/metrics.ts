import { Registry } from 'prom-client';
import { type DatabaseParts, databaseGauges } from './database-gauges.ts';
import { openMeter } from './meter.ts';
import { metricsServer } from './metrics-server.ts';

/** A process's metrics: the counters, and the port for Prometheus. */
export function openMetrics(parts: DatabaseParts) {
  const register = new Registry();
  const meter = openMeter(register);
  const refresh = databaseGauges(register, parts);
  const render = async () => {
    await refresh();
    return register.metrics();
  };
  return { meter, ...metricsServer({ ...parts, render, mediaType: register.contentType }) };
}
