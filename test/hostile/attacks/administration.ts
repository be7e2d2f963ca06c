import { alone, type Group, LAND, MOVE_MAIN, user } from '../attack.ts';

/** A repository of the agent with core.fsmonitor and hooks, in the folder $EVIL. */
const FOREIGN = `EVIL=$SCRATCH/evil; git init --quiet "$EVIL"; git -C "$EVIL" commit --quiet --allow-empty -m Evil
  git -C "$EVIL" config core.fsmonitor "$TRAP"; mkdir -p "$EVIL/.git/hooks"; ln -s "$TRAP" "$EVIL/.git/hooks/post-checkout"`;

const EVERYTHING = user('llmc review adam', 'llmc accept adam', 'llmc reset adam --yes', 'llmc nuke adam --yes');

/** The agent changes what connects its worktree with the root's repository. */
export const ADMINISTRATION: readonly Group[] = [
  alone(
    {
      name: 'commondir points at a foreign repository',
      point: 2,
      harm: 'runs',
      closedBy: '07bea1d',
      agent: `${FOREIGN}; cp -a "$GITDIR/objects/." "$EVIL/.git/objects/"; git for-each-ref --format="update %(refname) %(objectname)" > "$SCRATCH/refs"
        git -C "$EVIL" update-ref --stdin < "$SCRATCH/refs"; echo "$EVIL/.git" > "$ADMIN/commondir"`,
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the .git file points at a foreign repository',
      point: 2,
      harm: 'runs',
      closedBy: '07bea1d',
      agent: `${FOREIGN}; echo "gitdir: $EVIL/.git" > .git`,
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the .git file is replaced by a repository',
      point: 2,
      harm: 'runs',
      closedBy: '07bea1d',
      agent: `${FOREIGN}; rm .git; cp -a "$EVIL/.git" .git`,
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the .git file is replaced by a link to a repository',
      point: 2,
      harm: 'runs',
      closedBy: '07bea1d',
      agent: `${FOREIGN}; rm .git; ln -s "$EVIL/.git" .git`,
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the .git file points at the repository of the user',
      point: 2,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'echo "gitdir: $SOURCE/.git" > .git',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the .git file points at the administration of another worker',
      point: 2,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'echo "gitdir: $GITDIR/worktrees/bea" > .git',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'gitdir names a folder of the user, and the .git file is gone',
      point: 2,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'echo "$OUT/.git" > "$ADMIN/gitdir"; rm .git',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'gitdir names the worktree of another worker',
      point: 2,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'echo "$BEA/.git" > "$ADMIN/gitdir"; rm .git',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'a second administration claims a folder of the user',
      point: 2,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'cp -a "$ADMIN" "$GITDIR/worktrees/spare"; echo "$OUT/folder/.git" > "$GITDIR/worktrees/spare/gitdir"; rm .git',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the worktree is replaced by a link to the one of another worker',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: 'cd /; mv "$ROOT/.worktrees/adam" "$SCRATCH/moved"; ln -s "$BEA" "$ROOT/.worktrees/adam"',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the worktree is replaced by a link to files of the user',
      point: 4,
      harm: 'outside',
      closedBy: 'b9eb6f1',
      agent: 'cd /; mv "$ROOT/.worktrees/adam" "$SCRATCH/moved"; ln -s "$OUT" "$ROOT/.worktrees/adam"',
    },
    ...EVERYTHING,
  ),
  alone(
    {
      name: 'the branch names the commit of another worker',
      point: 2,
      harm: 'outside',
      agent: 'git fetch --quiet "$ROOT/sandbox/bea/git" llmc/bea; git reset --quiet --hard FETCH_HEAD',
      alreadyHarmless: 'it is a copy, and the review shows it',
    },
    ...LAND,
    ...user('llmc reset adam --yes'),
  ),
  alone(
    {
      name: 'HEAD is the tracking branch of main',
      point: 2,
      harm: 'lands',
      agent: 'git symbolic-ref HEAD refs/remotes/origin/main; echo evil > evil.sh; git add --all; git commit --quiet -m Evil',
      alreadyHarmless: 'git refuses to fetch into the branch of a worktree',
    },
    ...LAND,
    ...user('llmc reset adam --yes'),
  ),
  alone(
    {
      name: 'HEAD is detached elsewhere, the branch is what the review should show',
      point: 2,
      harm: 'lands',
      agent: 'git checkout --quiet --detach; echo evil > evil.sh; git add --all; git commit --quiet -m Evil',
      alreadyHarmless: 'review and accept both read HEAD',
    },
    ...LAND,
  ),
  alone(
    {
      name: 'tags are called like the branches of llmc',
      point: 2,
      harm: 'lands',
      agent: `good=$(git rev-parse HEAD); echo evil > evil.sh; git add --all; git commit --quiet -m Evil
        for name in HEAD main origin/main llmc/adam heads/llmc/adam; do git update-ref "refs/tags/$name" "$good"; done`,
      alreadyHarmless: 'llmc names branches by their whole name',
    },
    ...LAND,
  ),
  alone(
    {
      name: 'packed-refs moves the tracking branch and the branch of another worker',
      point: 2,
      harm: 'lands',
      agent: `good=$(git rev-parse HEAD); echo evil > evil.sh; git add --all; git commit --quiet -m Evil; git pack-refs --all
        sed -i "s|^.* refs/remotes/origin/main$|$(git rev-parse HEAD) refs/remotes/origin/main|" "$GITDIR/packed-refs"; echo "$good" > /dev/null`,
      alreadyHarmless: 'review and accept fetch main from the source first, and set the ref',
    },
    ...LAND,
  ),
  alone(
    {
      name: 'branches are called like options',
      point: 5,
      harm: 'outside',
      agent: `git update-ref "refs/heads/--output=$OUT/precious.txt" HEAD || true; git update-ref refs/heads/--all HEAD || true
        git update-ref "refs/llmc/rescue/adam/--output=precious.txt" HEAD || true`,
      alreadyHarmless: 'llmc names branches by their whole name',
    },
    ...user('llmc review adam', 'llmc rescue list', 'llmc rescue show adam', 'llmc reset adam --yes', 'llmc nuke adam --yes'),
  ),
  alone(
    {
      name: 'HEAD is the branch of another worker',
      point: 2,
      harm: 'outside',
      closedBy: 'a123a10',
      agent: 'echo "ref: refs/heads/llmc/bea" > "$ADMIN/HEAD"; git reset --quiet --hard; git commit --quiet --allow-empty -m Second',
    },
    ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes', 'llmc nuke adam --yes'),
  ),
  alone(
    {
      name: 'the branch is a symbolic ref to the one of another worker',
      point: 2,
      harm: 'outside',
      closedBy: 'a123a10',
      agent:
        'git symbolic-ref refs/heads/llmc/adam refs/heads/llmc/bea; git reset --quiet --hard; git commit --quiet --allow-empty -m Second',
    },
    ...user('llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes', 'llmc nuke adam --yes'),
  ),
  alone(
    {
      name: 'the tracking branch of main is a symbolic ref to the branch of another worker',
      point: 2,
      harm: 'outside',
      closedBy: '29c97fd',
      agent: 'git symbolic-ref refs/remotes/origin/main refs/heads/llmc/bea',
    },
    ...MOVE_MAIN,
    ...LAND,
  ),
];

