import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../support/operations.ts';
import { rounds } from '../support/run.ts';
import { forAll } from '../support/started.ts';
import { comparedGuard, stockLog, theCompiledGuard } from '../support/test-guard.ts';
import { attackOperation, openRange } from '../tools/fuzz/run-attacks.ts';

/** Together, the operations get 20,000 attacks in the long run. */
const ATTACKS_EACH = rounds({ usually: 2, atLength: Math.ceil(20_000 / OPERATION_IDS.length) });

describe('the compiled validators', () => {
  const range = forAll(async () => openRange('sqlite', { contractGuard: await comparedGuard() }));

  test.each(OPERATION_IDS)(
    'judge and convert the requests and responses of %s as express-openapi-validator itself does',
    async (operation) => {
      expect(await attackOperation(range, operation, 1, ATTACKS_EACH)).toBeNull();
    },
  );

  test('are compared indeed: a difference fails the request', async () => {
    const compiled = theCompiledGuard();
    const lax = await comparedGuard({ ...compiled, violationsIn: () => [] });
    const request = { params: {}, query: { lat: 'north', lng: '0' }, headers: {}, body: undefined };
    await expect(lax.violationsIn('listRideTypes', request)).rejects.toThrow(/^The guards differ on listRideTypes/);
    const blind = await comparedGuard({ ...compiled, problemWith: () => null });
    await expect(blind.problemWith('getProfile', { status: 200, body: {} })).rejects.toThrow(/^The guards differ/);
  });

  test('are missed in one line of the log by a server without them', async () => {
    await comparedGuard();
    expect(stockLog).toEqual([expect.stringContaining('run npm run validators')]);
  });
});
