import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A shell that commands are pasted into, one after the other. It keeps what they set and export. */
export interface Shell {
  /** Runs commands. Rejects with an Error when one fails, which ends the shell. @returns what they print */
  paste(commands: string): Promise<string>;
  /** Everything that was printed so far, by background processes too. */
  output(): string;
  /** Ends the shell and the processes that it started. */
  close(): Promise<void>;
}

const END = 'the commands have ended';

export async function openShell(environment: Readonly<Record<string, string>> = {}): Promise<Shell> {
  // a process group of its own, so that `close` also ends what runs in the background; no settings of this machine
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
      // commands that read standard input must not get the next ones
      shell.stdin.write(`eval ${quoted(commands)} </dev/null; echo ${quoted(END)}\n`);
      const failed = exited.then(() => {
        throw new Error(`A command fails: ${commands}\n${output}`);
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
