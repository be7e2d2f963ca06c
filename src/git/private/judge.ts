import type { Setting } from '../source/local-config.ts';
import { AGENT_SETTINGS, canonical, isAdopted, isFormat, isHarmless, PRIVATE_SETTINGS, ROOT_SETTINGS } from './settings.ts';

/** What llmc wrote into the clone's configuration, kept outside the reach of an agent's git. */
export interface Written {
  readonly source: string;
  /** From the source's own configuration; in the repository of a worker, also what the store has adopted. */
  readonly copied: readonly Setting[];
  readonly format: readonly Setting[];
  /** From the repository's own configuration, where a person, git-lfs or `git submodule` put them. */
  readonly adopted: readonly Setting[];
}

/** The verdict on the clone's configuration as it is now. */
export interface ConfigVerdict {
  readonly adopted: readonly Setting[];
  /** Settings that llmc did not write and that can run a program or mislead git. */
  readonly foreign: readonly string[];
  /** Settings of llmc that are gone or have another value. */
  readonly lost: readonly string[];
  /** The settings that the file should have. */
  readonly right: readonly Setting[];
}

const FORMAT: readonly Setting[] = [{ key: 'core.repositoryformatversion', value: '0' }];
const FETCH: Setting = { key: 'remote.origin.fetch', value: '+refs/heads/*:refs/remotes/origin/*' };

/** As git prints them. */
const inFile = (settings: readonly Setting[]): readonly Setting[] => settings.map(({ key, value }) => ({ key: canonical(key), value }));

/** Changes when a version of llmc writes other settings into its repositories, or lays them out in another way. */
export const SETTINGS_VERSION = `own repositories ${JSON.stringify(inFile([...ROOT_SETTINGS, ...AGENT_SETTINGS]))}`;

/** The settings that agents and llmc share. */
function managed({ source, copied, adopted }: Written): readonly Setting[] {
  const own = [...inFile(ROOT_SETTINGS), { key: 'remote.origin.url', value: source }];
  return [...own, FETCH, ...copied, ...adopted];
}

/** llmc's own configuration. */
export function privateSettings(written: Written): readonly Setting[] {
  return [...FORMAT, ...written.format, ...managed(written), ...PRIVATE_SETTINGS];
}

/** `found` is undefined if the file is missing or is not a configuration file. */
export function judge(written: Written, found: readonly Setting[] | undefined): ConfigVerdict {
  const now = found ?? [];
  const isCopied = ({ key, value }: Setting) => written.copied.some((each) => each.key === key && each.value === value);
  const adopted = found === undefined ? written.adopted : now.filter((each) => isAdopted(each) && !isCopied(each));
  const ours = [...managed({ ...written, adopted }), ...inFile(AGENT_SETTINGS)];
  const isOurs = ({ key, value }: Setting) => ours.some((each) => each.key === key && each.value === value);
  const lastValue = (key: string) => now.findLast((each) => each.key === key)?.value;
  const lastOurs = new Map(ours.map(({ key, value }) => [key, value]));
  const lost = [...lastOurs].filter(([key, value]) => key !== FETCH.key && lastValue(key) !== value).map(([key]) => key);
  if (!now.some(({ key, value }) => key === FETCH.key && value === FETCH.value)) lost.push(FETCH.key);
  const kept = now.filter((each) => isHarmless(each) && !isOurs(each) && (!lastOurs.has(each.key) || each.key === FETCH.key));
  const foreign = now.filter((each) => !isOurs(each) && !isHarmless(each)).map(({ key }) => key);
  const basis = found === undefined ? [...FORMAT, ...written.format, { key: 'core.bare', value: 'false' }] : [];
  return { adopted, foreign: [...new Set(foreign)], lost, right: [...basis, ...kept, ...ours] };
}

/** The format of a repository as its configuration has it. */
export const pickFormat = (found: readonly Setting[]): readonly Setting[] => found.filter(isFormat);
