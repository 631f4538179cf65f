import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../server/domain/time.ts';
import { closeServer } from '../../server/http/close-server.ts';
import { listen } from '../support/listen.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('an unread request on an idle connection is answered before the server closes', async () => {
  const server = createServer((_req, res) => void res.end('answer'));
  await listen(server);
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(REQUEST);
  await once(socket, 'data');
  const rest = text(socket);
  // the kernel has these bytes at once, and the server reads them in its next turn
  socket.write(REQUEST);
  const closed = closeServer(server, MINUTE_MS);
  expect(await rest).toContain('answer');
  await closed;
});
