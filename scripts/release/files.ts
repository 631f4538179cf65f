import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their version is the one of the contract, or the next one with `-dev`. */
export const PACKAGES = ['package.json', 'client/package.json', 'package-lock.json'] as const;

/** The files that contain the version, except for the changelog and generated files. */
export function documentsIn(folder: string): string[] {
  const workflows = readdirSync(join(folder, 'arazzo')).map((name) => join('arazzo', name));
  return [...PACKAGES, 'openapi.yaml', 'webhooks.yaml', ...workflows];
}

export function versionOfPackage(): string {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

export function changeText(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Returns a document's text with the given version. Throws an Error if the document has no version. */
export function setVersion(file: string, text: string, version: string): string {
  return file.endsWith('.json') ? inJson(text, version) : inYaml(file, text, version);
}

function inJson(text: string, version: string): string {
  const { packages, ...manifest } = JSON.parse(text);
  const changed = { ...manifest, version };
  // only package-lock.json has packages; the project itself is the one named ''
  if (packages !== undefined) {
    const ours = ['', 'client'].map((name) => [name, { ...packages[name], version }] as const);
    changed.packages = { ...packages, ...Object.fromEntries(ours) };
  }
  return `${JSON.stringify(changed, null, 2)}\n`;
}

/** Edits the text, because a YAML parser would lose comments and anchors. */
function inYaml(file: string, text: string, version: string): string {
  const before = /^info:\n(?: {2}.*\n)*? {2}version: (?=.)/m.exec(text);
  if (before === null) throw new Error(`${file} has no version under info.`);
  const at = before.index + before[0].length;
  return text.slice(0, at) + text.slice(at).replace(/^.*/, version);
}
