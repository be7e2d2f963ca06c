import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const bash = (command: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'Bash',
  input: { command, description: 'Work', ...more },
});
/** Each in a file of its own: what one test lands must not conflict with the work of another. */
const commits = (message: string): Step => {
  const file = `${message.replaceAll(' ', '-')}.txt`;
  return bash(`echo "${message}" > ${file} && git add ${file} && git commit -qm "${message}"`);
};

const WORKERS = ['whole', 'asker', 'again', 'esc', 'early', 'now', 'rash', 'back', 'victim'];

describe.skipIf(program === undefined)('a task for the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({ workers: rowsOfThisRun(WORKERS, (name) => name !== 'again' && name !== 'rash') });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string, prompt: string) => world.ok('start', '--worker', worker, '--prompt', prompt);
  const requestText = (worker: string, nth: number) => JSON.stringify(world.requests(worker).at(nth)?.body.messages);
  const tasks = (worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
  const settled = async (worker: string) =>
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
  const dialogs = z.object({ summary: z.string() });

  test.concurrent('an edit and a commit wait for review; after accept, the next task begins with an empty conversation', async () => {
    // llmc answered the trust dialog by its text. On a busy machine its second drawing may come under the Enter, and it starts again.
    const answered = world.rows(dialogs, "SELECT summary FROM history WHERE worker = 'whole' AND kind = 'dialog'");
    expect(answered.length).toBeGreaterThanOrEqual(2);
    expect(answered.filter(({ summary }) => !summary.includes('"Yes, I trust this folder"'))).toEqual([]);
    world.script('whole', commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await start('whole', 'Write about the sea');
    const born = world.incarnation('whole');
    await world.reaches('whole', 'needs_review');
    // Claude Code writes its transcript with a delay.
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'whole')));
    expect(await world.ok('review', 'whole')).toContain('+Add the sea');
    await world.ok('accept', 'whole');
    expect(await world.worker('whole')).toMatchObject({ status: 'idle', activity: { kind: 'ready' } });

    await start('whole', 'Write about the wind');
    await world.reaches('whole', 'needs_review');
    expect(requestText('whole', -1)).not.toContain('Write about the sea');
    expect(tasks('whole')).toEqual(['Write about the sea', 'Write about the wind']);
    expect(world.incarnation('whole')).toBe(born);
    expect(await world.git('log', '--format=%s', 'main')).toContain('Add the sea');
  });

  test.concurrent('a turn without a commit needs input, and so does a question; the answer continues the task', async () => {
    await start('asker', 'Think about it');
    await world.reaches('asker', 'needs_input');
    expect((await world.worker('asker')).attention).toMatch(/without a commit/);
    expect(await world.ok('review', 'asker')).toContain('its work is not finished');

    const options = ['Blue', 'Green'].map((label) => ({ label, description: `The ${label} one` }));
    const questions = [{ question: 'Which colour?', header: 'Colour', multiSelect: false, options }];
    world.script('asker', { kind: 'tool', name: 'AskUserQuestion', input: { questions } }, commits('Paint it'), OVER);
    await world.ok('message', 'asker', 'Paint it');
    await world.reaches('asker', 'needs_input');
    expect((await world.worker('asker')).attention).toMatch(/Which colour\?.*Blue \/ Green.*llmc answer asker/);
    await world.ok('why', 'asker');
    await world.ok('answer', 'asker', 'Green');
    await world.reaches('asker', 'needs_review');
    expect(requestText('asker', 2)).toContain('Green');
    expect(tasks('asker')).toEqual(['Think about it', 'Paint it']);

    await world.ok('accept', 'asker', '--yes');
    const text = `# Green\n\n${'It is the colour of the sea. '.repeat(500)}\n- and of *grass*`;
    world.script('asker', { kind: 'text', text });
    await world.ok('start', 'asker', '--expect', 'answer', 'Why green?');
    await world.reaches('asker', 'needs_review');
    const answered = z.object({ kind: z.literal('answer'), answer: z.object({ text: z.string(), source: z.literal('message') }) });
    expect(answered.parse(JSON.parse(await world.ok('review', 'asker', '--json'))).answer.text).toBe(text);
    await world.ok('dismiss', 'asker');
    expect(await world.worker('asker')).toMatchObject({ status: 'idle' });
  });

  // In each run in test/claude/sandbox-user.test.ts.
  testOfFullRun('a reject continues the same conversation', async () => {
    world.script('again', commits('First try'), OVER, commits('Second try'), OVER);
    await start('again', 'Try it');
    await world.reaches('again', 'needs_review');
    await world.ok('review', 'again');
    await world.ok('reject', '--worker', 'again', 'Once more, please');
    await world.reaches('again', 'needs_review');
    expect(requestText('again', -1)).toContain('Try it');
    expect(tasks('again')).toEqual(['Try it', expect.stringContaining('Once more, please')]);
    expect(await world.ok('review', 'again')).toContain('Second try');
  });

  test.concurrent('a person’s Esc ends the turn, even before the first word of the reply, and the next message arrives alone', async () => {
    const interrupt = async (worker: string, step: Step, shown: string) => {
      world.script(worker, step);
      await start(worker, 'Go on for ever');
      const born = world.incarnation(worker);
      await world.until('the request', () => world.requests(worker).length === 1);
      await world.shows(worker, shown);
      await world.keys(worker, 'Escape');
      await world.reaches(worker, 'needs_input');
      expect((await world.worker(worker)).activity.kind).toBe('ready');
      await world.ok('message', worker, 'Something else', '--timeout', '120s');
      await settled(worker);
      expect(tasks(worker)).toEqual(['Go on for ever', 'Something else']);
      expect(world.incarnation(worker), await world.story(worker)).toBe(born);
    };
    await Promise.all([
      interrupt('esc', { kind: 'stall', text: 'I begin' }, 'I begin'),
      // Claude Code then puts the prompt back into its box.
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

  // The test above interrupts a turn with a message, and the one of Esc before the first word of the reply.
  testOfFullRun('an urgent message before the first word of the reply does not lose the task', async () => {
    world.script('rash', { kind: 'hang' }, OVER);
    await start('rash', 'Build the house');
    await world.until('the request', () => world.requests('rash').length === 1);
    await world.ok('message', 'rash', 'In brick', '--now');
    await settled('rash');
    // Claude Code had removed the first prompt from the conversation.
    expect(tasks('rash')).toEqual(['Build the house', 'Build the house\n\nIn brick']);
    expect(requestText('rash', -1)?.split('Build the house')).toHaveLength(2);
  });

  test.concurrent('a background task keeps the worker working until the task is over', async () => {
    const flag = join(world.dir, 'flag');
    world.script('back', bash(`while [ ! -e ${flag} ]; do sleep 0.1; done`, { run_in_background: true }), {
      kind: 'text',
      text: 'It runs in the background.',
    });
    await start('back', 'Run it in the background');
    await world.until('the turn to end', () => world.requests('back').length === 2);
    await world.until('its end to be recorded', async () => (await world.ok('why', 'back', '--full')).includes('Stop (incarnation 1)'));
    expect(await world.worker('back')).toMatchObject({ status: 'working', activity: { kind: 'processing' } });
    world.script('back', commits('After the background'), OVER);
    world.write('flag', '', world.dir);
    await world.reaches('back', 'needs_review');
    expect(existsSync(flag)).toBe(true);
  });

  test.concurrent('a Claude Code killed in mid-turn resumes its conversation and gets one prompt to continue', async () => {
    world.script('victim', { kind: 'stall', text: 'I begin' }, commits('Finished after all'), OVER);
    await start('victim', 'Survive');
    const born = world.incarnation('victim');
    await world.shows('victim', 'I begin');
    // Claude Code writes its transcript with a delay; before that there is nothing to resume.
    const records = join(world.isolated.configDir, 'projects', '*victim', '*.jsonl');
    await world.until('the record of the prompt', () => globSync(records).some((file) => readFileSync(file, 'utf8').includes('Survive')));
    process.kill(await world.panePid('victim'), 'SIGKILL');
    await world.reaches('victim', 'needs_review');
    await settled('victim');
    expect(world.incarnation('victim'), await world.story('victim')).toBe(born + 1);
    expect(tasks('victim')).toEqual(['Survive', expect.stringContaining('is now resumed')]);
    expect(requestText('victim', 1)).toContain('Survive');
    expect(await world.gitIn(world.worktree('victim'), 'log', '--format=%s', 'origin/main..')).toBe('Finished after all');
  });
});
