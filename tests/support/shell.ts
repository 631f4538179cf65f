import { spawn } from 'node:child_process';
import { once } from 'node:events';

const END = 'the commands have ended';

/** A shell that runs pasted commands one after the other. It keeps the variables that they set and export. */
export async function openShell(environment: Readonly<Record<string, string>> = {}) {
  // detached makes a process group, so `close` also ends background processes; --norc skips this machine's settings
  const shell = spawn('bash', ['--noprofile', '--norc', '-eu'], {
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let output = '';
  shell.stdout.on('data', (chunk) => {
    stdout += chunk;
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(shell, 'exit');
  return {
    /** Runs commands. Rejects with an Error if one fails, which ends the shell. @returns their output */
    paste: async (commands: string): Promise<string> => {
      const from = stdout.length;
      // a command that reads standard input must not read the next command
      shell.stdin.write(`eval ${quoted(commands)} </dev/null; echo ${quoted(END)}\n`);
      while (!stdout.includes(END, from)) {
        const more = once(shell.stdout, 'data').then(() => true);
        const hasMore = await Promise.race([more, exited.then(() => false)]);
        if (!hasMore) throw new Error(`A command failed: ${commands}\n${output}`);
      }
      return stdout.slice(from, stdout.indexOf(END, from));
    },
    /** All output so far, including that of background processes. */
    output: () => output,
    /** Ends the shell and the processes that it started. */
    close: async () => {
      if (shell.exitCode === null) process.kill(-shell.pid!);
      await exited;
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
