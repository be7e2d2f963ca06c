import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchTmux, until } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const asked = (question: string, multiSelect: boolean, labels: readonly string[]) => ({
  question,
  header: question.slice(0, 8),
  multiSelect,
  options: labels.map((label) => ({ label, description: `Take ${label}` })),
});
const form = (...questions: readonly unknown[]): Step => ({ kind: 'tool', name: 'AskUserQuestion', input: { questions } });
const bash = (command: string): Step => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } });

const FEATURES = asked('Which features?', true, ['Auth', 'Cache', 'Logs']);
const COLOUR = asked('Which colour?', false, ['Blue', 'Green']);
const SIZE = asked('Which size?', false, ['Small', 'Large']);

/** What the API got last from a worker: the result of the tool that asked. */
const said = (world: ClaudeWorld, worker: string): string => JSON.stringify(world.requests(worker).at(-1)?.body.messages.at(-1));

async function asks(world: ClaudeWorld, worker: string, question: string, atLeast = 1): Promise<string> {
  await world.until(`${worker} to ask ${question}`, async () => {
    const { status, asks: open } = await world.worker(worker);
    return status === 'needs_input' && open?.question === question && open.choices.length >= atLeast && open.id !== null;
  });
  return (await world.worker(worker)).asks?.id ?? '';
}

const requested = async (world: ClaudeWorld, worker: string, count: number): Promise<void> =>
  await world.until(`request ${count} of ${worker}`, () => world.requests(worker).length >= count);

describe.skipIf(program === undefined)('answers for the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    const workers = ['forms', 'twice', 'stale', 'words', 'viewed'];
    opening = claudeWorld({ workers, skipPermissions: false, args: ['--permission-mode', 'manual'] });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  test.concurrent('several choices by number and by label, two questions, a permission', async () => {
    world.script('forms', form(FEATURES), form(FEATURES), form(COLOUR, SIZE), bash('touch made'), OVER);
    await world.ok('start', '--worker', 'forms', '--prompt', 'Ask me');
    await asks(world, 'forms', 'Which features?');
    expect((await world.worker('forms')).asks).toMatchObject({ several: true, choices: ['Auth', 'Cache', 'Logs'] });
    await world.ok('answer', 'forms', '2');
    await requested(world, 'forms', 2);
    expect(said(world, 'forms')).toContain('Cache');
    expect(said(world, 'forms')).not.toMatch(/Auth|Logs|declined/);

    await asks(world, 'forms', 'Which features?');
    await world.ok('answer', 'forms', 'auth,3');
    await requested(world, 'forms', 3);
    expect(said(world, 'forms')).toMatch(/Auth.*Logs/);
    expect(said(world, 'forms')).not.toMatch(/Cache|declined/);

    await asks(world, 'forms', 'Which colour?');
    expect(await world.ok('answer', 'forms', 'Green')).toContain('It now asks: Which size?');
    await asks(world, 'forms', 'Which size?');
    expect((await world.worker('forms')).asks).toMatchObject({ question: 'Which size?', choices: ['Small', 'Large'], several: false });
    await world.ok('answer', 'forms', '1');
    await requested(world, 'forms', 4);
    expect(said(world, 'forms')).toMatch(/Green.*Small/);

    await asks(world, 'forms', 'Do you want to proceed?');
    const { asks: permission, attention } = await world.worker('forms');
    expect(permission).toMatchObject({ tool: 'Bash', command: 'touch made', choices: expect.arrayContaining(['Yes', 'No']) });
    expect(attention).toContain('wants permission for Bash');
    await world.ok('answer', 'forms', '1');
    await requested(world, 'forms', 5);
    expect(said(world, 'forms')).not.toContain('"is_error":true');
  });

  test.concurrent('of two answers at once, one counts and the other answers nothing', async () => {
    world.script('twice', form(COLOUR), bash('touch never'), bash('touch never'), OVER);
    await world.ok('start', '--worker', 'twice', '--prompt', 'Ask me');
    await asks(world, 'twice', 'Which colour?');
    const both = await Promise.all([world.run(['answer', 'twice', '1']), world.run(['answer', 'twice', '1'])]);
    expect(both.map(({ status }) => status).sort()).toEqual([0, 2]);
    await requested(world, 'twice', 2);
    expect(said(world, 'twice')).toContain('Blue');
    await asks(world, 'twice', 'Do you want to proceed?');
    expect(world.requests('twice')).toHaveLength(2);
    await world.ok('answer', 'twice', 'no');
  });

  test.concurrent('an answer to a dialog that is no longer open is refused, by its id and without one', async () => {
    world.script('stale', bash('touch one'), bash('touch two'), OVER);
    await world.ok('start', '--worker', 'stale', '--prompt', 'Do it');
    const first = await asks(world, 'stale', 'Do you want to proceed?');
    // A person answers in the terminal of the agent, and nobody is shown what it asks next.
    await world.keys('stale', '1');
    await requested(world, 'stale', 2);
    await world.shows('stale', 'touch two');
    expect(await world.refused(['answer', 'stale', '1', '--to', first])).toMatchObject({
      code: 'DIALOG_CHANGED',
      message: expect.stringContaining('touch two'),
    });
    expect(world.requests('stale')).toHaveLength(2);
    const second = await asks(world, 'stale', 'Do you want to proceed?');
    expect(second).not.toBe(first);
    await world.ok('answer', 'stale', 'yes', '--to', second);
    await requested(world, 'stale', 3);
    expect(said(world, 'stale')).not.toContain('"is_error":true');
  });

  test.concurrent('the view shows what is asked, marks by number, and answers several at once', async () => {
    await using outside = await scratchTmux();
    world.script('viewed', form(FEATURES, SIZE), bash('touch seen'), OVER);
    await world.ok('start', '--worker', 'viewed', '--prompt', 'Ask me');
    await asks(world, 'viewed', 'Which features?');
    const view = await openView(outside, world);
    await view.keys('/');
    await view.type('viewed');
    await view.shows(/filter› viewed/);
    await view.keys('Enter');
    await view.shows(/▌.*viewed/);
    const answer = async (...marks: readonly (readonly [string, RegExp])[]) => {
      for (const [digit, marked] of marks) {
        await view.keys(digit);
        await view.shows(marked);
      }
      // The view takes no answer from a person who cannot have read the question yet.
      const shownAt = Date.now();
      await until('the question to be read', async () => Date.now() - shownAt > 300);
      await view.keys('Enter');
      await view.lacks(marks.at(-1)?.[1] ?? /$/);
    };
    await answer(['1', /\[x\] 1 Auth/], ['3', /\[x\] 3 Logs/]);
    await asks(world, 'viewed', 'Which size?');
    await answer(['2', /▶ 2 Large/]);
    await requested(world, 'viewed', 2);
    expect(said(world, 'viewed')).toMatch(/Auth.*Logs.*Large/);
    expect(said(world, 'viewed')).not.toMatch(/Cache|declined/);
    await asks(world, 'viewed', 'Do you want to proceed?');
    await answer(['1', /▶ 1 Yes/]);
    await requested(world, 'viewed', 3);
    expect(said(world, 'viewed')).not.toContain('"is_error":true');
  });

  test.concurrent('free text, a number that does not exist, and an answer that closes the dialog', async () => {
    world.script('words', form(COLOUR), form(COLOUR), OVER);
    await world.ok('start', '--worker', 'words', '--prompt', 'Ask me');
    await asks(world, 'words', 'Which colour?');
    expect(await world.refused(['answer', 'words', '7'])).toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining('Blue / Green'),
    });
    await world.ok('answer', 'words', 'a dark red, like wine');
    await requested(world, 'words', 2);
    expect(said(world, 'words')).toContain('a dark red, like wine');
    await asks(world, 'words', 'Which colour?');
    await world.ok('answer', 'words', 'cancel');
    await world.until('the dialog to be closed', async () => (await world.worker('words')).asks === null);
    expect(world.requests('words')).toHaveLength(2);
  });
});

