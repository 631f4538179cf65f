/**
 * Tells the parent process, when that asks, how many statements its process has sent to PostgreSQL. For `node --import`. It is
 * JavaScript, because node loads it without tsx.
 */
import pg from 'pg';

const { query } = pg.Client.prototype;
let count = 0;

pg.Client.prototype.query = function (...parameters) {
  count += 1;
  return query.apply(this, parameters);
};

process.on('message', () => process.send(count));
// the server ends although its parent is there
process.channel?.unref();
