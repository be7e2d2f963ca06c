import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BY_AGENT, commitsOf, promptsGiven } from '../support/agent-side.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

// The agent waits in the middle of its task until the test opens the gate, so the speed of the machine does not matter.
const SLOW = `
turns:
  - when: be slow
    steps:
      - edit: { path: notes.txt, content: "half\\n" }
      - run: until [ -e "$HOME/gate" ]; do sleep 0.1; done
      - edit: { path: notes.txt, append: "whole\\n" }
      - commit: "{{task}}"
`;

const ASKS = `
turns:
  - steps:
      - ask: { question: Which database?, choices: [PostgreSQL, SQLite], answers: { SQLite: [{ edit: { path: db.txt, content: sqlite } }] } }
      - commit: "{{task}}"
`;

const delivery = z.object({
  purpose: z.string(),
  state: z.string(),
  sent_text: z.string(),
  acked_event: z.int().nullable(),
  ack_source: z.string().nullable(),
});

/** Expects that the agent accepted every prompt of the ledger once: each row has one report of the agent, and no other one. */
function expectDeliveredOnce(world: World, purposes: readonly string[]): void {
  const rows = world.rows(delivery, 'SELECT * FROM deliveries ORDER BY acked_ms');
  expect(rows.map(({ purpose }) => purpose)).toEqual(purposes);
  const event = z.object({ seq: z.int(), event: z.string().transform((text) => z.object({ text: z.string() }).parse(JSON.parse(text))) });
  const accepted = world.rows(event, "SELECT seq, event FROM events WHERE name = 'prompt_submit' ORDER BY seq");
  expect(accepted.map(({ event: { text } }) => text.trimEnd())).toEqual(rows.map(({ sent_text }) => sent_text.trimEnd()));
  for (const [index, { acked_event, ack_source, state }] of rows.entries()) {
    expect({ ack_source, state }).toEqual({ ack_source: BY_AGENT, state: 'done' });
    // Acknowledged by its record, a prompt gets its report with the next one.
    expect([accepted[index]?.seq, null]).toContain(acked_event);
  }
}

function openGate(world: World): void {
  world.write('gate', '', world.home);
}

async function untilHalfDone(world: World): Promise<void> {
  const notes = join(world.worktree('adam'), 'notes.txt');
  // The file exists before its text is written.
  await until('the agent to be in the middle', async () => existsSync(notes) && readFileSync(notes, 'utf8') === 'half\n');
}

const WAYS = [
  { how: 'llmc down', down: ['down'] },
  { how: 'llmc down --force', down: ['down', '--force'] },
];
// In each run test/live/down-force.test.ts has --force, and what was killed in the middle of a task continues in test/live/tmux-faults.test.ts.
test.for(rowsOfThisRun(WAYS, ({ how }) => how === 'llmc down'))(
  '$how in the middle of a task: after up the task continues and ends with one commit',
  async ({ down }) => {
    await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: SLOW });
    await world.ok('start', '--worker', 'adam', '--prompt', 'Take notes, be slow');
    await untilHalfDone(world);

    expect(await world.ok(...down)).toContain('Stopped adam, baker');
    await until('all processes to end', async () => world.processes().length === 0);
    const asleep = await world.status();
    expect(asleep.supervisor).toEqual({ running: false, pid: null, since_unix: null, stalled_since_unix: null });
    expect(asleep.workers).toMatchObject([
      { name: 'adam', status: 'offline', status_before_offline: 'working', current_prompt: 'Take notes, be slow' },
      { name: 'baker', status: 'offline', status_before_offline: 'idle' },
    ]);
    expect(readFileSync(join(world.worktree('adam'), 'notes.txt'), 'utf8')).toBe('half\n');

    await world.comeUp();
    openGate(world);
    await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
    expect(readFileSync(join(world.worktree('adam'), 'notes.txt'), 'utf8')).toBe('half\nwhole\n');
    expect(await world.gitIn(world.worktree('adam'), 'rev-list', '--count', 'origin/main..HEAD')).toBe('1');
    expectDeliveredOnce(world, ['task', 'continue']);
    expect(await world.worker('baker')).toMatchObject({ status: 'idle', attention: null });

    await world.ok('accept', 'adam');
    expect(await world.git('log', '--format=%s', 'main')).toBe('Take notes, be slow\nBegin');
  },
);

