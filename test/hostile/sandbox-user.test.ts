import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { exchange } from '../../src/git/exchange/exchange.ts';
import { dirtyFiles } from '../../src/git/inspect.ts';
import { resetInPlace } from '../../src/git/worktree/reset.ts';
import { createPrivate } from '../../src/system/files/access.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { listening } from '../support/listening.ts';
import { userTest } from '../support/scratch-user.ts';
import { type UserWorker, userWorker } from '../support/user-worker.ts';

const DENIED = /Permission denied/;

/** Attacks by an agent with a user of its own that the kernel refuses: what it does, and in which words the system says no. */
const ATTACKS: readonly (readonly [string, (adam: UserWorker) => string, RegExp])[] = [
  ['replaces the folder of its worktree', ({ worktree }) => `cd / && rmdir '${worktree}' || mv '${worktree}' '${worktree}2'`, DENIED],
  ['changes what llmc took in of it', ({ root }) => `echo x > '${root}/.git/taken/adam/HEAD'`, DENIED],
  ['writes the settings of the root', ({ root }) => `echo x >> '${root}/.git/config'`, DENIED],
  ['writes a hook of the root', ({ root }) => `mkdir '${root}/.git/hooks'`, DENIED],
  ['deletes objects of the root', ({ root }) => `rm -rf '${root}/.git/objects/'*/*`, DENIED],
  ['moves a ref of the root', ({ root }) => `echo x > '${root}/.git/refs/heads/x'`, DENIED],
  ['reads what llmc keeps about the repository', ({ root }) => `cat '${root}/run/git/config'`, DENIED],
  ['lists the root', ({ root }) => `ls '${root}'`, DENIED],
  ['deletes below a link to the source', ({ repo }) => `ln -s '${repo.path}' sub && rm -r sub/README.md`, DENIED],
  [
    // Past the fence, and past the check of owners that git makes: what refuses is the kernel.
    'pushes to the source',
    ({ repo }) => `git send-pack --receive-pack="git -c safe.directory='*' receive-pack" '${repo.path}' HEAD:refs/heads/x`,
    /unable to create temporary object directory|insufficient permission|Permission denied/,
  ],
  ['reads the home of the user', ({ repo }) => `cat '${repo.home}/secret'`, DENIED],
  ['reads the state of the root', ({ layout }) => `cat '${layout.state}'`, DENIED],
  ['reads the database of the root', ({ layout }) => `cat '${layout.database}'`, DENIED],
  ['reads the configuration of the root', ({ layout }) => `cat '${layout.config}'`, DENIED],
  ['asks the supervisor', ({ layout }) => connects(layout.apiSocket), /EACCES/],
  ['types into another worker by tmux', ({ layout }) => `tmux -S '${layout.tmuxSocket}' send-keys -t =llmc-baker: x Enter`, DENIED],
  ['forges an event of another worker', ({ layout }) => `echo '{}' > '${layout.spool('baker')}/1~stop~1.json'`, DENIED],
  ['reads the worktree of another', ({ layout }) => `cat '${layout.worktree('baker')}/README.md'`, DENIED],
  ['writes into the worktree of another', ({ layout }) => `echo x > '${layout.worktree('baker')}/x'`, DENIED],
  ['changes its own launcher', ({ layout }) => `echo x > '${layout.scratch('adam')}/launch.sh'`, DENIED],
  ['reads the environment that its launcher gets', ({ layout }) => `cat '${layout.scratch('adam')}/launch.sh'`, DENIED],
  ['names another user for its worktree', ({ layout }) => `echo '{}' > '${layout.sandbox('adam')}/user'`, DENIED],
  ['kills a process of llmc', () => `kill -9 ${process.pid}`, /not permitted/],
  ['reads the environment of a process of llmc', () => `cat /proc/${process.pid}/environ`, DENIED],
  ['writes into the system', () => 'echo x > /etc/llmc-canary', DENIED],
];

