import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

/** The Debian packages with the programs that these tests need. */
const PACKAGES = {
  nginx: 'nginx-light',
  openssl: 'openssl',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  'systemd-socket-activate': 'systemd',
} as const;

/** Like `test`, but skips if programs are missing and prints how to install them. In CI, they are required. */
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
    // Debian installs some in /usr/sbin, which is not in every user's path
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