const REPLACED = 'git replaces the link itself';

/** git follows links in its own folder and writes through them. */
const linked = (file: string, name: string, alreadyHarmless?: string): Group =>
  alone(
    {
      name: `${name} is a link to a file of the user`,
      point: 4,
      harm: 'outside',
      agent: `mkdir -p "$(dirname "${file}")"; rm -rf "${file}"; ln -s "$OUT/precious.txt" "${file}"`,
      ...(alreadyHarmless === undefined ? { closedBy: '07bea1d' } : { alreadyHarmless }),
    },
    ...user('git commit --quiet --allow-empty -m Elsewhere', 'llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
  );

export const LINKS: readonly Group[] = [
  linked('$ADMIN/logs/HEAD', 'the reflog of HEAD'),
  linked('$GITDIR/logs/refs/heads/llmc/adam', 'the reflog of the branch'),
  linked('$GITDIR/logs/refs/remotes/origin/main', 'the reflog of main'),
  linked('$ADMIN/ORIG_HEAD', 'ORIG_HEAD', REPLACED),
  linked('$ADMIN/COMMIT_EDITMSG', 'COMMIT_EDITMSG', 'llmc commits without an editor'),
  linked('$GITDIR/FETCH_HEAD', 'FETCH_HEAD', 'llmc fetches with --no-write-fetch-head'),
  linked('$ADMIN/REBASE_HEAD', 'REBASE_HEAD', REPLACED),
  linked('$ADMIN/AUTO_MERGE', 'AUTO_MERGE', REPLACED),
  alone(
    {
      name: 'the index is a link to a file of the user',
      point: 4,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'cp "$ADMIN/index" "$OUT/index"; rm "$ADMIN/index"; ln -s "$OUT/index" "$ADMIN/index"',
    },
    ...user('git commit --quiet --allow-empty -m Elsewhere', 'llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
  ),
  alone(
    {
      name: 'the settings of the clone are a link to a file of the user',
      point: 4,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'mv "$GITDIR/config" "$OUT/config"; ln -s "$OUT/config" "$GITDIR/config"; git config remote.origin.url /elsewhere',
    },
    ...user('llmc review adam --json', 'llmc accept adam'),
  ),
  alone(
    {
      name: 'the folder of a rebase is a link to a folder of the user',
      point: 4,
      harm: 'outside',
      closedBy: '07bea1d',
      agent: 'ln -s "$OUT/folder" "$ADMIN/rebase-merge"',
    },
    ...user('git commit --quiet --allow-empty -m Elsewhere', 'llmc review adam --json', 'llmc accept adam', 'llmc reset adam --yes'),
  ),
];
