import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENT } from '../support/agent-world.ts';
import { isFullRun, rowsOfThisRun } from '../support/full-run.ts';
import { type ScratchTmux, scratchTmux } from '../support/scratch-tmux.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

/** Something that a person opens in the terminal of an agent: each entry of `opens` is typed or pressed once the text before it is on the screen. */
interface Thing {
  readonly kind: string;
  readonly opens: readonly (readonly [press: readonly string[], shows: string])[];
  /** How it is closed; null where llmc needs nobody. */
  readonly closes: readonly string[] | null;
  readonly attention: RegExp;
}

const THINGS: readonly Thing[] = [
  {
    kind: 'menu',
    opens: [
      [['/config'], '/config'],
      [['Enter'], 'Auto-compact'],
    ],
    // The first leaves the search field.
    closes: ['Escape', 'Escape'],
    attention: /a menu is open in its terminal: Settings.*press Esc until.*llmc attach/,
  },
  { kind: 'transcript', opens: [[['C-o'], 'Showing detailed transcript']], closes: ['C-o'], attention: /transcript view.*press Ctrl\+O/ },
  { kind: 'shell', opens: [[['!'], '! for shell mode']], closes: ['Escape'], attention: /shell mode.*press Esc/ },
  // llmc may continue it before a test sees it suspended: the moments below are certain.
  { kind: 'suspended', opens: [[['C-z'], '']], closes: null, attention: /never/ },
  { kind: 'split', opens: [[['C-b', '"'], '']], closes: null, attention: /never/ },
  { kind: 'window', opens: [[['C-b', 'c'], '']], closes: null, attention: /never/ },
];

interface Row extends Thing {
  readonly worker: string;
  readonly leaves: boolean;
}

const ALL: readonly Row[] = THINGS.flatMap((thing) => [
  { ...thing, worker: `${thing.kind}-left`, leaves: true },
  { ...thing, worker: `${thing.kind}-seen`, leaves: false },
]);
/** The other rows repeat these with another thing, or with a person who stays. */
const ROWS = rowsOfThisRun(ALL, ({ worker }) => ['menu-left', 'suspended-left', 'split-seen'].includes(worker));

/** A supervisor dies at `fault`, so that llmc does not see what a person does next: a Ctrl+Z, and then the keys that it would have pressed. */
interface Moment {
  readonly name: string;
  readonly text: string;
  readonly fault: string;
  /** The agent reads its keys only when they are all there. */
  readonly late?: true;
  readonly presses?: 'paste' | 'Enter';
}

const SECOND = 'the second\n\n- with a list\n- of two lines';
const TALL = Array.from({ length: 80 }, (_, line) => `line ${line} of a tall prompt`).join('\n');
const WIDE = Array.from({ length: 1_500 }, (_, word) => `word-${word}`).join(' ');

const MOMENTS: readonly Moment[] = [
  { name: 'before the paste', text: SECOND, fault: 'delivery:after-typed-row', presses: 'paste' },
  { name: 'before a paste that fills the screen', text: TALL, fault: 'delivery:after-typed-row', presses: 'paste' },
  // The terminal drops the end of such a line, so it is emptied and typed again.
  { name: 'before the paste of a long line', text: WIDE, fault: 'delivery:after-typed-row', presses: 'paste' },
  { name: 'just before the paste', text: SECOND, fault: 'delivery:after-paste', late: true },
  { name: 'behind the paste', text: SECOND, fault: 'delivery:after-paste' },
  { name: 'before the Enter', text: SECOND, fault: 'delivery:after-submitted-row', presses: 'Enter' },
  { name: 'just before the Enter', text: SECOND, fault: 'delivery:after-submitted-row', late: true, presses: 'Enter' },
  { name: 'behind the Enter', text: SECOND, fault: 'delivery:after-enter' },
];
/** The other moments differ from these in the length of the text, or find the agent with all its keys. */
const MOMENTS_HERE = rowsOfThisRun(MOMENTS, ({ name }) => ['before the paste', 'before the Enter'].includes(name));

