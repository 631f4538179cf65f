// Opens the store at the URL in its argument, and writes numbers until it is killed. Prints each one after the commit.
import { openStore } from '../../server/store/engine/open.ts';
import { insertSigningKeyIfAbsent } from '../../server/store/signing-keys.ts';

const store = await openStore(process.argv[2]!);
for (let number = 1; ; number++) {
  await store.transaction((tx) => insertSigningKeyIfAbsent(tx, { number, value: 'written', madeAt: 0 }));
  process.stdout.write(`${number}\n`);
}
