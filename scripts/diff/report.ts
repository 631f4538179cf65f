import type { Contract } from '../contract/bundle.ts';
import type { Change } from './change.ts';
import { namesOf } from './names.ts';
import { inWords } from './words.ts';

export interface Comparison {
  readonly changes: readonly Change[];
  /** Oldest first. */
  readonly contracts: readonly Contract[];
  /** The names that the changelog announces as breaking. */
  readonly announced: ReadonlySet<string>;
}

const GROUPS = { major: 'Breaking', minor: 'Added', patch: 'Changed, without effect on clients' } as const;

/** The breaking changes that the changelog does not announce. */
export function unannounced({ changes, contracts, announced }: Comparison): Change[] {
  return changes
    .filter(({ impact }) => impact === 'major')
    .filter((change) => !namesOf(change, contracts).some((name) => announced.has(name)));
}

/** Describes the changes, grouped by impact. A change that repeats in several places is one line. */
export function report(comparison: Comparison): string {
  const groups = (['major', 'minor', 'patch'] as const).map((impact) => group(comparison, impact));
  return groups.filter((text) => text !== '').join('\n\n') || 'Nothing changed.';
}

function group(comparison: Comparison, impact: Change['impact']): string {
  const changes = comparison.changes.filter((change) => change.impact === impact);
  if (changes.length === 0) return '';
  const silent = new Set(unannounced(comparison));
  const said = (change: Change) => `${inWords(change)}${silent.has(change) ? ' (NOT IN THE CHANGELOG)' : ''}`;
  const lines = [...new Set(changes.map(said))].map((words) => {
    const subjects = changes
      .filter((change) => said(change) === words)
      .map((change) => subject(change, comparison.contracts));
    return `  ${[...new Set(subjects)].join(', ')}: ${words}`;
  });
  return [`${GROUPS[impact]} (${changes.length})`, ...lines].join('\n');
}

function subject(change: Change, contracts: readonly Contract[]): string {
  const names = namesOf(change, contracts);
  const isWholePath = change.typeName === 'PathItem';
  return (isWholePath ? names.join(', ') : names[0]) ?? 'the contract';
}
