import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';

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
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync('tsconfig.json', 'utf8'));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, folder);
  const program = ts.createProgram(files, options);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
