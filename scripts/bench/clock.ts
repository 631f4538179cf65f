import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of a clock that all processes of this machine share and nobody sets; good for differences alone. */
export function instant(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function seconds(count: number): Promise<void> {
  return sleep(count * 1000);
}
