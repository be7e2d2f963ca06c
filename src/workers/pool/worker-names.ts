import type { Config } from '../../config/schema.ts';
import { isWorkerBranch, workerBranch } from '../../git/refs.ts';
import { RESCUE_PREFIX } from '../../git/rescue/rescue-ref.ts';
import { read } from '../../git/run.ts';
import { knownNames } from '../../store/tables/history.ts';
import { workersInMaking } from '../../store/tables/pool-making.ts';
import { namesIn } from '../../system/files/files.ts';
import type { WorkContext } from '../context.ts';

const FIRST_NAMES =
  'bea carl dora emil frida gus hana ivan jana kurt lena max nora otto pia rolf sara theo una vera walt xenia yuri zora anton berta clara david ella felix greta hugo ida jakob karla leo mina nils olga paul rosa simon tilda ute viktor wilma';
const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/** The first name that is not taken: short names of people, then syllables that can be read aloud, such as `bakilo`. */
export function nextName(taken: ReadonlySet<string>): string {
  for (const name of FIRST_NAMES.split(' ')) if (!taken.has(name)) return name;
  for (let number = 0; ; number += 1) {
    const name = syllables(number);
    if (!taken.has(name)) return name;
  }
}

/** Three syllables for the first 343,000 numbers, one more for each further power. */
function syllables(number: number): string {
  const kinds = CONSONANTS.length * VOWELS.length;
  let name = '';
  for (let rest = number, index = 0; rest > 0 || index < 3; rest = Math.floor(rest / kinds), index += 1) {
    const syllable = rest % kinds;
    name += (CONSONANTS[Math.floor(syllable / VOWELS.length)] ?? '') + (VOWELS[syllable % VOWELS.length] ?? '');
  }
  return name;
}

/** Returns a name for a new worker that nothing has or had: no worker, no worktree, no branch, no rescue, no line of the history. */
export async function freeName(context: WorkContext, config: Config): Promise<string> {
  return nextName(await takenNames(context, config));
}

export async function isFreeName(context: WorkContext, config: Config, name: string): Promise<boolean> {
  return !(await takenNames(context, config)).has(name);
}

async function takenNames({ store, layout, git, namedWorkers }: WorkContext, config: Config): Promise<ReadonlySet<string>> {
  const branches = `refs/heads/${workerBranch('')}`;
  const refs = (await git.ok(read(layout.root, 'for-each-ref', '--format=%(refname)', branches, RESCUE_PREFIX))).split('\n');
  return new Set([
    ...Object.keys(store.state.workers),
    ...Object.keys(config.workers),
    ...workersInMaking(store.database).map(({ worker }) => worker),
    ...namedWorkers.names(),
    ...namesIn(layout.worktrees),
    ...knownNames(store.database),
    ...refs.map(nameIn),
  ]);
}

function nameIn(ref: string): string {
  if (ref.startsWith(RESCUE_PREFIX)) return ref.slice(RESCUE_PREFIX.length).split('/')[0] ?? '';
  const branch = ref.replace('refs/heads/', '');
  return isWorkerBranch(branch) ? branch.slice(workerBranch('').length) : '';
}
