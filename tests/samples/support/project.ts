import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TSC } from '../../../scripts/support/tsc.ts';

/** A project of a developer who copied the client, with settings for its tools. */
export interface Project {
  readonly folder: string;
  /** Saves a file. @returns its path */
  save(name: string, text: string): string;
  /** Compiles files of the project with the settings of this repository. @returns the errors */
  complaintsAbout(files: readonly string[]): string[];
  remove(): void;
}

export function newProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-samples-'));
  for (const name of ['client', 'generated', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  const save: Project['save'] = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  save('package.json', '{ "type": "module" }');
  // curl fails when a call fails, like the other languages
  save('.curlrc', 'fail-with-body\nsilent\nshow-error\n');
  return {
    folder,
    save,
    complaintsAbout: (files) => complaints(folder, files),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function complaints(folder: string, files: readonly string[]): string[] {
  const project = { extends: resolve('tsconfig.json'), compilerOptions: { pretty: false }, include: [], files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const { stdout } = spawnSync(process.execPath, [TSC, '--noEmit'], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /^\S/.test(line));
}
