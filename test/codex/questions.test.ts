import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { byMarks, inWords, viewOf } from '../support/view-answers.ts';
import { codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const asks = (...questions: readonly object[]): Step => ({ kind: 'tool', name: 'request_user_input', input: { questions } });
const beyond = (cmd: string): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, sandbox_permissions: 'require_escalated', justification: 'it has to be' },
});
const option = (label: string) => ({ label, description: `It is ${label.toLowerCase()}` });
const COLOUR = { id: 'colour', header: 'Colour', question: 'Which colour?', options: [option('Blue'), option('Green')] };
const SIZE = { id: 'size', header: 'Size', question: 'How big?', options: [option('Small'), option('Large')] };

/** Otherwise 0.166.0 asks in Plan mode only, which a person chooses in the viewer. */
const MAY_ASK = ['-c', 'features.default_mode_request_user_input=true'];

describe.skipIf(program === undefined)('a question of the real Codex on the protocol channel', () => {
  test('is shown with its choices, survives a restart of llmc, and is answered with llmc answer', async () => {
    await using world = await codexWorld({ workers: ['one', 'many'], skipPermissions: false, args: MAY_ASK });
    const attention = async (worker: string) => (await world.worker(worker)).attention;
    const lastRequest = (worker: string) => JSON.stringify(world.api.requests(worker).at(-1)?.body);
    world.script('one', asks(COLOUR), OVER);
    world.script('many', asks(COLOUR, SIZE), OVER);
    for (const worker of ['one', 'many']) await world.ok('start', '--worker', worker, '--prompt', 'Ask me');
    await world.reaches('one', 'needs_input');
    await world.until('the question', async () => /Which colour\?.*Blue.*Green.*llmc answer one/.test((await attention('one')) ?? ''));
    expect(await world.worker('one')).toMatchObject({ activity: { kind: 'awaiting_question', source: 'protocol' } });

    process.kill((await world.status()).supervisor.pid ?? 0, 'SIGKILL');
    await world.until('the supervisor to be gone', async () => !(await world.status()).supervisor.running);
    await world.up();
    await world.until('the question again', async () => /Which colour\?/.test((await attention('one')) ?? ''));
    await world.ok('why', 'one');
    await world.ok('answer', 'one', 'green');
    await world.until('the answer', () => world.api.requests('one').length === 2);
    expect(lastRequest('one')).toContain('Green');

    const open = async (question: string) => {
      await world.until(question, async () => (await world.worker('many')).asks?.question === question);
      await world.ok('why', 'many');
      return (await world.worker('many')).asks;
    };
    expect(await open('Which colour?')).toMatchObject({ choices: ['Blue', 'Green'] });
    const first = (await world.worker('many')).asks?.id ?? '';
    expect(await world.refused(['answer', 'many', '7'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await world.ok('answer', 'many', '1', '--to', first)).toContain('It now asks: How big?');
    expect(world.api.requests('many'), 'the answers go out together').toHaveLength(1);
    expect(await world.refused(['answer', 'many', '1', '--to', first])).toMatchObject({ code: 'DIALOG_CHANGED' });
    expect(await open('How big?')).toMatchObject({ choices: ['Small', 'Large'] });
    const both = await Promise.all(['as big as a house', 'as big as a house'].map((choice) => world.run(['answer', 'many', choice])));
    expect(both.map(({ status }) => status).sort()).toEqual([0, 2]);
    await world.until('the answers', () => world.api.requests('many').length === 2);
    expect(lastRequest('many')).toMatch(/Blue.*as big as a house/);
    for (const worker of ['one', 'many'])
      await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
  });

  test('a permission and a form, by number and by label, from the view, and by two answers at once', async () => {
    await using world = await codexWorld({ workers: ['typed', 'viewed'], skipPermissions: false, args: MAY_ASK });
    await using outside = await scratchTmux();
    const lastRequest = (worker: string) => JSON.stringify(world.api.requests(worker).at(-1)?.body);
    const requested = async (worker: string, count: number) =>
      await world.until(`request ${count} of ${worker}`, () => world.api.requests(worker).length >= count);
    const open = async (worker: string, question: RegExp) => {
      await world.until(`${worker} to ask ${question}`, async () => question.test((await world.worker(worker)).asks?.question ?? ''));
      await world.ok('why', worker);
      return (await world.worker(worker)).asks;
    };
    const made = (name: string) => join(world.isolated.home, name);
    world.script('typed', beyond(`touch ${made('one')}`), beyond(`touch ${made('two')}`), beyond(`touch ${made('three')}`), OVER);
    world.script('viewed', asks(COLOUR, SIZE), beyond(`touch ${made('four')}`), OVER);
    for (const worker of ['typed', 'viewed']) await world.ok('start', '--worker', worker, '--prompt', 'Ask me');

    expect(await open('typed', /touch .*one/)).toMatchObject({ tool: 'Bash', choices: expect.arrayContaining(['Yes, proceed']) });
    const both = await Promise.all(['1', '1'].map((choice) => world.run(['answer', 'typed', choice])));
    expect(both.map(({ status }) => status).sort()).toEqual([0, 2]);
    const second = await open('typed', /touch .*two/);
    expect(
      ['one', 'two'].map((name) => existsSync(made(name))),
      'the second permission is still open',
    ).toEqual([true, false]);
    await world.ok('answer', 'typed', 'yes, proceed', '--to', second?.id ?? '');
    await open('typed', /touch .*three/);
    expect(await world.refused(['answer', 'typed', '1', '--to', second?.id ?? ''])).toMatchObject({ code: 'DIALOG_CHANGED' });
    await world.ok('answer', 'typed', '3');
    await world.until('the refusal', async () => (await world.worker('typed')).asks === null);
    expect(['two', 'three'].map((name) => existsSync(made(name)))).toEqual([true, false]);

    await open('viewed', /Which colour/);
    const view = await viewOf(world, outside, 'viewed');
    await view.shows(/Which colour\?/);
    await byMarks(view, ['2', /▶ 2 Green/]);
    await view.shows(/How big\?/);
    await inWords(view, 'viewed', 'as big as a house');
    await requested('viewed', 2);
    expect(lastRequest('viewed')).toMatch(/Green.*as big as a house/);
    await open('viewed', /touch .*four/);
    await byMarks(view, ['1', /▶ 1 Yes, proceed/]);
    await requested('viewed', 3);
    expect(existsSync(made('four'))).toBe(true);
  });
});
