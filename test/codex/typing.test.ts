import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PATIENT } from '../support/agent-world.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
/** Each worker commits its own file, so that landings do not conflict. */
const commits = (message: string): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd: `echo "${message}" >> "${message}.txt" && git add --all && git commit -qm "${message}"` },
});

/** Texts that Codex would run as a command or swallow, and texts that only look like it. */
const ODD: readonly string[] = [
  '/foo bar',
  '!touch ran-as-shell',
  'have a look at @README.md',
  'what is $HOME',
  '/etc/hostname is a path',
  'quit',
  '? why',
  '1',
  'ends with a backslash \\',
  'tab\there, é 日本 🙂',
  `first line\n\n  indented\nlast line ${'x'.repeat(300)}`,
  `a long one\n${Array.from({ length: 700 }, (_, index) => `line ${index} of a long text`).join('\n')}`,
];

describe.skipIf(program === undefined)('the real Codex on the keyboard channel', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['whole', 'again', 'esc', 'early', 'now', 'victim', 'odd'], channel: 'typing', config: PATIENT });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string, prompt: string) => world.ok('start', '--worker', worker, '--prompt', prompt);
  const requestText = (worker: string, nth: number) => JSON.stringify(world.api.requests(worker).at(nth)?.body);
  const tasks = (worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
  const settled = async (worker: string) =>
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
  const dialogs = z.object({ summary: z.string() });

  test.concurrent('a commit waits for review; after accept, the next task begins with an empty conversation', async () => {
    // llmc declined the new model by the text of the dialog. Codex did not ask about the folder or the hooks.
    const answered = world.rows(dialogs, "SELECT summary FROM history WHERE worker = 'whole' AND kind = 'dialog'");
    expect(answered.filter(({ summary }) => !summary.includes('Use existing model'))).toEqual([]);
    world.script('whole', commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await start('whole', 'Write about the sea');
    await world.reaches('whole', 'needs_review');
    expect(world.deliveries('whole')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'whole')));
    expect(await world.ok('review', 'whole')).toContain('+Add the sea');
    await world.ok('accept', 'whole');

    await start('whole', 'Write about the wind');
    await world.reaches('whole', 'needs_review');
    expect(requestText('whole', -1)).not.toContain('Write about the sea');
    expect(tasks('whole')).toEqual(['Write about the sea', 'Write about the wind']);
    expect(world.incarnation('whole')).toBe(1);
  });

  test.concurrent('a reject continues the same conversation', async () => {
    world.script('again', commits('First try'), OVER, commits('Second try'), OVER);
    await start('again', 'Try it');
    await world.reaches('again', 'needs_review');
    await world.ok('review', 'again');
    await world.ok('reject', '--worker', 'again', 'Once more, please');
    await world.reaches('again', 'needs_review');
    expect(requestText('again', -1)).toContain('Try it');
    expect(tasks('again')).toEqual(['Try it', expect.stringContaining('Once more, please')]);
  });

  test.concurrent('a person’s Esc ends the turn, even before the first word of the reply, and the next message arrives alone', async () => {
    const interrupt = async (worker: string, step: Step, shown: string) => {
      world.script(worker, step);
      await start(worker, 'Go on for ever');
      await world.until('the request', () => world.api.requests(worker).length === 1);
      await world.shows(worker, shown);
      await world.keys(worker, 'Escape');
      await world.reaches(worker, 'needs_input');
      expect((await world.worker(worker)).activity.kind).toBe('ready');
      await world.ok('message', worker, 'Something else', '--timeout', '120s');
      await settled(worker);
      expect(tasks(worker)).toEqual(['Go on for ever', 'Something else']);
      expect(world.incarnation(worker), await world.story(worker)).toBe(1);
    };
    await Promise.all([
      interrupt('esc', { kind: 'stall', text: 'I begin' }, 'I begin'),
      interrupt('early', { kind: 'hang' }, 'esc to interrupt'),
    ]);
  });

  test.concurrent('an urgent message interrupts the turn and arrives once', async () => {
    world.script('now', { kind: 'stall', text: 'I begin' }, OVER);
    await start('now', 'Go on for ever');
    await world.shows('now', 'I begin');
    await world.ok('message', 'now', 'Stop that', '--now');
    await settled('now');
    expect(tasks('now')).toEqual(['Go on for ever', 'Stop that']);
    expect(requestText('now', -1)).toContain('Go on for ever');
  });

  test.concurrent('a Codex killed in mid-turn resumes, gets one prompt to continue, and is cleared for the next task', async () => {
    world.script('victim', { kind: 'stall', text: 'I begin' }, commits('Finished after all'), OVER);
    await start('victim', 'Survive');
    await world.shows('victim', 'I begin');
    await world.waitForRecord('Survive');
    process.kill(await world.panePid('victim'), 'SIGKILL');
    await world.reaches('victim', 'needs_review');
    await settled('victim');
    expect(world.incarnation('victim')).toBe(2);
    expect(tasks('victim')).toEqual(['Survive', expect.stringContaining('is now resumed')]);
    expect(requestText('victim', 1)).toContain('Survive');

    await world.ok('accept', 'victim');
    process.kill(await world.panePid('victim'), 'SIGKILL');
    await world.until('the next agent process', async () => world.incarnation('victim') === 3);
    world.script('victim', commits('And lived'), OVER);
    await start('victim', 'Live on');
    await world.reaches('victim', 'needs_review');
    expect(requestText('victim', -1)).not.toContain('Survive');
  });

  test.concurrent('odd texts arrive as prompts, complete and once', async () => {
    await start('odd', 'begin');
    await world.reaches('odd', 'needs_input');
    for (const text of ODD) {
      await world.ok('message', 'odd', text, '--timeout', '120s');
      await settled('odd');
    }
    const sent = world.deliveries('odd').map(({ sent_text }) => sent_text);
    expect(world.received('odd')).toEqual(sent);
    const unwrapped = sent.slice(1).map((text) => text?.replace(/^Message:\n/, '').replace(/ \(end of message\)$/, ''));
    expect(unwrapped).toEqual(ODD);
    expect(world.deliveries('odd').every(({ attempt }) => attempt === 1)).toBe(true);
    expect(await world.gitIn(world.worktree('odd'), 'status', '--porcelain')).toBe('');
  });
});