const connects = (socket: string) =>
  `node -e 'require("net").connect(process.argv[1]).on("connect", () => console.log("reached")).on("error", (error) => { console.log(error.code); process.exit(1) })' '${socket}'`;

userTest.for(ATTACKS)('the kernel refuses an agent with a user of its own that %s', async ([, script, words]) => {
  await using adam = await userWorker();
  const { layout, repo } = adam;
  // Each exists, with the mode that llmc gives it.
  const launcher = join(layout.scratch('adam'), 'launch.sh');
  for (const path of [layout.state, layout.database, layout.config, join(layout.spool('baker'), 'x'), launcher, join(repo.home, 'secret')])
    systemFiles.writePrivate(path, 'precious');
  systemFiles.makeFolder(layout.worktree('baker'));
  writeFileSync(join(layout.worktree('baker'), 'README.md'), 'precious');
  using _server = await listening(layout.apiSocket);
  createPrivate(layout.tmuxSocket);
  const { status, text } = await adam.agent(script(adam));
  expect(text).toMatch(words);
  expect(status).not.toBe(0);
  expect(existsSync(adam.canary)).toBe(false);
  expect(await repo.run(['status', '--porcelain'])).toBe('');
  expect(readFileSync(launcher, 'utf8')).toBe('precious');
  expect(await repo.run(['rev-parse', 'main'])).toBe(adam.base);
});

userTest('an agent with a user of its own gains nothing from a set-user-ID program', async () => {
  await using adam = await userWorker();
  const program = join(adam.repo.dir, 'id');
  copyFileSync('/usr/bin/id', program);
  chmodSync(program, 0o4755);
  expect(await adam.agent(`'${program}' -u`)).toEqual({ status: 0, text: `${adam.user.uid}\n` });
});

userTest('a fsmonitor that the agent configured runs as its user, when llmc runs git there, and reaches nothing outside', async () => {
  await using adam = await userWorker();
  const monitor = `touch '${adam.canary}' ran-inside; false`;
  // Exactly what llmc would run if it had no other defence.
  await adam.git.run({ at: adam.worktree, access: 'read', args: ['-c', `core.fsmonitor=${monitor}`, 'status'] });
  expect(existsSync(join(adam.worktree, 'ran-inside'))).toBe(true);
  expect(existsSync(adam.canary)).toBe(false);
});

userTest('administrative files that lead to another repository do so only for the user of the agent', async () => {
  await using adam = await userWorker();
  const other = join(adam.user.home, 'other');
  await adam.agent(`git init --quiet '${other}' && git -C '${other}' config core.fsmonitor "touch '${adam.canary}'; false"`);
  await adam.agent(`echo '${other}/.git' > "$(git rev-parse --git-dir)/commondir"; echo 'gitdir: ${other}/.git' > .git`);
  await dirtyFiles(adam.git, adam.worktree).catch(() => []);
  await exchange(adam.git, adam.root, adam.worktree).catch(() => undefined);
  expect(existsSync(adam.canary)).toBe(false);
  expect(await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root)).toBe(adam.base);
});

userTest('a reset, a deletion and a copy by llmc follow the links of the agent only with the rights of its user', async () => {
  await using adam = await userWorker();
  const precious = join(adam.repo.dir, 'precious');
  mkdirSync(join(precious, 'folder'), { recursive: true });
  writeFileSync(join(precious, 'folder/file'), 'precious');
  symlinkSync(precious, join(adam.worktree, 'link'));
  const { files } = adam.git;
  await Promise.allSettled([
    files.removeBeneath(adam.worktree, 'link/folder'),
    files.emptyBeneath(adam.worktree, 'link/folder'),
    files.copy(join(adam.worktree, 'README.md'), join(adam.worktree, 'link/folder/file')),
    files.sync(join(adam.repo.path, 'README.md'), join(adam.worktree, 'link/folder/file'), adam.worktree),
  ]);
  await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  expect(readFileSync(join(precious, 'folder/file'), 'utf8')).toBe('precious');
});
