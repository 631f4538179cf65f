// Opens the store that its argument names, and writes until it is killed: each number it prints was acknowledged.
import { useCostToken } from '../../server/store/cost-tokens.ts';
import { openStore } from '../../server/store/open.ts';

const store = await openStore(process.argv[2]!);
for (let number = 1; ; number++) {
  await store.transaction((tx) => useCostToken(tx, 'live', String(number), number));
  process.stdout.write(`${number}\n`);
}
