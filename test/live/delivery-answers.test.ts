import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answersGiven,
  commitsOf,
  crowd,
  deliveriesOf,
  historyOf,
  longTurn,
  movesOf,
  openGate,
  promptsGiven,
  reaches,
  tasksGiven,
} from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';

const ASKS = `
trust_dialog: true
turns:
  - steps:
      - ask:
          question: Which database?
          choices: [PostgreSQL, SQLite]
          answers: { SQLite: [{ edit: { path: db.txt, content: sqlite } }], other: [{ edit: { path: db.txt, content: other } }] }
      - request_permission: { tool: Deploy, command: echo yes > allowed.txt }
      - ask: { question: What is it called?, free_text: true }
      - commit: All answered
`;
const REFUSED = `
turns:
  - steps:
      - request_permission: { tool: Deploy, command: echo yes > allowed.txt }
      - edit: { path: other.txt, content: done }
      - commit: Without it
`;

const TORN = `
turns:
  - steps: [{ ask: { question: Which database?, choices: [PostgreSQL, SQLite] } }, { edit: { path: db.txt, content: x } }, { commit: Asked }]
`;

/** Reads its keys later than llmc waits for the effect of one. */
const DEAF = `
turns:
  - misbehave: [{ slow_keys: 20000 }]
    steps: [{ ask: { question: Which database?, choices: [PostgreSQL, SQLite] } }, { edit: { path: db.txt, content: x } }, { commit: Asked late }]
`;

