import { SECOND_MS } from '../../domain/time.ts';
import type { Verdict } from '../throttle.ts';

/**
 * The verdict of Redis on an attempt, or that of this process while Redis is unavailable. This process counts every
 * attempt too, so that the count continues then.
 * @param counting the reply of a script: the milliseconds to wait and, if that is 0, what it has counted
 */
export async function verdictOf(
  here: Verdict,
  counting: Promise<unknown>,
  takeBackThere: (counted: readonly string[]) => void,
): Promise<Verdict> {
  const reply = (await counting) as readonly [waitMs: number, ...counted: unknown[]] | null;
  if (reply === null) return here;
  const takeBackHere = 'takeBack' in here ? here.takeBack : () => {};
  const [waitMs, ...counted] = reply;
  if (waitMs > 0) {
    takeBackHere();
    return { waitSeconds: Math.ceil(waitMs / SECOND_MS) };
  }
  const takeBack = () => {
    takeBackHere();
    takeBackThere(counted.map(String));
  };
  return { takeBack };
}
