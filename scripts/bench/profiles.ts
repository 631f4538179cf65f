import type { Engine } from '../../server/store/open.ts';
import { STAGES } from './profile/stages.ts';
import { benchProfile, type ProfileFigures } from './profile.ts';
import { AIMS, MEASURED } from './requests/operations.ts';
import type { Options } from './webhooks.ts';

export interface ProfilesFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly profiles: readonly ProfileFigures[];
}

/** Profiles each operation that has an aim, one after the other. */
export async function benchProfiles(options: Options): Promise<ProfilesFigures> {
  const { engine, quick } = options;
  const profiles: ProfileFigures[] = [];
  for (const operation of new Set(AIMS.map((aim) => aim.operation))) {
    profiles.push(await benchProfile({ ...options, operation }));
  }
  return { engine, quick, profiles };
}

export function profilesTable({ engine, quick, profiles }: ProfilesFigures): string {
  const percent = (share: number) => (share === 0 ? '' : (100 * share).toFixed(0));
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; percent of the CPU time of each operation`,
    '',
    `| stage | ${profiles.map(({ operation }) => MEASURED[operation].name).join(' | ')} |`,
    `| --- | ${profiles.map(() => '---:').join(' | ')} |`,
    ...STAGES.map((stage) => `| ${stage} | ${profiles.map(({ shares }) => percent(shares[stage])).join(' | ')} |`),
  ].join('\n');
}
