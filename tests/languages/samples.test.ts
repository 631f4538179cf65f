import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { type Samples, samplesOf } from '../samples/support.ts';
import { isCall } from '../support/operations.ts';
import { testServer } from '../support/started.ts';
import { MADE, runIn } from './workshop.ts';

interface Compiler {
  /** Files of the project, apart from the samples. */
  readonly files: Readonly<Record<string, string>>;
  readonly fileOf: (id: OperationId) => string;
  readonly build: string;
  readonly run: (id: OperationId) => string;
}

const capital = (id: string) => `${id[0]!.toUpperCase()}${id.slice(1)}`;

const CARGO = `[package]
name = "samples"
version = "0.0.0"
edition = "2024"
[dependencies]
reqwest = { version = "=0.13.5", default-features = false, features = ["blocking"] }
`;

const COMPILERS: Readonly<Record<string, Compiler>> = {
  Go: {
    files: { 'go.mod': 'module example\n\ngo 1.24\n' },
    fileOf: (id) => `${id}/main.go`,
    build: 'test -z "$(gofmt -l .)" && go vet ./... && mkdir -p bin && go build -o bin ./...',
    run: (id) => `bin/${id}`,
  },
  Java: {
    files: {},
    fileOf: (id) => `${capital(id)}.java`,
    build: 'javac -Xlint:all -Werror -d out *.java',
    run: (id) => `java -cp out ${capital(id)}`,
  },
  Rust: {
    files: { 'Cargo.toml': CARGO },
    fileOf: (id) => `src/bin/${id}.rs`,
    build: 'RUSTFLAGS="-D warnings -A nonstandard_style" cargo build -q --bins',
    run: (id) => `$CARGO_TARGET_DIR/debug/${id}`,
  },
};

const server = testServer('sqlite', { withPages: true, rateLimitMultiplier: 1000 });
const ids = (Object.keys(OPERATIONS) as OperationId[]).filter(isCall);

describe.each(Object.entries(COMPILERS))("the docs' samples in %s", (label, { files, fileOf, build, run }) => {
  test('compile without a warning, and each prints the response of its operation', async () => {
    const folder = join(MADE, `samples-${label}`);
    rmSync(folder, { recursive: true, force: true });
    const save = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    for (const [name, text] of Object.entries(files)) save(name, text);
    const samples: Samples = await samplesOf(server);
    const calls = [];
    for (const id of ids) {
      const { source, call } = await samples.inNewWorld(id, label);
      save(fileOf(id), `${source.replaceAll('http://localhost:8080', server.baseUrl)}\n`);
      calls.push([id, call] as const);
    }
    await runIn(folder, build);
    for (const [id, { token = '' }] of calls) {
      const variables = { TOKEN: token, CLIENT_ID: DEMO.clientId, CLIENT_SECRET: DEMO.clientSecret };
      const printed = await runIn(folder, run(id), variables);
      expect(printed, id).toMatch(new RegExp(`^${OPERATIONS[id].successStatus} `));
    }
  });
});
