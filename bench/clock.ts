/** Milliseconds of the machine's monotonic clock, which all processes share. Only differences are meaningful. */
import { setTimeout as sleep } from 'node:timers/promises';

export function instant(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function seconds(count: number): Promise<void> {
  return sleep(count * 1000);
}
