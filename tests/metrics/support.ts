import { Registry } from 'prom-client';
import { openMeter } from '../../server/metrics/meter.ts';
import type { Meter } from '../../server/parts.ts';

/** A meter, and a function that reads its counts. */
export function testMeter(): { readonly meter: Meter; counted(name: string): Promise<Record<string, number>> } {
  const register = new Registry();
  const meter = openMeter(register);
  return { meter, counted: (name) => countedIn(register, name) };
}

/** The series of a metric that are not zero: labels separated by spaces, to value. */
export async function countedIn(register: Registry, name: string): Promise<Record<string, number>> {
  const { values } = await register.getSingleMetric(name)!.get();
  return Object.fromEntries(
    values.filter(({ value }) => value !== 0).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}
