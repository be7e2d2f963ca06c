import { type Attack, alone, type Group, LAND, MOVE_MAIN, type Step, user } from '../attack.ts';

/** The repository that the agent's git uses. */
const PLACES = 'common=$(git rev-parse --path-format=absolute --git-common-dir)';

const attack = (harm: Attack['harm'], name: string, script: string, ...steps: readonly Step[]): Group =>
  alone({ name, point: 7, harm, closedBy: '0b0126d', agent: `${PLACES}\n${script}` } satisfies Attack, ...steps);

/** What a user does with the other workers: nothing that adam wrote may be in the way. */
const OTHERS = [...MOVE_MAIN, ...user('llmc diff bea', 'llmc reset carl --yes', 'llmc add dora')];

/** The script runs between the review and the landing, where everything outside is compared. */
const between = (name: string, script: string): Group => {
  const [review, ...landing] = LAND;
  return attack('outside', name, ':', ...(review === undefined ? [] : [review]), { agent: `${PLACES}\n${script}` }, ...landing);
};

const DELETE_REFS = { agent: 'git for-each-ref --format="delete %(refname)" refs/llmc | git update-ref --stdin' };

/** One worker against another, and against what a review reads: they have nothing in common that an agent's git writes. */
export const NEIGHBOURS: readonly Group[] = [
  attack('stuck', 'the packed refs are garbage', 'echo garbage >> "$common/packed-refs"', ...OTHERS),
  attack('stuck', 'the packed refs are a pipe', 'rm -f "$common/packed-refs"; mkfifo "$common/packed-refs"', ...OTHERS),
  attack(
    'stuck',
    'the list of other object stores is garbage',
    'mkdir -p "$common/objects/info"; echo "\\"x" > "$common/objects/info/alternates"',
    ...OTHERS,
  ),
  attack(
    'stuck',
    'refs of every kind are locked',
    `mkdir -p "$common/refs/remotes/origin" "$common/refs/heads/llmc"
      touch "$common/packed-refs.lock" "$common/config.lock" "$common/refs/remotes/origin/main.lock"
      for worker in bea carl; do touch "$common/refs/heads/llmc/$worker.lock"; done`,
    ...OTHERS,
  ),
  attack(
    'stuck',
    'a file is in the place of the folder of branches',
    'rm -rf "$common/refs/heads/llmc"; : > "$common/refs/heads/llmc"',
    ...OTHERS,
  ),
  attack(
    'stuck',
    'a branch is in the way of a worker that comes later',
    'git update-ref refs/heads/llmc/dora/x HEAD',
    ...user('llmc add dora'),
  ),
  between('the branch of another worker is moved', 'git update-ref refs/heads/llmc/bea HEAD'),
  between('the branch of another worker is deleted', 'git update-ref -d refs/heads/llmc/bea'),
  between('the branch of another worker is renamed', 'git branch --move --force llmc/bea mine 2> /dev/null || true'),
  between('the worktree of another worker is removed by git', 'git worktree remove --force --force "$BEA" 2> /dev/null || true'),
  attack(
    'stuck',
    'the rescue of a worker is deleted',
    ':',
    ...user('llmc reset adam --yes'),
    DELETE_REFS,
    ...user('llmc rescue show adam'),
  ),
  alone(
    {
      name: 'what an undo needs is deleted',
      point: 7,
      harm: 'stuck',
      agent: ':',
      alreadyHarmless: 'an undo of the newest accept needs only main',
    },
    ...LAND,
    DELETE_REFS,
    ...user('llmc undo adam --yes'),
  ),
];
