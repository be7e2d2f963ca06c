import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo, scratchRoot, withEnvironment } from '../../test/support/scratch-repo.ts';
import { LlmcError } from '../base/error.ts';
import type { Finished, Processes, ProcessOutcome } from '../base/ports.ts';
import { findRefusal } from '../base/refusal.ts';
import { commandLine } from '../base/shell-quote.ts';
import { systemProcesses } from '../system/processes/processes.ts';
import { ownRepository } from './private/place.ts';
import { complaint, gitCommand, openGit, read, splitZ, write } from './run.ts';
import { reconnect } from './worktree/worktree.ts';

function answering(outcome: ProcessOutcome, rest: Partial<Finished> = {}): Processes {
  return { run: async (command) => ({ command, outcome, stdout: '', stderr: '', truncated: false, ...rest }) };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the command', () => {
  test('names the directory to git and takes no optional lock when it only reads', () => {
    const command = gitCommand(read('/repo', 'status'));
    expect(command).toMatchObject({ file: 'git', args: ['-C', '/repo', 'status'], cwd: '/' });
    expect(command.env).toMatchObject({ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', LC_ALL: 'C' });
    expect(command).not.toHaveProperty('stdin');
  });

  test('leaves locks alone when it writes', () => {
    expect(gitCommand(write('/repo', 'fetch')).env).not.toHaveProperty('GIT_OPTIONAL_LOCKS');
  });

  test('removes what a hook would have pointed at another repository', () => {
    const { env = {} } = gitCommand(read('/repo', 'status'));
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_PREFIX']) {
      expect(Object.hasOwn(env, name), name).toBe(true);
      expect(env[name], name).toBeUndefined();
    }
  });

  test('lets a call set its own index', () => {
    expect(gitCommand({ ...write('/repo', 'add'), env: { GIT_INDEX_FILE: '/tmp/i' } }).env).toMatchObject({ GIT_INDEX_FILE: '/tmp/i' });
  });
});

