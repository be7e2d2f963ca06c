import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { exchange } from '../../src/git/exchange/exchange.ts';
import { dirtyFiles } from '../../src/git/inspect.ts';
import { resetInPlace } from '../../src/git/worktree/reset.ts';
import { listening } from '../support/listening.ts';
import { walledTest } from '../support/walled-test.ts';
import { type WalledWorker, walledWorker } from '../support/walled-worker.ts';

/** Attacks from inside the sandbox that the kernel refuses: what is done there, and in which words the system says no. */
const ATTACKS: readonly (readonly [string, (adam: WalledWorker) => string, RegExp])[] = [
  ['replaces the .git file of its worktree', () => 'rm -f .git; ln -sf /etc/passwd .git', /Device or resource busy/],
  ['writes into the .git file of its worktree', () => 'echo "gitdir: /tmp" > .git', /Read-only file system/],
  ['writes the settings of the root', ({ root }) => `echo x >> '${root}/.git/config'`, /Read-only file system/],
  ['writes a hook of the root', ({ root }) => `mkdir '${root}/.git/hooks'`, /Read-only file system/],
  ['deletes objects of the root', ({ root }) => `rm -rf '${root}/.git/objects'`, /Read-only file system/],
  [
    'writes below a link to the home',
    ({ repo }) => `ln -s '${repo.home}' home && echo x > home/.bashrc/x`,
    /No such file|Directory nonexistent|cannot create/,
  ],
  ['deletes below a link to the source', ({ repo }) => `ln -s '${repo.path}' sub && rm -r sub/README.md`, /No such file/],
  ['reads the source', ({ repo }) => `cat '${repo.path}/README.md'`, /No such file/],
  ['pushes to the source', ({ repo }) => `git push '${repo.path}' HEAD:refs/heads/main`, /does not appear to be a git repository/],
  ['reads the state of the root', ({ layout }) => `cat '${layout.state}'`, /No such file/],
  ['reads the database of the root', ({ layout }) => `cat '${layout.database}'`, /No such file/],
  ['reads the configuration of the root', ({ layout }) => `cat '${layout.config}'`, /No such file/],
  ['lists the sockets', ({ layout }) => `ls '${layout.apiSocket}' '${layout.tmuxSocket}'`, /No such file/],
  ['types into another worker by tmux', ({ layout }) => `tmux -S '${layout.tmuxSocket}' send-keys -t =llmc-baker: x Enter`, /No such file/],
  ['forges an event of another worker', ({ layout }) => `echo '{}' > '${layout.spool('baker')}/1~stop~1.json'`, /nonexistent|No such file/],
  ['writes into the worktree of another', ({ layout }) => `echo x > '${layout.worktree('baker')}/x'`, /nonexistent|No such file/],
  ['changes its own launcher', ({ layout }) => `echo x > '${layout.scratch('adam')}/launch.sh'`, /Read-only file system/],
  ['kills a process outside', () => `kill -9 ${process.pid}`, /No such process/],
  ['reads the environment of a process outside', () => `cat /proc/${process.pid}/environ`, /No such file/],
  ['writes into the system', () => 'echo x > /etc/llmc-canary', /Read-only file system|Permission denied/],
  ['mounts a file system', () => 'mount -t tmpfs none /mnt', /permission|must be superuser|denied|not permitted|does not exist/i],
  ['asks for the Docker daemon', () => 'ls /run/docker.sock /var/run/docker.sock', /No such file/],
];

walledTest.for(ATTACKS)('the kernel refuses an agent that %s', async ([, script, words]) => {
  await using adam = await walledWorker();
  // Each exists outside, so that the refusal is the kernel's.
  for (const path of [adam.layout.state, adam.layout.database, adam.layout.config, join(adam.layout.spool('baker'), 'x')]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'precious');
  }
  for (const path of [adam.layout.worktree('baker'), join(adam.repo.home, '.bashrc')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(adam.layout.scratch('adam'), 'launch.sh'), 'precious');
  using _server = await listening(adam.layout.apiSocket);
  const { status, text } = await adam.agent(script(adam));
  expect(text).toMatch(words);
  expect(status).not.toBe(0);
  expect(existsSync(adam.canary)).toBe(false);
  expect(await adam.repo.run(['status', '--porcelain'])).toBe('');
  expect(readFileSync(join(adam.layout.scratch('adam'), 'launch.sh'), 'utf8')).toBe('precious');
  expect(await adam.repo.run(['rev-parse', 'main'])).toBe(adam.base);
});

walledTest('a fsmonitor that the agent configured runs inside, when llmc runs git there, and reaches nothing outside', async () => {
  await using adam = await walledWorker();
  await adam.agent(`git config core.fsmonitor "touch '${adam.canary}' ran-inside; false"`);
  // Exactly what llmc would run if it had no other defence.
  await adam.git.run({
    at: adam.worktree,
    access: 'read',
    args: ['-c', `core.fsmonitor=touch '${adam.canary}' ran-inside; false`, 'status'],
  });
  expect(existsSync(join(adam.worktree, 'ran-inside'))).toBe(true);
  expect(existsSync(adam.canary)).toBe(false);
});

walledTest('administrative files that lead to another repository do so only inside', async () => {
  await using adam = await walledWorker();
  const other = join(adam.repo.dir, 'other');
  await adam.repo.run(['init', '--quiet', other], '/');
  await adam.repo.run(['config', 'core.fsmonitor', `touch '${adam.canary}'; false`], other);
  await adam.agent(`echo '${other}/.git' > "$(git rev-parse --git-dir)/commondir"`);
  await dirtyFiles(adam.git, adam.worktree).catch(() => []);
  await exchange(adam.git, adam.root, adam.worktree).catch(() => undefined);
  expect(existsSync(adam.canary)).toBe(false);
  expect(await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root)).toBe(adam.base);
});

walledTest('a reset, a deletion and a copy by llmc do not follow the links of the agent out of the sandbox', async () => {
  await using adam = await walledWorker();
  const precious = join(adam.repo.dir, 'precious');
  mkdirSync(join(precious, 'folder'), { recursive: true });
  writeFileSync(join(precious, 'folder/file'), 'precious');
  symlinkSync(precious, join(adam.worktree, 'link'));
  const { files } = adam.git;
  const outcomes = [
    files.removeBeneath(adam.worktree, 'link/folder'),
    files.emptyBeneath(adam.worktree, 'link/folder'),
    files.copy(join(adam.worktree, 'README.md'), join(adam.worktree, 'link/folder/file')),
    files.sync(join(adam.repo.path, 'README.md'), join(adam.worktree, 'link/folder/file'), adam.worktree),
  ];
  await Promise.allSettled(outcomes);
  expect(await files.entries(join(adam.worktree, 'link/folder'))).toEqual([]);
  await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  expect(readFileSync(join(precious, 'folder/file'), 'utf8')).toBe('precious');
});

walledTest.for([
  ['full', 'reached'],
  ['none', 'ECONNREFUSED'],
] as const)('with network = "%s", a service on loopback is %s', async ([network, outcome]) => {
  await using adam = await walledWorker({ network });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const script = `require("net").connect(${port}, "127.0.0.1").on("connect", () => { console.log("reached"); process.exit() }).on("error", (error) => console.log(error.code))`;
  const { text } = await adam.agent(`node -e '${script}'`);
  server.close();
  expect(text.trim()).toBe(outcome);
});
