import { type Attack, alone, type Group, LAND, ONTO_MAIN, user } from '../attack.ts';

/** A repository inside the worktree, with a commit and a file that is not committed. */
const NESTED = `git init --quiet --initial-branch=main "in-$NAME"; cd "in-$NAME"; git config user.name Agent; git config user.email agent@example.test
  echo one > one.txt; git add --all; git commit --quiet -m One; echo two > two.txt`;
/** Records it in the commit that waits for review. */
const GITLINK = 'cd ..; git add "in-$NAME" 2> /dev/null; git commit --quiet -m "Add inner"';
/** A nested repository that main records as a submodule; the commit is there already. */
const submodule = (first = 'true'): string =>
  `${NESTED}; rm two.txt; git fetch --quiet "$SOURCE" main; git update-ref refs/heads/main FETCH_HEAD; git reset --quiet --hard; ${first}; ${GITLINK}
  printf '[submodule "inner"]\\n\\tpath = in-%s\\n\\turl = ./inner\\n' "$NAME" > .gitmodules; git add .gitmodules; git commit --quiet -m Modules
  git config submodule.inner.active true; git config submodule.inner.url "$PWD/in-$NAME"; ${ONTO_MAIN}`;
const DEEP =
  'git init --quiet deep; git -C deep commit --quiet --allow-empty -m Deep; git add deep 2> /dev/null; git commit --quiet -m Deep';
const VERBS = user('llmc review adam', 'llmc accept adam', 'llmc reset adam --yes', 'llmc nuke adam --yes');
const HOOKS = 'post-checkout post-index-change reference-transaction';

/** What the settings of a nested repository would run. */
const EVIL: readonly (readonly [name: string, script: string])[] = [
  ['core.fsmonitor', 'git config core.fsmonitor "$TRAP"'],
  ['a clean filter', 'git config filter.evil.clean "$TRAPCAT"; echo "* filter=evil" > .gitattributes'],
  ['core.hooksPath', `mkdir h; for hook in ${HOOKS}; do ln -s "$TRAP" h/$hook; done; git config core.hooksPath "$PWD/h"`],
  ['a hook', `mkdir -p .git/hooks; for hook in ${HOOKS}; do ln -s "$TRAP" .git/hooks/$hook; done`],
  ['an include', 'printf "[core]\\n\\tfsmonitor = %s\\n" "$TRAP" > .git/evil; git config include.path evil'],
  [
    'a settings file that is a link',
    'git config core.fsmonitor "$TRAP"; mv .git/config "$SCRATCH/inner"; ln -s "$SCRATCH/inner" .git/config',
  ],
  ['the settings of a worktree', 'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$TRAP"'],
  [
    'a .git file that leads to a repository',
    'git config core.fsmonitor "$TRAP"; mv .git "$SCRATCH/moved"; echo "gitdir: $SCRATCH/moved" > .git',
  ],
];
/** What a question to its remote would run: `accept` asks whether the remote has the recorded commit. */
const ASKED: typeof EVIL = [
  ['an upload-pack', 'git remote add origin /nowhere; git config remote.origin.uploadpack "$TRAP"'],
  ['an ext:: remote', 'git config protocol.ext.allow always; git remote add origin "ext::$TRAP"'],
];
const inside = (where: string, and = 'true', evil = EVIL): Attack[] =>
  evil.map(([name, script]) => ({
    name: `${name} of ${where}`,
    point: 3,
    harm: 'runs',
    closedBy: 'b9eb6f1',
    agent: `${NESTED}; ${script}; ${and}`,
  }));

export const NESTED_REPOSITORIES: readonly Group[] = [
  { about: 'nested repositories', steps: VERBS, attacks: inside('a nested repository') },
  { about: 'nested repositories that the commit records', steps: VERBS, attacks: inside('a recorded repository', GITLINK) },
  ...inside('a recorded repository', `rm two.txt; ${GITLINK}`, ASKED).map((attack) => alone(attack, ...LAND)),
  alone(
    {
      name: 'core.worktree of a submodule points at files of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${submodule()}; git -C "in-$NAME" config core.worktree "$OUT"`,
    },
    ...VERBS,
  ),
  alone(
    {
      name: 'core.worktree of a repository inside a submodule points at files of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${submodule(DEEP)}; git -C "in-$NAME/deep" config core.worktree "$OUT"`,
    },
    ...VERBS,
  ),
  alone(
    {
      name: 'the .git of a submodule is a link to the one of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${submodule()}; rm -rf "in-$NAME/.git"; ln -s "$SOURCE/.git" "in-$NAME/.git"`,
    },
    ...VERBS,
  ),
  alone(
    {
      name: 'the .git file of a submodule names another worktree of the root',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: `${submodule()}; rm -rf "in-$NAME/.git"; echo "gitdir: $GITDIR/worktrees/bea" > "in-$NAME/.git"`,
    },
    ...VERBS,
  ),
  alone(
    {
      name: 'submodule.*.update = !command',
      point: 6,
      harm: 'runs',
      agent: `${submodule()}; git config submodule.inner.update '!'"$TRAP"; git config submodule.inner.url ./inner
        git -C "in-$NAME" commit --quiet --allow-empty -m Two`,
      alreadyHarmless: 'llmc passes --checkout, which wins over the setting',
    },
    ...VERBS,
  ),
];