describe('failures', () => {
  test('a missing git is GIT_NOT_FOUND with a hint', async () => {
    const git = openGit(answering({ kind: 'not-started', reason: 'ENOENT', missing: true }));
    await expect(git.run(read('/', '--version'))).rejects.toMatchObject({
      code: 'GIT_NOT_FOUND',
      hint: expect.stringContaining('Install git'),
    });
  });

  test.each<[ProcessOutcome, string]>([
    [{ kind: 'timeout' }, 'GIT_FAILED'],
    [{ kind: 'signaled', signal: 'SIGKILL' }, 'GIT_FAILED'],
    [{ kind: 'aborted' }, 'CANCELLED'],
    [{ kind: 'not-started', reason: 'EACCES', missing: false }, 'GIT_FAILED'],
  ])('%o is %s', async (outcome, code) => {
    await expect(openGit(answering(outcome)).run(read('/', 'status'))).rejects.toMatchObject({ code });
  });

  test('output that was cut is never parsed', async () => {
    const git = openGit(answering({ kind: 'exited', status: 0 }, { truncated: true }));
    await expect(git.run(read('/', 'log'))).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  test('ok() carries the stderr and names the subcommand behind -c options', async () => {
    const git = openGit(answering({ kind: 'exited', status: 128 }, { stderr: 'warning: x\nfatal: no way\n' }));
    const error = await failureOf(git.ok(write('/repo', '-c', 'a.b=c', 'merge', 'x')));
    expect(error).toBeInstanceOf(LlmcError);
    expect(error).toMatchObject({ code: 'GIT_FAILED', message: 'git merge failed in /repo: no way', details: 'warning: x\nfatal: no way' });
  });

  test.each([
    ['error: unable to write file a: No space left on device', 'disk_full', 'df -h /repo'],
    ["fatal: Unable to create '/repo/.git/index.lock': Read-only file system", 'read_only', 'findmnt -T /repo'],
    ['fatal: no way', undefined, undefined],
  ])('%s is a refusal of the system: %j', async (stderr, refusal, command) => {
    const git = openGit(answering({ kind: 'exited', status: 128 }, { stderr }));
    const error = await failureOf(git.ok(write('/repo', 'add')));
    expect(findRefusal(error)).toBe(refusal);
    if (command !== undefined)
      expect(error).toMatchObject({
        message: expect.stringMatching(/^git add failed in \/repo: the /),
        hint: expect.stringContaining(command),
        details: stderr,
      });
  });

  test('a lock left behind is named in the hint', async () => {
    const stderr = "fatal: Unable to create '/r/.git/index.lock': File exists.\n";
    const git = openGit(answering({ kind: 'exited', status: 128 }, { stderr }));
    await expect(git.ok(write('/r', 'add'))).rejects.toMatchObject({ hint: expect.stringContaining('/r/.git/index.lock') });
  });

  test.each([
    [
      'fatal: bad config line 1 in file /r/a b/.git/config',
      'git cannot read /r/a b/.git/config. Fix it, or move /r/a b away, then try again.',
    ],
    [
      "fatal: bad numeric config value 'zz' for 'core.repositoryformatversion' in file /r/sub/.git/config: invalid unit",
      'git cannot read /r/sub/.git/config. Fix it, or move /r/sub away, then try again.',
    ],
    ['fatal: bad config line 3 in file /home/u/.gitconfig', 'git cannot read /home/u/.gitconfig. Fix it, then try again.'],
  ])('%s: the hint says what to do', async (stderr, hint) => {
    const git = openGit(answering({ kind: 'exited', status: 128 }, { stderr: `${stderr}\n` }));
    await expect(git.ok(read('/r', 'status'))).rejects.toMatchObject({ code: 'GIT_FAILED', hint });
  });
});

test('an agent that damages its repository leaves a way out that keeps its files', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const taken = await repo.commit('Work', { 'a.txt': 'taken in\n' }, at);
  await repo.write('b.txt', 'new\n', at);
  const agent = openGit(repo.processes);
  await agent.ok(write(at, 'add', 'b.txt'));
  await agent.ok(write(at, 'commit', '--quiet', '-m', 'Not taken in'));
  const own = ownRepository(root, 'adam');
  const tree = (await agent.ok(read(at, 'rev-parse', 'HEAD^{tree}'))).trim();
  await rm(join(own, 'objects', tree.slice(0, 2), tree.slice(2)));
  await expect(repo.git.ok(read(at, 'status', '--porcelain'))).rejects.toMatchObject({
    hint: expect.stringContaining(`llmc down, then: ${commandLine('rm', '-rf', '--', own)}, then: llmc up --detach`),
  });
  await rm(own, { recursive: true });
  await reconnect(repo.git, root, at);
  expect(await repo.run(['rev-parse', 'HEAD'], at)).toBe(taken);
  expect(await repo.git.ok(read(at, 'status', '--porcelain'))).toBe('?? b.txt\n');
});

test('a git that met a half-written worktree is asked again, but not one that would make a worktree', async () => {
  const stderr = 'fatal: failed to read .git/worktrees/hugo/commondir: Success\n';
  let runs = 0;
  const processes: Processes = {
    run: async (command) => {
      runs += 1;
      const outcome: ProcessOutcome = { kind: 'exited', status: runs % 3 === 0 ? 0 : 128 };
      return { command, outcome, stdout: '', stderr: outcome.status === 0 ? '' : stderr, truncated: false };
    },
  };
  expect((await openGit(processes).run(read('/r', 'worktree', 'list'))).status).toBe(0);
  expect(runs).toBe(3);
  expect((await openGit(processes).run(write('/r', 'worktree', 'add', 'x'))).status).toBe(128);
  expect(runs).toBe(4);
});

test('complaint prefers the fatal line', () => {
  expect(complaint('hint: a\nerror: b\nfatal: c\n')).toBe('c');
  expect(complaint('\nerror: b\n')).toBe('b');
  expect(complaint('plain\n')).toBe('plain');
});

test('splitZ keeps names with line feeds and drops only the last terminator', () => {
  expect(splitZ('a\nb\0c d\0')).toEqual(['a\nb', 'c d']);
  expect(splitZ('')).toEqual([]);
});

describe('with a real git', () => {
  test('a repository named by the inherited environment is not used', async () => {
    await using repo = await scratchRepo();
    const poisoned = openGit(withEnvironment(systemProcesses, { ...repo.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' }));
    expect((await poisoned.ok(read(repo.path, 'rev-parse', '--git-dir'))).trim()).toBe('.git');
  });

  test('a worktree without its .git file is not taken for the root it lies in', async () => {
    await using repo = await scratchRepo();
    const { root, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await rm(join(path, '.git'));
    const git = openGit(repo.processes);
    const answer = await git.run(read(path, 'rev-parse', '--show-toplevel'));
    expect(answer.status).toBe(128);
    expect((await git.run({ ...read(path, 'rev-parse', '--git-dir'), discover: true })).stdout.trim()).toBe(join(root, '.git'));
  });

  test('a directory below a repository is not taken for it unless asked', async () => {
    await using repo = await scratchRepo();
    await mkdir(join(repo.path, 'below'));
    expect((await repo.git.run(read(join(repo.path, 'below'), 'status'))).status).toBe(128);
  });
});
