// Opens the store at the URL in its argument and writes until it is killed. It prints each number after the commit.
import { useCostToken } from '../../server/store/cost-tokens.ts';
import { openStore } from '../../server/store/open.ts';

const store = await openStore(process.argv[2]!);
for (let number = 1; ; number++) {
  await store.transaction((tx) => useCostToken(tx, 'live', String(number), number));
  process.stdout.write(`${number}\n`);
}
