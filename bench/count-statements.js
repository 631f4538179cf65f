/**
 * Counts the statements that a process sends to PostgreSQL, and reports the count when the parent process asks. For
 * `node --import`. It is JavaScript, because Node loads it without tsx.
 */
import pg from 'pg';

const { query } = pg.Client.prototype;
let count = 0;

pg.Client.prototype.query = function (...parameters) {
  count += 1;
  return query.apply(this, parameters);
};

process.on('message', () => process.send(count));
// the channel to the parent does not keep the server running
process.channel?.unref();
