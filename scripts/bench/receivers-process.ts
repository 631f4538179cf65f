/**
 * Webhook receivers, each on its own port. The parent process controls this process, which exits when the parent exits.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { instant } from './clock.ts';
import type { Answered, FromReceivers, ToReceivers } from './receivers.ts';

const TELL_EVERY_MS = 20;

let answered: Answered[] = [];
let hanging = 0;

process.on('message', (message: ToReceivers) => {
  if ('listen' in message) void listen(message.listen);
  else hanging = message.hang;
});
process.on('disconnect', () => process.exit());
setInterval(() => {
  if (answered.length > 0) tell({ answered });
  answered = [];
}, TELL_EVERY_MS);

async function listen(count: number): Promise<void> {
  const ports = await Promise.all(Array.from({ length: count }, (_, index) => portOf(receiver(index))));
  tell({ ports });
}

function receiver(index: number): RequestListener {
  return async (request, response) => {
    const body = await text(request);
    if (index < hanging) return;
    response.writeHead(200).end();
    answered.push([JSON.parse(body).event_id, instant()]);
  };
}

function portOf(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function tell(message: FromReceivers): void {
  process.send!(message);
}
