import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo } from '../../test/support/scratch-repo.ts';
import { scratchWork } from '../../test/support/scratch-work.ts';
import type { Processes } from '../base/ports.ts';
import { parseConfig } from '../config/parse.ts';
import { requireRoot } from '../supervisor/ownership/require-root.ts';
import { systemClock } from '../system/clock.ts';
import { initRoot } from './init-root.ts';

/** Calls `then` when the clone has begun. */
function whenCloning({ processes }: ScratchRepo, then: () => void): Processes {
  return {
    run(command, options) {
      const running = processes.run(command, options);
      if (command.args.includes('clone')) then();
      return running;
    },
  };
}

const init = (repo: ScratchRepo, processes: Processes, signal: AbortSignal) =>
  initRoot(
    { source: repo.path, target: join(repo.dir, 'deep', 'er', 'root'), agent: 'demo', branch: undefined },
    { processes, clock: systemClock, say: () => undefined, signal },
  );

test('an init that is interrupted ends its git and leaves nothing behind, not even the folders above the root', async () => {
  await using repo = await scratchRepo();
  const stop = new AbortController();
  const processes = whenCloning(repo, () => stop.abort());
  await expect(init(repo, processes, stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await readdir(repo.dir)).toSorted()).toEqual(['home', 'source']);
});

test('an init that succeeds leaves the root and nothing beside it', async () => {
  await using repo = await scratchRepo();
  await init(repo, repo.processes, new AbortController().signal);
  expect(await readdir(join(repo.dir, 'deep', 'er'))).toEqual(['root']);
});

test('of two at once, the second to finish is told that the root is there, and leaves the first one as it is', async () => {
  await using repo = await scratchRepo();
  const never = new AbortController().signal;
  const overtaken: Processes = {
    async run(command, options) {
      if (command.args.includes('clone')) await init(repo, repo.processes, never);
      return await repo.processes.run(command, options);
    },
  };
  const place = join(repo.dir, 'deep', 'er');
  await expect(init(repo, overtaken, never)).rejects.toMatchObject({
    code: 'ROOT_EXISTS',
    message: `${join(place, 'root')} is an llmc root already`,
  });
  expect(await readdir(place)).toEqual(['root']);
  expect(await readdir(join(place, 'root'))).toContain('config.toml');
});

test('without a git identity it says who commits, and the commands it gives set another one', async () => {
  await using repo = await scratchRepo({ identity: false });
  const { root, warnings } = await init(repo, repo.processes, new AbortController().signal);
  const warning = warnings.find((line) => line.includes('llmc <llmc@localhost>'));
  expect(warning).toContain('Set yours: git -C ');
  execFileSync('sh', ['-c', warning?.split('Set yours: ')[1] ?? 'false'], { env: { PATH: process.env.PATH, HOME: repo.dir } });
  expect(await repo.run(['var', 'GIT_COMMITTER_IDENT'], root)).toContain('Your Name <you@example.com>');
});

test('in a root that lost its config.toml it writes the file again, with every worker, and touches nothing else', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo' } });
  const { repo, context } = work;
  await rm(context.layout.config);
  const before = await readFile(context.layout.state, 'utf8');
  const again = { source: undefined, target: context.layout.root, agent: undefined, branch: undefined };
  const ports = { processes: repo.processes, clock: systemClock, say: () => undefined, signal: new AbortController().signal };
  expect(await initRoot(again, ports)).toMatchObject({ rebuilt: true, source: repo.path, branch: 'main', agent: 'demo' });
  expect(parseConfig(await readFile(context.layout.config, 'utf8'), 'config.toml')).toMatchObject({
    repo: { source: repo.path, branch: 'main' },
    workers: { adam: {} },
  });
  expect(await readFile(context.layout.state, 'utf8')).toBe(before);
  await expect(initRoot(again, ports)).rejects.toMatchObject({ code: 'ROOT_EXISTS' });
});

test('what an interrupted removal left of a root is refused with the directory to remove, by init and by every other command', async () => {
  await using work = await scratchWork();
  const { repo, context } = work;
  const { layout } = context;
  await rm(layout.config);
  await rm(join(layout.root, '.git'), { recursive: true });
  const refusal = expect.objectContaining({
    code: 'ROOT_NOT_FOUND',
    message: expect.stringContaining('holds only remains'),
    hint: expect.stringContaining(`rm -r '${layout.root}'`),
  });
  expect(() => requireRoot(layout)).toThrow(refusal);
  const again = { source: undefined, target: layout.root, agent: undefined, branch: undefined };
  const ports = { processes: repo.processes, clock: systemClock, say: () => undefined, signal: new AbortController().signal };
  await expect(initRoot(again, ports)).rejects.toEqual(refusal);
});

/** A machine on which bubblewrap answers like this, and no other user can be had. */
function withBubblewrap({ processes }: ScratchRepo, outcome: 'works' | 'missing' | 'refused'): Processes {
  return {
    async run(command, options) {
      if (command.file !== 'bwrap' && command.file !== 'setpriv') return await processes.run(command, options);
      if (outcome === 'works') return await processes.run({ file: 'true', args: [] }, options);
      if (outcome === 'missing') return await processes.run({ file: '/nowhere/bwrap', args: [] }, options);
      return await processes.run({ file: 'sh', args: ['-c', 'echo "bwrap: No permissions" >&2; exit 1'] }, options);
    },
  };
}

test('--hardened writes a sandbox that llmc demands, and a list of variables', async () => {
  await using repo = await scratchRepo();
  const target = join(repo.dir, 'root');
  const ports = {
    processes: withBubblewrap(repo, 'works'),
    clock: systemClock,
    say: () => undefined,
    signal: new AbortController().signal,
  };
  const result = await initRoot({ source: repo.path, target, agent: 'claude', branch: undefined, hardened: true }, ports);
  expect(result.sandbox).toBe('bubblewrap');
  const { sandbox } = parseConfig(await readFile(join(target, 'config.toml'), 'utf8'), 'config.toml');
  expect(sandbox).toMatchObject({ kind: 'bubblewrap', required: true, network: 'hosts', home: 'hidden', hosts: [] });
  expect(sandbox.environment).toContain('ANTHROPIC_API_KEY');
});

test.each([
  ['missing', 'bubblewrap is not installed'],
  ['refused', 'bubblewrap cannot make a sandbox: bwrap: No permissions'],
] as const)('--hardened is refused where bubblewrap is %s, and leaves nothing behind', async (outcome, problem) => {
  await using repo = await scratchRepo();
  const target = join(repo.dir, 'root');
  const ports = {
    processes: withBubblewrap(repo, outcome),
    clock: systemClock,
    say: () => undefined,
    signal: new AbortController().signal,
  };
  const refused = initRoot({ source: repo.path, target, agent: 'demo', branch: undefined, hardened: true }, ports);
  await expect(refused).rejects.toMatchObject({
    code: 'SANDBOX_FAILED',
    message: expect.stringContaining(problem),
    hint: expect.stringContaining('llmc init'),
  });
  expect((await readdir(repo.dir)).toSorted()).toEqual(['home', 'source']);
});
