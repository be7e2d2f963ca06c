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
  { kind: 'suspended', opens: [[['C-z'], 'the first']], closes: null, attention: /never/ },
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
const ROWS = rowsOfThisRun(ALL, ({ worker }) => ['menu-left', 'suspended-left', 'split-seen', 'window-left'].includes(worker));

describe.skipIf(program === undefined)('a prompt for a Claude Code in whose terminal a person opened something', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  let desk: ScratchTmux;
  beforeAll(async () => {
    desk = await scratchTmux();
    opening = claudeWorld({ workers: ROWS.map(({ worker }) => worker), config: PATIENT });
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
      expect(world.deliveries(worker)).toMatchObject([{ attempt: 1 }, { attempt: 1, ack_source: 'hook' }]);
      if (kind === 'suspended') expect(await world.ok('why', worker, '--full')).toContain('suspended with Ctrl+Z');
      expect((await world.worker(worker)).attention_kind).not.toBe('prompt_waits');
    },
  );
});
