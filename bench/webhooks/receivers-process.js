/**
 * Webhook receivers, each on its own port. They exit with the parent process, which says how many of them hang. See
 * receivers.ts for the messages. It is JavaScript, because it starts faster without tsx.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const TELL_EVERY_MS = 20;
const answered = [];
let hanging = 0;

const servers = Array.from({ length: Number(process.argv[2]) }, (_, index) =>
  createServer(async (request, response) => {
    const body = await text(request);
    if (index < hanging) return;
    response.writeHead(200).end();
    // the clock of ../clock.ts, which all processes share
    answered.push([JSON.parse(body).event_id, Number(process.hrtime.bigint()) / 1e6]);
  }).listen(0, '127.0.0.1'),
);
await Promise.all(servers.map((server) => once(server, 'listening')));
process.on('message', (count) => {
  hanging = count;
});
process.on('disconnect', () => process.exit());
process.send(servers.map((server) => server.address().port));
setInterval(() => {
  if (answered.length > 0) process.send(answered.splice(0));
}, TELL_EVERY_MS);
