import { type CodeSample, type Contract, operationsOf } from '../contract/bundle.ts';
import { dereferenced } from '../contract/dereferenced.ts';
import { sampleCallOf } from './samples/call.ts';
import { goSample, javaSample, rustSample } from './samples/compiled.ts';
import { curlSample } from './samples/curl.ts';
import { linkSamples } from './samples/link.ts';
import { pythonSample } from './samples/python.ts';
import { typescriptSample } from './samples/typescript.ts';

/** Adds code samples to every operation of a bundle. */
export function withSamples(document: Contract): Contract {
  const contract = dereferenced(document);
  const sampled = structuredClone(document);
  for (const located of operationsOf(contract)) {
    const call = sampleCallOf(contract, located);
    const samples = call.answer === 'page' ? linkSamples(call) : codeSamples(call);
    sampled.paths![located.path]![located.method]!['x-codeSamples'] = samples;
  }
  return sampled;
}

function codeSamples(call: Parameters<typeof curlSample>[0]): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(call) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(call) },
    { lang: 'Python', label: 'Python', source: pythonSample(call) },
    { lang: 'Go', label: 'Go', source: goSample(call) },
    { lang: 'Java', label: 'Java', source: javaSample(call) },
    { lang: 'Rust', label: 'Rust', source: rustSample(call) },
  ];
}