describe('answers and messages of a person', () => {
  let world: World;

  beforeAll(async () => {
    const stubborn = `misbehave: [ignore_interrupt]\n${longTurn('stubborn')}`;
    const sluggish = `misbehave: [{ slow_keys: 800 }]\n${REFUSED}`;
    world = await crowd(
      { asker: ASKS, denied: REFUSED, sluggish, torn: TORN, hasty: longTurn('hasty'), stubborn, deaf: DEAF },
      'skip_permissions = false',
    );
    await Promise.all(
      ['asker', 'denied', 'sluggish', 'torn', 'hasty', 'stubborn', 'deaf'].map((worker) =>
        world.ok('start', '--worker', worker, '--prompt', `The task of ${worker}`),
      ),
    );
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const asks = async (worker: string, what: RegExp) => {
    await until(`${worker} to ask ${what}`, async () => what.test((await world.worker(worker)).attention ?? ''));
    await world.ok('why', worker);
  };

  test('llmc answers the dialog at start-up by its text: the first choice would have ended the agent', () => {
    const keys = historyOf(world, 'asker', 'dialog').map(({ summary }) => summary);
    expect(keys).toEqual([
      expect.stringMatching(/trust the files.*move to "Yes, I trust this folder" \(Down\)/),
      expect.stringMatching(/trust the files.*confirm "Yes, I trust this folder" \(Enter\)/),
    ]);
    expect(historyOf(world, 'asker', 'launch')).toHaveLength(1);
  });

  test('answers go to the dialog that is open; a prompt waits for the last of them and arrives once', async () => {
    await asks('asker', /Which database\? \[PostgreSQL \/ SQLite\]/);
    expect(await world.worker('asker')).toMatchObject({ status: 'needs_input', activity: { kind: 'awaiting_question' } });
    expect(await world.ok('message', 'asker', 'And one thing more')).toContain('Queued for asker: a dialog is open: Which database?');
    expect((await world.worker('asker')).delivery).toMatchObject({ state: 'held', reason: 'a dialog is open: Which database?' });

    const refused = await world.refused(['answer', 'asker', 'MySQL']);
    expect(refused).toMatchObject({ status: 2, code: 'INVALID_ARGUMENT', hint: expect.stringContaining('PostgreSQL / SQLite') });
    expect(await world.refused(['answer', 'asker', '3'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(answersGiven(world, 'asker')).toEqual([]);

    expect(await world.ok('answer', 'asker', 'SQLite')).toContain('Answered "Which database?" of asker with "SQLite".');
    await asks('asker', /wants permission for Deploy: echo yes > allowed\.txt – Do you want to proceed\?/);
    expect(existsSync(join(world.worktree('asker'), 'allowed.txt'))).toBe(false);
    await world.ok('answer', 'asker', '1');
    await asks('asker', /What is it called\?/);
    await world.ok('answer', 'asker', 'It is; called "x" & $(y)');

    await reaches(world, 'asker', 'needs_review');
    expect(answersGiven(world, 'asker')).toEqual(['SQLite', 'It is; called "x" & $(y)']);
    expect(readFileSync(join(world.worktree('asker'), 'db.txt'), 'utf8')).toBe('sqlite');
    expect(readFileSync(join(world.worktree('asker'), 'allowed.txt'), 'utf8')).toBe('yes\n');
    expect(tasksGiven(world, 'asker')).toEqual(['The task of asker', 'And one thing more']);
    expect(await commitsOf(world, 'asker')).toEqual(['All answered', 'And one thing more']);
    expect(await world.refused(['answer', 'asker', '1'])).toMatchObject({ status: 2, code: 'INVALID_ARGUMENT' });
  });

  test('the question of an agent that was killed is kept; its answer is sent as a prompt, and to the dialog if the agent asks again', async () => {
    await asks('torn', /Which database\? \[PostgreSQL \/ SQLite\]/);
    process.kill(await world.panePid('torn'), 'SIGKILL');
    await until('the new start', async () => historyOf(world, 'torn', 'launch').length === 2);
    await until('the agent to be ready', async () => (await world.worker('torn')).activity?.kind === 'ready');
    expect(await world.worker('torn')).toMatchObject({
      status: 'needs_input',
      attention: expect.stringMatching(/Which database\? \[PostgreSQL \/ SQLite\].*llmc answer torn/),
    });
    await world.ok('why', 'torn');
    expect(await world.refused(['answer', 'torn', '3'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(promptsGiven(world, 'torn')).toHaveLength(1);

    expect(await world.ok('answer', 'torn', '2')).toContain('Answered "Which database?" of torn with "SQLite".');
    // The demo agent does not understand an answer in a prompt, and asks again.
    await until('its dialog', async () => (await world.worker('torn')).activity?.kind === 'awaiting_question');
    expect(deliveriesOf(world, 'torn').at(-1)?.text).toMatch(/^You asked: Which database\?\n\n(?:.|\n)*The answer: SQLite\n/);
    await asks('torn', /Which database/);
    await world.ok('answer', 'torn', 'SQLite');
    await reaches(world, 'torn', 'needs_review');
    expect(answersGiven(world, 'torn')).toEqual(['SQLite']);
    expect(await commitsOf(world, 'torn')).toEqual(['Asked']);
    expect(deliveriesOf(world, 'torn').map(({ purpose }) => purpose)).toEqual(['task', 'message']);
  });

  test('a refused permission does not run the command', async () => {
    await asks('denied', /wants permission for Deploy/);
    expect(await world.worker('denied')).toMatchObject({ status: 'needs_input', activity: { kind: 'awaiting_permission' } });
    await world.ok('answer', 'denied', 'no');
    await reaches(world, 'denied', 'needs_review');
    expect(existsSync(join(world.worktree('denied'), 'allowed.txt'))).toBe(false);
    expect(await commitsOf(world, 'denied')).toEqual(['Without it']);
  });

  test('an agent that reads keys slowly gets no second Enter, which would approve the next dialog', async () => {
    await asks('sluggish', /wants permission for Deploy/);
    expect(historyOf(world, 'sluggish', 'delivery').filter(({ summary }) => summary.includes('Enter again'))).toEqual([]);
    expect(await world.worker('sluggish')).toMatchObject({ status: 'needs_input', activity: { kind: 'awaiting_permission' } });
    await world.ok('answer', 'sluggish', 'no');
    await reaches(world, 'sluggish', 'needs_review');
    expect(existsSync(join(world.worktree('sluggish'), 'allowed.txt'))).toBe(false);
    expect(tasksGiven(world, 'sluggish')).toEqual(['The task of sluggish']);
  });

  test('an answer without an effect on the screen is a failure, is not given again, and counts once when the agent reads it', async () => {
    await asks('deaf', /Which database\?/);
    expect(await world.refused(['answer', 'deaf', '1'])).toMatchObject({
      code: 'AGENT_BLOCKED',
      message: expect.stringContaining('the answer was sent once, and deaf still shows the same dialog'),
    });
    await reaches(world, 'deaf', 'needs_review');
    expect(historyOf(world, 'deaf', 'answer').map(({ summary }) => summary)).toEqual(['choose "PostgreSQL" (1)']);
    expect(answersGiven(world, 'deaf')).toEqual(['PostgreSQL']);
    expect(await commitsOf(world, 'deaf')).toEqual(['Asked late']);
  });

  test('message --now interrupts the turn, and the agent does it next, before the queued messages', async () => {
    const busy = 'Queued for hasty: the agent is busy';
    expect(await world.ok('message', 'hasty', 'First in line')).toContain(busy);
    expect(await world.ok('message', 'hasty', 'Second in line')).toContain(busy);
    expect(await world.ok('message', 'hasty', 'Stop and do this', '--now')).toBe('hasty has the message.\n');
    await reaches(world, 'hasty', 'needs_review');
    const after = ['Stop and do this', 'First in line', 'Second in line'];
    expect(tasksGiven(world, 'hasty')).toEqual(['The task of hasty', ...after]);
    // The next commit contains the edits of the interrupted turn.
    expect(await commitsOf(world, 'hasty')).toEqual(after);
    expect(movesOf(world, 'hasty').slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
    const once = { purpose: 'message', state: 'done', attempt: 1 };
    expect(deliveriesOf(world, 'hasty')).toMatchObject([{ state: 'done' }, once, once, once]);
  });

  test('message --now to an agent that cannot be interrupted waits for its turn to end', async () => {
    const sending = world.ok('message', 'stubborn', 'Stop and do this', '--now');
    await until('the interrupt to be tried', async () => historyOf(world, 'stubborn', 'interrupt').length === 1);
    expect(tasksGiven(world, 'stubborn')).toEqual(['The task of stubborn']);
    openGate(world, 'stubborn');
    await sending;
    await reaches(world, 'stubborn', 'needs_review');
    expect(tasksGiven(world, 'stubborn')).toEqual(['The task of stubborn', 'Stop and do this']);
    expect(await commitsOf(world, 'stubborn')).toEqual(['The long turn', 'Stop and do this']);
  });
});
