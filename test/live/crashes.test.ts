import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import { commitsOf, deliveriesOf, historyOf, movesOf, openGate, promptsGiven, reaches, story, untilOpen } from '../support/agent-side.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { CONTINUE_PROMPT } from '../support/prompts.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
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
  expect(globSync(join(makeLayout(world.root).scratch('adam'), 'conversations', '*'))).toHaveLength(1);
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
  execFileSync('tmux', ['-S', makeLayout(world.root).tmuxSocket, 'kill-session', '-t', '=llmc-adam']);
  await until('another agent', async () => historyOf(world, 'adam', 'exit').length > 0);
  expect(historyOf(world, 'adam', 'exit').map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^the agent ended \(the tmux session is gone\): .*; resuming its conversation/),
  ]);
  await until('the prompt to continue', async () => promptsGiven(world, 'adam').length === 2);
  expect(await world.worker('adam')).toMatchObject({ crash_count: 1 });
});

test('a sender whose worker fails is told at once why, and its prompt says the truth and arrives once when the worker is back', async () => {
  const config = '[recovery]\nmax_crashes = 1\n[delivery]\ndebounce_base_ms = 10000\nmax_debounce_ms = 10000\n';
  await using world = await llmcWorld({ workers: ['adam'], config });
  const pid = await world.panePid('adam');
  const sending = world.run(['message', 'adam', 'Add a note', '--timeout', '10m']);
  // The box of its last frame holds the whole prompt, which llmc must not take for a box that takes an Enter.
  const capture = ['-S', makeLayout(world.root).tmuxSocket, 'capture-pane', '-p', '-t', '=llmc-adam:'];
  await until('the prompt to be in the box', async () => execFileSync('tmux', capture, { encoding: 'utf8' }).includes('Add a note'));
  process.kill(pid, 'SIGKILL');
  expect(await sending).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/AGENT_CRASHED.*stays queued for adam\. The .* in a row/),
  });
  const rows = deliveriesOf(world, 'adam');
  expect(rows, story(world, 'adam')).toMatchObject([{ state: 'typed', submitted_ms: null, reason: '{"kind":"not_running"}' }]);
  expect(await world.ok('message', 'adam', '--list')).toMatch(/Add a note {2}waits: the agent is not running/);
  expect(await world.ok('why', 'adam')).toMatch(/“Add a note” is held[\s\S]*agent is not running/i);
  // Only the first prompt needs the long pause, in which its agent is killed.
  const settings = join(world.root, 'config.toml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('debounce_base_ms = 10000', 'debounce_base_ms = 150'));
  await world.ok('message', 'adam', 'Add another one');
  await until('both to arrive', async () => promptsGiven(world, 'adam').length >= 2);
  await reaches(world, 'adam', 'needs_review');
  expect(promptsGiven(world, 'adam'), story(world, 'adam')).toEqual(['Add a note', 'Add another one']);
});

/** Continues when the test opens the gate, and commits its prompt. */
const GATED = `turns:
${['first', 'second', 'third'].map((gate) => `  - { when: the ${gate}, steps: [${untilOpen(gate)}, { edit: { path: ${gate}.md, content: done } }, { commit: the ${gate} }] }`).join('\n')}
`;

test('an agent that is killed, alone or with tmux, before it has resumed its conversation keeps it; a refusal by the agent starts a new one with what is open', async () => {
  await using world = await llmcWorld({
    workers: ['adam'],
    scenario: { adam: GATED },
    config: '[recovery]\ncrash_backoff_secs = [0]\n',
  });
  const scenario = (text: string) => writeFileSync(join(world.scenarios, 'adam.yaml'), text);
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', makeLayout(world.root).tmuxSocket, ...args], { encoding: 'utf8' });
  const again = async (end: () => Promise<void>) => {
    const before = await world.panePid('adam');
    await end();
    await until('the next start', async () => {
      const pid = await world.panePid('adam').catch(() => before);
      return pid !== before && isAlive(pid);
    });
  };
  const kill = async () => void process.kill(await world.panePid('adam'), 'SIGKILL');
  const conversations = () => globSync(join(makeLayout(world.root).scratch('adam'), 'conversations', '*'));

  for (const [gate, second] of [
    ['first', kill],
    ['second', async () => void tmux('kill-server')],
  ] as const) {
    await world.ok('message', 'adam', `do the ${gate}`);
    scenario(`misbehave: [{ slow_start: 600000 }]\n${GATED}`);
    await again(kill);
    scenario(GATED);
    await again(second);
    openGate(world, gate);
    await reaches(world, 'adam', 'needs_review');
  }
  expect(conversations(), story(world, 'adam')).toHaveLength(1);
  const before = ['do the first', CONTINUE_PROMPT, 'do the second', CONTINUE_PROMPT];
  expect(promptsGiven(world, 'adam')).toEqual(before);

  // A link to nothing: llmc does not follow it, and the agent does not find its conversation.
  await world.ok('message', 'adam', 'do the third');
  const [record = ''] = conversations();
  renameSync(record, record.replace('.jsonl', '.kept.jsonl'));
  symlinkSync(`${record}.gone`, record);
  await kill();
  openGate(world, 'third');
  await reaches(world, 'adam', 'needs_review');
  rmSync(record);
  const [first, ...others] = promptsGiven(world, 'adam').slice(before.length + 1);
  expect([first, ...others]).toEqual([expect.stringContaining('with only what is still open')]);
  expect(first).toMatch(/do the third$/);
  expect(first).not.toMatch(/do the (?:first|second)/);
  expect(await world.ok('why', 'adam')).toMatch(/At .* its conversation \S+ was given up: the agent does not have its conversation/);
});
