import { parseDocument } from 'yaml';
import { type CodeSample, dereferenced, operationsOf } from '../contract/bundle.ts';
import { sampleCallOf } from './samples/call.ts';
import { curlSample } from './samples/curl.ts';
import { linkSamples } from './samples/link.ts';
import { pythonSample } from './samples/python.ts';
import { typescriptSample } from './samples/typescript.ts';

/** Adds code samples to every operation of a YAML bundle. */
export function withSamples(bundle: string): string {
  const document = parseDocument(bundle);
  const contract = dereferenced(document.toJS());
  for (const located of operationsOf(contract)) {
    const call = sampleCallOf(contract, located);
    const samples = call.answer === 'page' ? linkSamples(call) : codeSamples(call);
    document.setIn(['paths', located.path, located.method, 'x-codeSamples'], document.createNode(samples));
  }
  // do not rewrap lines, so that only the samples are new
  return document.toString({ lineWidth: 0 });
}

function codeSamples(call: Parameters<typeof curlSample>[0]): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(call) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(call) },
    { lang: 'Python', label: 'Python', source: pythonSample(call) },
  ];
}
