import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { samplesOf } from '../samples/support.ts';
import { CALL_IDS } from '../support/operations.ts';
import { testServer } from '../support/started.ts';
import { fill, MADE, runIn } from './workshop.ts';

interface Compiler {
  readonly fileOf: (id: OperationId) => string;
  readonly build: string;
  readonly run: (id: OperationId) => string;
}

const capital = (id: string) => `${id[0]!.toUpperCase()}${id.slice(1)}`;

const COMPILERS: Readonly<Record<string, Compiler>> = {
  Go: {
    fileOf: (id) => `${id}/main.go`,
    build: 'test -z "$(gofmt -l .)" && go mod init example && go vet ./... && mkdir -p bin && go build -o bin ./...',
    run: (id) => `bin/${id}`,
  },
  Java: {
    fileOf: (id) => `${capital(id)}.java`,
    build: 'javac -Xlint:all -Werror -d out *.java',
    run: (id) => `java -cp out ${capital(id)}`,
  },
  Rust: {
    fileOf: (id) => `src/bin/${id}.rs`,
    build: `cargo init -q --name samples --vcs none && cargo add -q reqwest@=0.13.5 --no-default-features -F blocking &&
      RUSTFLAGS="-D warnings -A nonstandard_style" cargo build -q --bins`,
    run: (id) => `$CARGO_TARGET_DIR/debug/${id}`,
  },
};

const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });

describe.each(Object.entries(COMPILERS))("the docs' samples in %s", (label, { fileOf, build, run }) => {
  test('compile without a warning, and each prints the response of its operation', async () => {
    const folder = join(MADE, `samples-${label}`);
    const samples = await samplesOf(server);
    const calls = [];
    for (const id of CALL_IDS) calls.push({ id, ...(await samples.inNewWorld(id, label)) });
    fill(
      folder,
      calls.map(({ id, source }) => [fileOf(id), `${source}\n`]),
      server,
    );
    await runIn(folder, build);
    for (const { id, call } of calls) {
      const variables = { TOKEN: call.token ?? '', CLIENT_ID: DEMO.clientId, CLIENT_SECRET: DEMO.clientSecret };
      const printed = await runIn(folder, run(id), variables);
      expect(printed, id).toMatch(new RegExp(`^${OPERATIONS[id].successStatus} `));
    }
  });
});
