import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A shell that runs pasted commands one after the other. It keeps the variables that they set and export. */
export interface Shell {
  /** Runs commands. Rejects with an Error if one fails, which ends the shell. @returns their output */
  paste(commands: string): Promise<string>;
  /** All output so far, including that of background processes. */
  output(): string;
  /** Ends the shell and the processes that it started. */
  close(): Promise<void>;
}

const END = 'the commands have ended';

export async function openShell(environment: Readonly<Record<string, string>> = {}): Promise<Shell> {
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
    paste: (commands) => {
      const from = stdout.length;
      const printed = new Promise<string>((resolve) => {
        const look = () => {
          const end = stdout.indexOf(END, from);
          if (end < 0) return;
          shell.stdout.off('data', look);
          resolve(stdout.slice(from, end));
        };
        shell.stdout.on('data', look);
      });
      // a command that reads standard input must not read the next command
      shell.stdin.write(`eval ${quoted(commands)} </dev/null; echo ${quoted(END)}\n`);
      const failed = exited.then(() => {
        throw new Error(`A command failed: ${commands}\n${output}`);
      });
      return Promise.race([printed, failed]);
    },
    output: () => output,
    close: async () => {
      if (shell.exitCode === null) process.kill(-shell.pid!);
      await exited;
    },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
