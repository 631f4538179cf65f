import { once } from 'node:events';
import { createServer } from 'node:net';
import { OPERATIONS } from '../generated/server.ts';
import { commandLine } from '../server/cli/command-line.ts';
import { SERVER_URL } from '../server/cli/development-server.ts';
import { spawnPrism, writeMockContract } from './support/mock-contract.ts';

const HELP = `Serves the contract's examples, for building a front end without the real server.

  npm run mock

  MOCK_PORT    the port (default: 4010)
  PORT         the port of the server that links in the examples lead to (default: 8080)
  --help       this text`;

await commandLine(HELP, {});

// not PORT: a shell that exports PORT for the server may also start the mock
const port = process.env.MOCK_PORT || '4010';
const url = `http://127.0.0.1:${port}`;
try {
  const probe = createServer().listen({ port, host: '127.0.0.1' });
  await once(probe, 'listening');
  probe.close();
} catch (error) {
  console.error(`${(error as Error).message}\nSet MOCK_PORT to a free port.`);
  process.exit(1);
}
const call = `curl -i -H 'Authorization: Bearer any' ${url}${OPERATIONS.getProfile.path}`;

console.log(`The mock server is listening at ${url}. It returns the contract's examples and accepts any bearer token:

  ${call}
  ${call} -H 'Prefer: code=429'

The Prefer header selects the response: code=STATUS, example=NAME, or both, separated by a comma. openapi.yaml lists
the example names under each response. Links in the examples, such as documentation_url and image_url, lead to
${SERVER_URL}: start the server there with "npm start" to open them. Press Ctrl-C to stop the mock.
`);

const contract = writeMockContract(SERVER_URL);
const prism = spawnPrism([contract.file, '--host', '127.0.0.1', '--port', port], 'inherit');
prism.on('exit', (code) => {
  contract.remove();
  process.exit(code ?? 0);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => prism.kill(signal));
