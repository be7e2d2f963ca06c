import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { layoutOf } from '../../src/store/layout.ts';
import { commitsOf, deliveriesOf, historyOf, movesOf, promptsGiven, reaches, story } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

/** Dies in the middle of its task until the file `calm` exists beside the root. */
const DYING = `
turns:
  - when: Add the parser
    steps:
      - edit: { path: parser.txt, content: "half\\n" }
      - run: test -e ../../../calm || kill -9 $PPID
      - edit: { path: parser.txt, append: "whole\\n" }
      - commit: Add the parser
  - when: Be careful
    steps: [{ edit: { path: careful.txt, content: "yes\\n" } }, { commit: Be careful }]
`;

test('three crashes in a row keep the conversation and need a person, and a message makes the worker continue its task', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: DYING });
  await world.ok('start', '--prompt', 'Add the parser');
  await reaches(world, 'adam', 'error');
  const failed = await world.worker('adam');
  expect(failed).toMatchObject({ crash_count: 3, attention: expect.stringContaining('llmc message adam "continue"') });
  // Every crash of the row left its last screen, and the second restart waited.
  const screens = globSync(join(world.root, 'logs', 'adam.screen-*.txt')).toSorted();
  expect(screens).toHaveLength(3);
  expect(failed.attention).toContain(screens.at(-1));
  expect(readFileSync(screens[0] ?? '', 'utf8')).toContain('demo agent');
  expect(historyOf(world, 'adam', 'exit').map(({ summary }) => summary)).toContainEqual(
    expect.stringMatching(/^the agent ended \(.*\); it starts again in 1[0-2]s: it crashed before$/),
  );
  const { last_crash_unix } = JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8')).workers.adam;
  // The crash must be between the last accepted prompt and the change to error.
  const [taken, givenUp] = ['delivery', 'status'].map((kind) => Math.floor((historyOf(world, 'adam', kind).at(-1)?.at ?? 0) / 1_000));
  expect(last_crash_unix).toBeGreaterThanOrEqual(taken ?? 0);
  expect(last_crash_unix).toBeLessThanOrEqual(givenUp ?? 0);

  writeFileSync(join(world.dir, 'calm'), '');
  await world.ok('message', 'adam', 'Be careful');
  await reaches(world, 'adam', 'needs_review');
  expect(await commitsOf(world, 'adam'), story(world, 'adam')).toEqual(['Add the parser', 'Be careful']);
  expect(readFileSync(join(world.worktree('adam'), 'parser.txt'), 'utf8')).toBe('half\nwhole\n');
  expect(movesOf(world, 'adam')).toEqual([
    'offline → idle (came_back)',
    'idle → working (assigned)',
    'working → error (failed)',
    'error → working (continued)',
    'working → needs_review (committed)',
  ]);
  expect(promptsGiven(world, 'adam').at(-1)).toBe('Be careful');
  // A second crash within seconds of a resume does not mean that the agent refused to resume.
  expect(globSync(join(layoutOf(world.root).scratch('adam'), 'conversations', '*'))).toHaveLength(1);
  expect(deliveriesOf(world, 'adam').map(({ state }) => state)).not.toContain('queued');
  expect(await world.worker('adam')).toMatchObject({ crash_count: 0, attention: expect.stringContaining('llmc review adam') });
});

// The test above has three crashes in a row; test/live/swarm.test.ts has an agent that crashes before the review of a person.
testOfFullRun(
  'work that waits for review stays reviewable when its agent crashes three times, and lands; the next task starts the agent again',
  async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    await world.ok('start', '--prompt', 'Add a note');
    await reaches(world, 'adam', 'needs_review');
    for (const _ of ['first', 'second']) {
      const pid = await world.panePid('adam');
      process.kill(pid, 'SIGKILL');
      // The worker has no agent for a moment between the two.
      await until('another agent', async () => (await world.panePid('adam').catch(() => pid)) !== pid);
    }
    process.kill(await world.panePid('adam'), 'SIGKILL');
    await until('the restarts to stop', async () => (await world.worker('adam')).attention?.includes('3 times in a row') === true);
    expect(await world.worker('adam')).toMatchObject({
      status: 'needs_review',
      crash_count: 3,
      attention: expect.stringContaining('llmc review adam'),
    });

    expect(await world.ok('review', 'adam', '--stat')).toContain('llmc-demo/adam.md');
    await world.ok('accept', 'adam');
    expect(await world.git('log', '--format=%s', 'main')).toBe('Add a note\nBegin');
    await world.ok('start', '--prompt', 'Add another note', '--wait');
    expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', crash_count: 0 });
  },
);

test('an exit counts as a crash, not as a failed start, when the agent ran for minutes before a new supervisor took it over', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.killSupervisor();
  {
    using database = new DatabaseSync(join(world.root, 'llmc.db'), { timeout: 30_000 });
    database.exec("UPDATE history SET at_ms = at_ms - 300000 WHERE kind = 'launch'");
  }
  await world.comeUp();
  process.kill(await world.panePid('adam'), 'SIGKILL');
  await until('the exit to be recorded', async () => historyOf(world, 'adam', 'exit').length > 0);
  expect(historyOf(world, 'adam', 'exit').at(-1)?.summary).toContain('the agent crashed');
});

test('a session that is gone without a trace is `not_found`; its agent starts again at once and continues', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: 'turns: [{ steps: [{ misbehave: stall }, { commit: Never }] }]' });
  await world.ok('start', '--prompt', 'Stay');
  execFileSync('tmux', ['-S', layoutOf(world.root).tmuxSocket, 'kill-session', '-t', '=llmc-adam']);
  await until('another agent', async () => historyOf(world, 'adam', 'exit').length > 0);
  expect(historyOf(world, 'adam', 'exit').map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^the agent ended \(the tmux session is gone\): .*; resuming its conversation/),
  ]);
  await until('the prompt to continue', async () => promptsGiven(world, 'adam').length === 2);
  expect(await world.worker('adam')).toMatchObject({ crash_count: 1 });
});