describe.skipIf(program === undefined)('a plan of the real Claude Code', () => {
  test('is shown, sent back in words, and approved by the text of a choice', async () => {
    await using world = await claudeWorld({ workers: ['plan'], skipPermissions: false, args: ['--permission-mode', 'plan'] });
    await world.ok('start', '--worker', 'plan', '--prompt', 'Hello', '--expect', 'answer');
    await requested(world, 'plan', 1);
    await world.reaches('plan', 'needs_review');
    const [, path] = /([^"\s]*\/plans\/[\w-]+\.md)/.exec(JSON.stringify(world.requests('plan')[0]?.body)) ?? [];
    const write: Step = { kind: 'tool', name: 'Write', input: { file_path: path, content: '# The plan\n\nPaint it dark red.\n' } };
    const approve: Step = { kind: 'tool', name: 'ExitPlanMode', input: {} };
    world.script('plan', write, approve, approve, OVER);
    await world.ok('message', 'plan', 'Plan it');
    const isAsked = 'Claude has written up a plan and is ready to execute. Would you like to proceed?';
    await asks(world, 'plan', isAsked);
    expect((await world.worker('plan')).asks).toMatchObject({
      tool: 'ExitPlanMode',
      screen: expect.arrayContaining([expect.stringContaining('Paint it dark red.')]),
    });
    await world.ok('answer', 'plan', 'Paint it blue');
    await requested(world, 'plan', 4);
    expect(said(world, 'plan')).toContain('Paint it blue');
    await asks(world, 'plan', isAsked);
    await world.ok('answer', 'plan', 'yes, manually approve edits');
    await requested(world, 'plan', 5);
    expect(said(world, 'plan')).not.toContain('"is_error":true');
  });
});

describe.skipIf(program === undefined)('a dialog of the real Claude Code that only its screen shows', () => {
  test('auto mode that cannot check actions asks within seconds, with its screen, and is answered by number', async () => {
    await using world = await claudeWorld({ workers: ['auto'], skipPermissions: false, args: ['--permission-mode', 'auto'] });
    world.script('auto', bash('curl -s http://127.0.0.1:9/x | sh'), OVER);
    await world.ok('start', '--worker', 'auto', '--prompt', 'Do it');
    await asks(world, 'auto', "Auto mode can't check actions in this session");
    expect((await world.worker('auto')).asks).toMatchObject({
      choices: ['stay in auto mode', 'leave for accept edits mode and stop', 'cancel'],
      screen: expect.arrayContaining([expect.stringContaining('approve each action that needs the check yourself')]),
    });
    await world.ok('answer', 'auto', '1');
    await asks(world, 'auto', 'Do you want to proceed?', 2);
    expect((await world.worker('auto')).asks).toMatchObject({ tool: 'Bash', choices: ['No', 'Yes'] });
    await world.ok('answer', 'auto', 'yes');
    await requested(world, 'auto', 2);
  });
});
