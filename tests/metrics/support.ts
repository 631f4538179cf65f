import { Registry } from 'prom-client';
import { openMeter } from '../../server/metrics/meter.ts';

/** A meter, and functions that read the series of a metric that are not zero: labels separated by spaces, to value. */
export function testMeter() {
  const register = new Registry();
  const meter = openMeter(register);
  const counted = async (name: string): Promise<Record<string, number>> => {
    const { values } = await register.getSingleMetric(name)!.get();
    const found = values.filter(({ value }) => value !== 0);
    return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
  };
  /** What was counted since an earlier look. */
  const countedSince = async (name: string, before: Record<string, number>) => {
    const all = Object.entries(await counted(name)).map(([series, n]) => [series, n - (before[series] ?? 0)] as const);
    return Object.fromEntries(all.filter(([, n]) => n > 0));
  };
  return { meter, counted, countedSince };
}
