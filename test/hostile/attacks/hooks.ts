import { type Attack, alone, type Group, LAND, MOVE_MAIN, ROUND, user } from '../attack.ts';

/** Every hook that a git command of llmc could start in a clone. */
const NAMES = [
  'applypatch-msg',
  'pre-applypatch',
  'post-applypatch',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-rebase',
  'post-checkout',
  'post-merge',
  'pre-push',
  'post-rewrite',
  'reference-transaction',
  'push-to-checkout',
  'post-index-change',
  'pre-auto-gc',
  'fsmonitor-watchman',
  'update',
  'pre-receive',
  'post-receive',
  'post-update',
  'proc-receive',
  'sendemail-validate',
];
/** git calls these for a rebase, a checkout and a write of refs and index, which llmc does in the root. */
const CALLED = new Set([
  'prepare-commit-msg',
  'post-commit',
  'post-checkout',
  'post-rewrite',
  'reference-transaction',
  'post-index-change',
]);

const hook = (name: string): Attack => ({
  name: `the hook ${name} of the clone`,
  point: 6,
  harm: 'runs',
  agent: `mkdir -p "$GITDIR/hooks"; rm -f "$GITDIR/hooks/${name}"; ln -s "$TRAP" "$GITDIR/hooks/${name}"`,
  ...(CALLED.has(name)
    ? { closedBy: '07bea1d' }
    : { alreadyHarmless: 'no git command of llmc calls it in the clone, or only without --no-verify' }),
});

export const HOOKS: readonly Group[] = [
  { about: 'hooks of the clone', steps: ROUND, attacks: NAMES.map(hook) },
  {
    about: 'hooks of the clone at a landing by push',
    steps: [...user('git checkout --quiet -b elsewhere'), ...LAND],
    attacks: ['pre-push', 'reference-transaction'].map((name) => ({
      ...hook(name),
      name: `the hook ${name} of the clone at a push`,
    })),
  },
  alone(
    {
      name: 'core.hooksPath names a folder of the agent',
      point: 6,
      harm: 'runs',
      closedBy: '07bea1d',
      agent: `mkdir evil-hooks; for hook in ${NAMES.join(' ')}; do ln -s "$TRAP" evil-hooks/$hook; done
        echo evil-hooks >> "$GITDIR/info/exclude"; git config core.hooksPath "$PWD/evil-hooks"`,
    },
    ...MOVE_MAIN,
    ...LAND,
    ...user('llmc reset adam --yes'),
  ),
];
