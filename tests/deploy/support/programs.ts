import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

/** The Debian packages of the programs that these tests run beside the server. */
const PACKAGES = {
  nginx: 'nginx-light',
  openssl: 'openssl',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  'systemd-socket-activate': 'systemd',
} as const;

/** `test`, but skipped where programs are missing, with a line that says how to get them. In CI they must be there. */
export function testWith(...programs: (keyof typeof PACKAGES)[]): typeof test {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return test;
  const packages = new Set(missing.map((program) => PACKAGES[program]));
  const message = `${missing.join(', ')}: not installed. apt-get install ${[...packages].join(' ')}`;
  if (process.env.CI) throw new Error(message);
  console.warn(`Tests are skipped. ${message}`);
  return test.skip as typeof test;
}

function isInstalled(program: string): boolean {
  try {
    // Debian keeps some in /usr/sbin, which not every user has in the path
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
