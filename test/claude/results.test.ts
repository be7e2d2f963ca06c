import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownRepository } from '../../src/git/private/place.ts';
import { giveFile, installForAll } from '../support/for-all-users.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { scratchUser, userTest } from '../support/scratch-user.ts';
import { walledTest } from '../support/walled-test.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, type ClaudeWorldOptions, claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const bash = (command: string): Step => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } });
/** As an agent does that looks at nothing: everything in the worktree. */
const commitsAll = bash('echo sea > sea.txt && git add --all && git commit -qm "Add the sea"');
const result = (world: ClaudeWorld, file = 'findings.md') => join(world.worktree('adam'), '.llmc-task/out', file);
const writes = (world: ClaudeWorld, content: string): Step => ({
  kind: 'tool',
  name: 'Write',
  input: { file_path: result(world), content },
});
const text = (world: ClaudeWorld) => readFileSync(result(world), 'utf8');

/** A root whose git ignores the folder of results, as with runs. */
async function opened(options: Omit<ClaudeWorldOptions, 'workers'> = {}): Promise<ClaudeWorld> {
  const world = await claudeWorld({ ...options, workers: ['adam'], stage: 'root' });
  appendFileSync(join(ownRepository(world.root, 'adam'), 'info/exclude'), '/.llmc-task/\n');
  return world;
}

async function leavesAndCorrects(world: ClaudeWorld): Promise<void> {
  const shell = bash('echo "done: 1" > .llmc-task/out/progress.yaml');
  world.script('adam', writes(world, 'first\n'), shell, commitsAll, OVER, writes(world, 'second\n'), OVER);
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write .llmc-task/out/findings.md');
  await world.reaches('adam', 'needs_review');
  expect([text(world), readFileSync(result(world, 'progress.yaml'), 'utf8')]).toEqual(['first\n', 'done: 1\n']);
  expect(await world.ok('review', 'adam')).toMatch(/^1 commit, 1 file, \+1 -0$/m);

  await world.ok('message', 'adam', 'The result is not usable yet: correct it');
  await world.until('the corrected result', () => text(world) === 'second\n');
  expect(JSON.stringify(world.requests('adam').at(-1)?.body.messages)).toContain('Write .llmc-task/out/findings.md');
}

describe.skipIf(program === undefined)('a result of the real Claude Code', () => {
  test('is written by its tools, stays out of its commits, and is corrected in the same conversation', async () => {
    await using world = await opened();
    await world.up();
    await leavesAndCorrects(world);
    expect(await world.gitIn(world.worktree('adam'), 'status', '--porcelain', '--ignored')).toBe('!! .llmc-task/');
  });

  walledTest('is written in a sandbox of bubblewrap', async () => {
    await using world = await opened({ config: '[sandbox]\nkind = "bubblewrap"\n' });
    await world.up();
    await leavesAndCorrects(world);
  });

  userTest('is written as a user of its own', async () => {
    using user = scratchUser();
    const config = `[sandbox]\nkind = "user"\nuser = "${user.name}"\n`;
    await using world = await opened({ config, env: { CLAUDE_CODE_TMPDIR: '/tmp' } });
    installForAll(world, program ?? '');
    giveFile(user, join(world.isolated.configDir, '.claude.json'), '.claude.json');
    await world.up();
    await leavesAndCorrects(world);
  });

  // 2.1.325 starts in its automatic mode.
  const modes = [
    ['automatic', [], 'ready'],
    ['manual', ['--permission-mode', 'manual'], 'awaiting_permission'],
    ['manual with a rule', ['--permission-mode', 'manual', '--allowedTools', 'Edit(.llmc-task/**)'], 'ready'],
  ] as const;
  // In the manual mode it asks before every other tool, too: test/claude/guards.test.ts has that dialog in each run.
  test.for(rowsOfThisRun(modes, ([mode]) => mode !== 'manual'))(
    'without skip_permissions, in the mode "%s"',
    async ([, args, activity]) => {
      await using world = await opened({ skipPermissions: false, args });
      await world.up();
      world.script('adam', writes(world, 'text\n'), OVER);
      await world.ok('start', '--worker', 'adam', '--prompt', 'Write it');
      await world.reaches('adam', 'needs_input');
      expect((await world.worker('adam')).activity.kind).toBe(activity);
      expect(existsSync(result(world))).toBe(activity === 'ready');
    },
  );

  const moments = [
    ['while the model answers', { kind: 'stall', text: 'I begin' }],
    ['while a command runs', bash('echo I begin; sleep 600')],
  ] as const;
  // In test/claude/tasks.test.ts an urgent message interrupts the model in each run.
  test.for(rowsOfThisRun(moments, ([when]) => when === 'while a command runs'))(
    'is saved within 30 s after an interrupt %s',
    async ([, step]) => {
      await using world = await opened();
      await world.up();
      world.script('adam', step, writes(world, 'half\n'), OVER);
      await world.ok('start', '--worker', 'adam', '--prompt', 'Go on for ever');
      await world.shows('adam', step.kind === 'stall' ? 'I begin' : 'sleep 600');
      await world.ok('message', 'adam', 'Save what you have to .llmc-task/out/findings.md now', '--now');
      await world.until('the saved result', () => existsSync(result(world)) && text(world) !== '');
      expect(text(world)).toBe('half\n');
      expect(JSON.stringify(world.requests('adam').at(-1)?.body.messages)).toContain('Go on for ever');
    },
  );
});
