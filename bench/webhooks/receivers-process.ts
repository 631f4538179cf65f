/** Webhook receivers, each on its own port. They exit with the parent process, which says how many of them hang. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { instant } from '../clock.ts';

/** The id of an event, and the time of the 200. */
export type Answered = readonly [eventId: string, at: number];

const TELL_EVERY_MS = 20;
const answered: Answered[] = [];
let hanging = 0;

const servers = Array.from({ length: Number(process.argv[2]) }, (_, index) =>
  createServer(async (request, response) => {
    const body = await text(request);
    if (index < hanging) return;
    response.writeHead(200).end();
    answered.push([JSON.parse(body).event_id, instant()]);
  }).listen(0, '127.0.0.1'),
);
await Promise.all(servers.map((server) => once(server, 'listening')));
process.on('message', (count: number) => {
  hanging = count;
});
process.on('disconnect', () => process.exit());
process.send!(servers.map((server) => (server.address() as AddressInfo).port));
setInterval(() => {
  if (answered.length > 0) process.send!(answered.splice(0));
}, TELL_EVERY_MS);