describe.skipIf(program === undefined)('a prompt for a Claude Code in whose terminal a person opened something', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  let desk: ScratchTmux;
  beforeAll(async () => {
    desk = await scratchTmux();
    opening = claudeWorld({ workers: [...ROWS.map(({ worker }) => worker), 'between'], config: PATIENT });
    world = await opening;
  });
  afterAll(async () => {
    await desk[Symbol.asyncDispose]();
    await (await opening)[Symbol.asyncDispose]();
  });

  const attach = async (worker: string, name = worker) => {
    const argv = [process.execPath, COMMAND, 'attach', worker] as const;
    const person = await desk.start({ name, argv: [...argv], cwd: world.dir, env: world.env, width: 120, height: 50 });
    await person.waitFor('the terminal of the agent', ({ lines }) => lines.filter((line) => line !== '').length > 5, 120_000);
    await world.tmux('set-option', '-t', `=llmc-${worker}:`, 'assume-paste-time', '0');
    return person;
  };
  const over = (worker: string) =>
    world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));

  test.concurrent.for(ROWS)(
    'is taken once, or a person is told what to close: $worker',
    async ({ kind, worker, opens, closes, attention, leaves }) => {
      await world.ok('start', '--worker', worker, '--prompt', 'the first', '--timeout', '120s');
      await over(worker);
      const person = await attach(worker);
      for (const [press, shows] of opens) {
        await person.keys(...press);
        await person.waitFor(shows, ({ lines }) => lines.some((line) => line.includes(shows)), 120_000);
      }
      if (leaves) {
        await person.keys('C-b', 'd');
        await person.exit();
      }
      const sent = await world.run(['message', worker, 'the second', '--timeout', '120s']);
      expect(sent.status, sent.stderr).toBe(0);
      if (closes !== null) {
        expect(sent.stdout).toMatch(/Queued/);
        await world.until(
          `${worker} to hold the prompt`,
          async () => (await world.worker(worker)).delivery?.reason_kind === 'something_open',
        );
        // The person is told after a minute: src/supervisor/deliver/waiting-watch.test.ts shows that in each run.
        if (isFullRun) {
          await world.until(`a person to be told about ${worker}`, async () =>
            attention.test((await world.worker(worker)).attention ?? ''),
          );
          expect(await world.worker(worker)).toMatchObject({ status: 'needs_input', attention_kind: 'prompt_waits' });
        }
        const closer = leaves ? await attach(worker, `${worker}-again`) : person;
        for (const key of closes) {
          const before = (await closer.screen()).lines.join('\n');
          await closer.keys(key);
          await closer.waitFor(`an effect of ${key}`, ({ lines }) => lines.join('\n') !== before, 120_000);
        }
      }
      await over(worker);
      const texts = world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
      expect(texts, await world.story(worker)).toEqual(['the first', 'the second']);
      const attempt = kind === 'suspended' ? {} : { attempt: 1 };
      expect(world.deliveries(worker)).toMatchObject([{ attempt: 1 }, { ...attempt, ack_source: 'hook' }]);
      if (kind === 'suspended') expect(await world.ok('why', worker, '--full')).toContain('suspended with Ctrl+Z');
      expect((await world.worker(worker)).attention_kind).not.toBe('prompt_waits');
    },
  );

  const paste = async (worker: string, text: string) => {
    const file = join(world.dir, 'pasted');
    writeFileSync(file, text);
    await world.tmux('load-buffer', '-b', 'pasted', file);
    await world.tmux('paste-buffer', '-p', '-r', '-d', '-b', 'pasted', '-t', `=llmc-${worker}:`);
  };
  const suspend = async (worker: string) => {
    await world.keys(worker, 'C-z');
    await world.shows(worker, 'has been suspended');
  };

  test.for(MOMENTS_HERE)('is taken once, when Ctrl+Z is pressed $name', async ({ text, fault, late, presses }) => {
    const worker = 'between';
    if (world.deliveries(worker).length === 0) await world.ok('start', '--worker', worker, '--prompt', 'the first', '--timeout', '120s');
    await over(worker);
    const before = world.received(worker).length;
    const pid = Number(await world.tmux('display-message', '-p', '-t', `=llmc-${worker}:`, '#{pane_pid}'));
    const supervisor = await world.arm(fault);
    if (late && presses === undefined) {
      process.kill(pid, 'SIGSTOP');
      await world.keys(worker, 'C-z');
    }
    await world.run(['message', worker, text]);
    await world.untilDead(supervisor);
    if (late && presses !== undefined) process.kill(pid, 'SIGSTOP');
    if (!late) await suspend(worker);
    else if (presses !== undefined) await world.keys(worker, 'C-z');
    if (presses === 'paste') await paste(worker, text);
    if (presses === 'Enter') await world.keys(worker, 'Enter');
    if (late) process.kill(pid, 'SIGCONT');
    await world.up();
    await over(worker);
    expect(world.received(worker).slice(before), await world.story(worker)).toEqual([text]);
    // Of a text whose end is not read yet, the box is emptied, and the text is typed again.
    expect(world.deliveries(worker).at(-1)).toMatchObject({ ack_source: 'hook' });
    expect(await world.ok('why', worker, '--full')).toContain('suspended with Ctrl+Z');
  });
});