test('work that waits for review survives down and up, and can be accepted while nothing runs', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await Promise.all(
    ['adam', 'baker'].map((name) => world.ok('start', '--worker', name, '--prompt', `Note of ${name}`, '--wait', '--timeout', '90s')),
  );
  await world.ok('down');
  expect(await world.ok('accept', 'adam')).toContain('adam is offline and free for the next task.');
  expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Note of adam');
  expect(await world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'idle', current_prompt: null });

  await world.comeUp();
  expect((await world.status()).workers).toMatchObject([{ status: 'idle' }, { status: 'needs_review' }]);
  await world.ok('accept', 'baker');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Note of baker\nNote of adam\nBegin');
  expectDeliveredOnce(world, ['task', 'task']);
});

test('a message that waits for a busy agent survives down and up, and is delivered after the task', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: SLOW });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Take notes, be slow');
  await untilHalfDone(world);
  expect(await world.ok('message', 'adam', 'Also thank the reader')).toContain('Queued for adam: the agent is busy');
  expect((await world.worker('adam')).delivery).toMatchObject({ state: 'held', reason: 'the agent is busy' });
  await world.ok('down');
  await world.comeUp();
  openGate(world);
  await until('the message to be done', async () => (await world.worker('adam')).status === 'needs_review');
  expect(readFileSync(join(world.worktree('adam'), 'notes.txt'), 'utf8')).toBe('half\nwhole\n');
  expect(readFileSync(join(world.worktree('adam'), 'llmc-demo/adam.md'), 'utf8')).toContain('Also thank the reader');
  expectDeliveredOnce(world, ['task', 'continue', 'message']);
});

test('a question that was open at llmc down is kept, and the task continues with the answer', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: ASKS });
  const asked = () =>
    until('the dialog', async () => {
      const { status, activity } = await world.worker('adam');
      return status === 'needs_input' && activity.kind === 'awaiting_question';
    });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Choose a database');
  await asked();
  await world.ok('down');
  await world.comeUp();
  expect(await world.worker('adam')).toMatchObject({
    status: 'needs_input',
    activity: { kind: 'ready' },
    attention: expect.stringMatching(/Which database\? \[PostgreSQL \/ SQLite\].*llmc answer adam/),
  });
  expect(promptsGiven(world, 'adam')).toHaveLength(1);
  await world.ok('why', 'adam');
  await world.ok('answer', 'adam', 'SQLite');
  // The demo agent does not understand an answer in a prompt, and asks again.
  await asked();
  await world.ok('why', 'adam');
  await world.ok('answer', 'adam', 'SQLite');
  await until('the commit', async () => (await world.worker('adam')).status === 'needs_review');
  expect(readFileSync(join(world.worktree('adam'), 'db.txt'), 'utf8')).toBe('sqlite');
  expect(await commitsOf(world, 'adam')).toEqual(['Choose a database']);
  expectDeliveredOnce(world, ['task', 'message']);
});

test('down reports what it stopped: the supervisor alone, or nothing', async () => {
  await using world = await llmcWorld({});
  expect(existsSync(join(world.root, 'llmc.db-wal'))).toBe(true);
  expect(await world.ok('down')).toBe('Stopped the supervisor; no worker was running.\n');
  // SQLite removes the log when the last connection is closed: who copies the root now has all of it in llmc.db.
  expect(existsSync(join(world.root, 'llmc.db-wal'))).toBe(false);
  expect(await world.ok('down')).toBe('Nothing was running.\n');
  const start = ['start', '--prompt', 'x', '--root', world.root];
  expect((await world.refused(start)).hint).toBe('llmc up --detach');
  expect((await world.refused(start, { env: { LLMC_ROOT: undefined } })).hint).toBe(`llmc --root ${world.root} up --detach`);
});
