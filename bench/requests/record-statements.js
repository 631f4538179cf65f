/**
 * Writes every statement that a server runs on SQLite to the file in STATEMENTS, one JSON object per line. For
 * `node --import`. It is JavaScript, because Node loads it without tsx.
 */
import { appendFileSync } from 'node:fs';
import Libsql from 'libsql';

const record = (statement) => appendFileSync(process.env.STATEMENTS, `${JSON.stringify(statement)}\n`);
const { exec, prepare } = Libsql.prototype;

Libsql.prototype.exec = function (source) {
  record({ source, parameters: null });
  return exec.call(this, source);
};

Libsql.prototype.prepare = function (source) {
  const statement = prepare.call(this, source);
  for (const name of ['all', 'run']) {
    const own = statement[name].bind(statement);
    statement[name] = (parameters = []) => {
      record({ source, parameters });
      return own(parameters);
    };
  }
  return statement;
};
