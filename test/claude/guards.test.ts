import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PATIENT } from '../support/agent-world.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
const DRAFT = 'half a thought';
const note = z.object({ summary: z.string() });

/** A permission that is given is in test/claude/adapter.test.ts in each run. */
const CHOICES = rowsOfThisRun(
  [
    { worker: 'permit', choice: '1', made: true },
    { worker: 'refuse', choice: 'No', made: false },
  ],
  ({ worker }) => worker === 'refuse',
);

describe.skipIf(program === undefined)('a prompt for a Claude Code that cannot take one now', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    const workers = [...CHOICES.map(({ worker }) => worker), 'ask', 'draft', 'scroll', 'rubbish', 'person'];
    opening = claudeWorld({ workers, skipPermissions: false, args: ['--permission-mode', 'manual'], config: PATIENT });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const held = async (worker: string, reason: RegExp) => {
    await world.until(`the prompt for ${worker} to be held: ${reason}`, async () => {
      const { delivery } = await world.worker(worker);
      return delivery?.state === 'held' && reason.test(delivery.reason ?? '');
    });
    expect((await world.ok('why', worker)).match(/held.*/)?.[0]).toMatch(reason);
  };
  const received = (worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
  /** Waits until all turns are over, so that nothing more can arrive. */
  const gotThese = async (worker: string, ...texts: readonly string[]) => {
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
    expect(received(worker)).toEqual(texts);
    expect(world.deliveries(worker)).toMatchObject(texts.map(() => ({ attempt: 1, ack_source: 'hook' })));
  };

  test.concurrent.for(CHOICES)(
    'waits behind a permission dialog and neither approves nor refuses it ($worker)',
    async ({ worker, choice, made }) => {
      const file = join(world.worktree(worker), 'made');
      world.script(worker, { kind: 'tool', name: 'Bash', input: { command: `touch ${file}`, description: 'Make a file' } });
      await world.ok('start', '--worker', worker, '--prompt', 'the first');
      await world.reaches(worker, 'needs_input');
      expect((await world.worker(worker)).attention).toMatch(/wants permission for Bash.*llmc answer/);

      expect(await world.ok('message', worker, 'the second')).toMatch(/Queued.*dialog is open/);
      await held(worker, /dialog is open/);
      expect(existsSync(file)).toBe(false);
      expect(received(worker)).toEqual(['the first']);
      // Claude Code reports a dialog before it draws it.
      await world.shows(worker, 'Do you want to proceed?');

      await world.ok('why', worker);
      await world.ok('answer', worker, choice);
      await gotThese(worker, 'the first', 'the second');
      expect(existsSync(file)).toBe(made);
    },
  );

  test.concurrent('waits behind a question and does not answer it', async () => {
    const options = ['PostgreSQL', 'SQLite'].map((label) => ({ label, description: `Use ${label}` }));
    const questions = [{ question: 'Which database?', header: 'Database', multiSelect: false, options }];
    world.script('ask', { kind: 'tool', name: 'AskUserQuestion', input: { questions } }, { kind: 'text', text: 'Thanks.' });
    await world.ok('start', '--worker', 'ask', '--prompt', 'the first');
    await world.reaches('ask', 'needs_input');
    expect((await world.worker('ask')).attention).toMatch(/Which database\?.*PostgreSQL \/ SQLite.*llmc answer/);

    expect(await world.ok('message', 'ask', 'the second')).toMatch(/Queued.*Which database/);
    await held('ask', /dialog is open: Which database\?/);
    expect(world.requests('ask')).toHaveLength(1);

    await world.ok('why', 'ask');
    await world.ok('answer', 'ask', 'sqlite');
    await gotThese('ask', 'the first', 'the second');
    const answered = JSON.stringify(world.requests('ask')[1]?.body.messages.at(-1));
    expect(answered).toContain('SQLite');
    expect(answered).not.toContain('the second');
  });

  test.concurrent('waits for a person’s draft, and neither sends nor erases it', async () => {
    await world.type('draft', DRAFT);
    await world.shows('draft', DRAFT);
    const sending = world.ok('start', '--worker', 'draft', '--prompt', 'the first', '--timeout', '120s');
    await held('draft', /a draft is in the input box/);
    // Capture again after Claude Code has redrawn the screen.
    await world.until('the screen to be redrawn', async () => (await world.ok('why', 'draft', '--full')).includes('redrawing the screen'));
    await world.shows('draft', DRAFT);
    expect(world.requests('draft')).toEqual([]);

    await world.keys('draft', ...Array.from(DRAFT, () => 'BSpace'));
    await sending;
    await gotThese('draft', 'the first');
  });

  test.concurrent('is not typed into a pane that was left in copy mode', async () => {
    await world.tmux('copy-mode', '-t', '=llmc-scroll:');
    await world.ok('start', '--worker', 'scroll', '--prompt', 'the first', '--timeout', '120s');
    await gotThese('scroll', 'the first');
    expect(await world.ok('why', 'scroll', '--full')).toContain('leaving copy mode');
  });

  test.concurrent('makes Claude Code redraw a screen that something wrote over', async () => {
    const tty = (await world.tmux('display-message', '-p', '-t', '=llmc-rubbish:', '#{pane_tty}')).trim();
    const height = Number(await world.tmux('display-message', '-p', '-t', '=llmc-rubbish:', '#{pane_height}'));
    writeFileSync(tty, [5, 4, 3, 2, 1, 0].map((up) => `\u001b[${height - up};1Hrubbish all over`).join(''));
    await world.ok('start', '--worker', 'rubbish', '--prompt', 'the first', '--timeout', '120s');
    await gotThese('rubbish', 'the first');
    expect(await world.ok('why', 'rubbish', '--full')).toContain('redrawing the screen');
  });

  test.concurrent('waits while a person is attached and typing, or reads in copy mode', async () => {
    await using terminal = await scratchTmux();
    const argv = [process.execPath, COMMAND, 'attach', 'person'] as const;
    const person = await terminal.start({ name: 'person', argv: [...argv], cwd: world.dir, env: world.env, width: 120, height: 30 });
    await person.waitFor('Claude Code', ({ lines }) => lines.some((line) => line.includes('Claude Code')), 120_000);
    const sending = world.ok('start', '--worker', 'person', '--prompt', 'the first', '--timeout', '120s');
    let typed = 0;
    // Read the history: some seconds after each key the reason changes to the draft.
    const reasons = () => world.rows(note, "SELECT summary FROM history WHERE worker = 'person' AND kind = 'delivery'");
    await world.until('the prompt to be held for the person', async () => {
      await person.type('a');
      typed += 1;
      return reasons().some(({ summary }) => summary.endsWith('held: a person is typing in the terminal'));
    });
    // Send tmux's keys for copy mode right after the others: a longer pause would let the prompt go out in between.
    await world.tmux('set-option', '-t', '=llmc-person:', 'assume-paste-time', '0');
    await person.keys(...Array.from({ length: typed }, () => 'BSpace'), 'C-b', '[');
    await held('person', /copy mode/);
    expect(world.requests('person')).toEqual([]);
    await person.keys('q');
    await sending;
    await gotThese('person', 'the first');
  });
});
