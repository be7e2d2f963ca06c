import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownRepository } from '../../src/git/private/place.ts';
import { giveFile, installForAll } from '../support/for-all-users.ts';
import { scratchUser, userTest } from '../support/scratch-user.ts';
import { walledTest } from '../support/walled-test.ts';
import { type CodexWorld, type CodexWorldOptions, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string): Step => ({ kind: 'tool', name: 'exec_command', input: { cmd } });
/** As an agent does that looks at nothing: everything in the worktree. */
const commitsAll = exec('echo sea > sea.txt && git add --all && git commit -qm "Add the sea"');
const FILE = '.llmc-task/out/findings.md';
const result = (world: CodexWorld, file = 'findings.md') => join(world.worktree('adam'), '.llmc-task/out', file);
const adds = (line: string): Step => patch(`*** Add File: ${FILE}\n+${line}`);
const changes = (from: string, to: string): Step => patch(`*** Update File: ${FILE}\n@@\n-${from}\n+${to}`);
const patch = (body: string): Step => ({ kind: 'freeform', name: 'apply_patch', input: `*** Begin Patch\n${body}\n*** End Patch` });
/** By default Codex 0.166.0 leaves a command in the background after 10 s. */
const RUNS: Step = { kind: 'tool', name: 'exec_command', input: { cmd: 'touch begun; sleep 600', yield_time_ms: 30_000 } };
const text = (world: CodexWorld) => readFileSync(result(world), 'utf8');

/** A root whose git ignores the folder of results, as with runs. */
async function opened(options: Omit<CodexWorldOptions, 'workers'> = {}): Promise<CodexWorld> {
  const world = await codexWorld({ ...options, workers: ['adam'], stage: 'root' });
  appendFileSync(join(ownRepository(world.root, 'adam'), 'info/exclude'), '/.llmc-task/\n');
  return world;
}

async function leavesAndCorrects(world: CodexWorld): Promise<void> {
  const shell = exec('echo "done: 1" > .llmc-task/out/progress.yaml');
  world.script('adam', adds('first'), shell, commitsAll, OVER, changes('first', 'second'), OVER);
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write .llmc-task/out/findings.md');
  await world.reaches('adam', 'needs_review');
  expect([text(world), readFileSync(result(world, 'progress.yaml'), 'utf8')]).toEqual(['first\n', 'done: 1\n']);
  expect(await world.ok('review', 'adam')).toMatch(/^1 commit, 1 file, \+1 -0$/m);

  await world.ok('message', 'adam', 'The result is not usable yet: correct it');
  await world.until('the corrected result', () => text(world) === 'second\n');
  expect(JSON.stringify(world.requests('adam').at(-1)?.body)).toContain('Write .llmc-task/out/findings.md');
}

describe.skipIf(program === undefined)('a result of the real Codex', () => {
  test.for(['auto', 'typing'] as const)(
    'is written by its tools with channel = "%s", stays out of its commits, and is corrected',
    async (channel) => {
      await using world = await opened({ channel });
      await world.up();
      await leavesAndCorrects(world);
      expect(await world.gitIn(world.worktree('adam'), 'status', '--porcelain', '--ignored')).toBe('!! .llmc-task/');
    },
  );

  walledTest('is written in a sandbox of bubblewrap', async () => {
    await using world = await opened({ config: '[sandbox]\nkind = "bubblewrap"\n' });
    await world.up();
    await leavesAndCorrects(world);
  });

  userTest('is written as a user of its own', async () => {
    using user = scratchUser();
    await using world = await opened({ config: `[sandbox]\nkind = "user"\nuser = "${user.name}"\n` });
    installForAll(world, program ?? '');
    giveFile(user, join(world.isolated.codexHome, 'config.toml'), '.codex/config.toml');
    await world.up();
    await leavesAndCorrects(world);
  });

  test('is written in the sandbox of Codex itself, without skip_permissions', async () => {
    await using world = await opened({ skipPermissions: false });
    await world.up();
    world.script('adam', adds('first'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write it');
    await world.until('the result', () => existsSync(result(world)));
  });

  test.for([
    ['auto', 'while the model answers', { kind: 'stall', text: 'I begin' }],
    ['auto', 'while a command runs', RUNS],
    ['typing', 'while the model answers', { kind: 'stall', text: 'I begin' }],
    ['typing', 'while a command runs', RUNS],
  ] as const)('is saved within 30 s after an interrupt, channel = "%s", %s', async ([channel, , step]) => {
    await using world = await opened({ channel });
    await world.up();
    world.script('adam', step, adds('half'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Go on for ever');
    await world.until('the turn to be under way', () =>
      step.kind === 'stall' ? world.requests('adam').length === 1 : existsSync(join(world.worktree('adam'), 'begun')),
    );
    await world.ok('message', 'adam', 'Save what you have to .llmc-task/out/findings.md now', '--now');
    await world.until('the saved result', () => existsSync(result(world)) && text(world) !== '');
    expect(text(world)).toBe('half\n');
    expect(JSON.stringify(world.requests('adam').at(-1)?.body)).toContain('Go on for ever');
  });
});
