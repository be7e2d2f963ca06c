import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { byMarks, inWords, viewOf } from '../support/view-answers.ts';
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
const TABS = asked('Do you want to use tabs?', false, ['Yes', 'No']);
const SIZE = asked('Which size?', false, ['Small', 'Large']);

/** What the API got last from a worker: the result of the tool that asked. */
const said = (world: ClaudeWorld, worker: string): string => JSON.stringify(world.requests(worker).at(-1)?.body.messages.at(-1));

async function asks(world: ClaudeWorld, worker: string, question: string, atLeast = 1): Promise<string> {
  await world.until(`${worker} to ask ${question}`, async () => {
    const { status, asks: open } = await world.worker(worker);
    return status === 'needs_input' && open?.question === question && open.choices.length >= atLeast && open.id !== null;
  });
  await world.ok('why', worker);
  return (await world.worker(worker)).asks?.id ?? '';
}

const requested = async (world: ClaudeWorld, worker: string, count: number): Promise<void> =>
  await world.until(`request ${count} of ${worker}`, () => world.requests(worker).length >= count);

describe.skipIf(program === undefined)('answers for the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    const workers = ['forms', 'twice', 'pairs', 'stale', 'words', 'viewed'];
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

    const colour = await asks(world, 'forms', 'Which colour?');
    expect(await world.ok('answer', 'forms', 'Green')).toContain('It now asks: Which size?');
    await asks(world, 'forms', 'Which size?');
    // The page before was answered: its id answers nothing on this one.
    expect(await world.refused(['answer', 'forms', '2', '--to', colour])).toMatchObject({ code: 'DIALOG_CHANGED' });
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

  test.concurrent('of two answers at once to a list of ticks, to each page of a form and to a permission, one counts', async () => {
    world.script('pairs', form(FEATURES), form(COLOUR, SIZE), bash('touch one'), bash('touch two'), OVER);
    await world.ok('start', '--worker', 'pairs', '--prompt', 'Ask me');
    const both = async (question: string, choice: string, next: string) => {
      await asks(world, 'pairs', question);
      const answers = await Promise.all([world.run(['answer', 'pairs', choice]), world.run(['answer', 'pairs', choice])]);
      expect(answers.map(({ status }) => status).sort(), `${choice} to ${question}`).toEqual([0, 2]);
      await asks(world, 'pairs', next);
    };
    await both('Which features?', '1,3', 'Which colour?');
    expect(world.requests('pairs')).toHaveLength(2);
    expect(said(world, 'pairs')).toMatch(/Auth.*Logs/);
    expect(said(world, 'pairs')).not.toMatch(/Cache|declined/);
    await both('Which colour?', '2', 'Which size?');
    expect(world.requests('pairs'), 'the second page is still open').toHaveLength(2);
    await both('Which size?', 'as big as a house', 'Do you want to proceed?');
    expect(world.requests('pairs')).toHaveLength(3);
    expect(said(world, 'pairs')).toMatch(/Green.*as big as a house/);
    const first = await asks(world, 'pairs', 'Do you want to proceed?');
    await both('Do you want to proceed?', '1', 'Do you want to proceed?');
    await requested(world, 'pairs', 4);
    expect(said(world, 'pairs')).not.toContain('"is_error":true');
    await world.until('the second permission', async () => (await world.worker('pairs')).asks?.command === 'touch two');
    expect(await asks(world, 'pairs', 'Do you want to proceed?')).not.toBe(first);
    expect(world.requests('pairs'), 'the second permission is still open').toHaveLength(4);
    await world.ok('answer', 'pairs', 'no');
  });

  test.concurrent('an answer to a dialog that is no longer open is refused, by its id and without one', async () => {
    world.script('stale', bash('touch one'), bash('touch two'), OVER);
    await world.ok('start', '--worker', 'stale', '--prompt', 'Do it');
    const first = await asks(world, 'stale', 'Do you want to proceed?');
    // A person answers in the terminal of the agent, and nobody is shown what it asks next.
    await world.keys('stale', '1');
    await requested(world, 'stale', 2);
    await world.shows('stale', 'touch two');
    for (const named of [[], ['--to', first]])
      expect(await world.refused(['answer', 'stale', '1', ...named])).toMatchObject({
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
    world.script('viewed', form(FEATURES, SIZE), form(COLOUR), bash('touch seen'), OVER);
    await world.ok('start', '--worker', 'viewed', '--prompt', 'Ask me');
    await asks(world, 'viewed', 'Which features?');
    const view = await viewOf(world, outside, 'viewed');
    const answer = (...marks: readonly (readonly [string, RegExp])[]) => byMarks(view, ...marks);
    await answer(['1', /\[x\] 1 Auth/], ['3', /\[x\] 3 Logs/]);
    await asks(world, 'viewed', 'Which size?');
    await answer(['2', /▶ 2 Large/]);
    await requested(world, 'viewed', 2);
    expect(said(world, 'viewed')).toMatch(/Auth.*Logs.*Large/);
    expect(said(world, 'viewed')).not.toMatch(/Cache|declined/);
    await asks(world, 'viewed', 'Which colour?');
    await inWords(view, 'viewed', 'a dark red, like wine');
    await requested(world, 'viewed', 3);
    expect(said(world, 'viewed')).toContain('a dark red, like wine');
    await asks(world, 'viewed', 'Do you want to proceed?');
    await answer(['1', /▶ 1 Yes/]);
    await requested(world, 'viewed', 4);
    expect(said(world, 'viewed')).not.toContain('"is_error":true');
  });

  test.concurrent('free text, a number that does not exist, and an answer that closes the dialog', async () => {
    world.script('words', form(TABS), form(COLOUR), form(COLOUR), OVER);
    await world.ok('start', '--worker', 'words', '--prompt', 'Ask me');
    // In the words of a permission, but a question.
    await asks(world, 'words', TABS.question);
    expect(await world.worker('words')).toMatchObject({
      asks: { tool: null, choices: ['Yes', 'No'] },
      activity: { kind: 'awaiting_question' },
    });
    await world.ok('answer', 'words', 'no');
    await requested(world, 'words', 2);
    expect(said(world, 'words')).toMatch(/tabs.*No/);
    await asks(world, 'words', 'Which colour?');
    expect(await world.refused(['answer', 'words', '7'])).toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining('Blue / Green'),
    });
    await world.ok('answer', 'words', 'a dark red, like wine');
    await requested(world, 'words', 3);
    expect(said(world, 'words')).toContain('a dark red, like wine');
    await asks(world, 'words', 'Which colour?');
    await world.ok('answer', 'words', 'cancel');
    await world.until('the dialog to be closed', async () => (await world.worker('words')).asks === null);
    expect(world.requests('words')).toHaveLength(3);
  });
});

const PLANNED = 'Claude has written up a plan and is ready to execute. Would you like to proceed?';

describe.skipIf(program === undefined)('a plan of the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({ workers: ['label', 'number', 'viewed', 'twice'], skipPermissions: false, args: ['--permission-mode', 'plan'] });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  /** The worker shows its plan; each answer in words leads to the plan again. */
  async function planning(worker: string, times: number): Promise<void> {
    await world.ok('start', '--worker', worker, '--prompt', 'Hello', '--expect', 'answer');
    await requested(world, worker, 1);
    await world.reaches(worker, 'needs_review');
    const [, path] = /([^"\s]*\/plans\/[\w-]+\.md)/.exec(JSON.stringify(world.requests(worker)[0]?.body)) ?? [];
    const write: Step = { kind: 'tool', name: 'Write', input: { file_path: path, content: '# The plan\n\nPaint it dark red.\n' } };
    const approve: Step = { kind: 'tool', name: 'ExitPlanMode', input: {} };
    world.script(worker, write, ...Array.from({ length: times }, () => approve), OVER);
    await world.ok('message', worker, 'Plan it');
    await asks(world, worker, PLANNED);
  }

  test.concurrent('is shown, sent back in words, and approved by the text of a choice', async () => {
    await planning('label', 2);
    expect((await world.worker('label')).asks).toMatchObject({
      tool: 'ExitPlanMode',
      screen: expect.arrayContaining([expect.stringContaining('Paint it dark red.')]),
    });
    await world.ok('answer', 'label', 'Paint it blue');
    await requested(world, 'label', 4);
    expect(said(world, 'label')).toContain('Paint it blue');
    await asks(world, 'label', PLANNED);
    await world.ok('answer', 'label', 'yes, manually approve edits');
    await requested(world, 'label', 5);
    expect(said(world, 'label')).toContain('Exited Plan Mode');
  });

  test.concurrent('is approved by number', async () => {
    await planning('number', 1);
    await world.ok('answer', 'number', '2');
    await requested(world, 'number', 4);
    expect(said(world, 'number')).toContain('Exited Plan Mode');
  });

  test.concurrent('is sent back in words and approved by its number in the view', async () => {
    await using outside = await scratchTmux();
    await planning('viewed', 2);
    const view = await viewOf(world, outside, 'viewed');
    await inWords(view, 'viewed', 'Paint it grey');
    await requested(world, 'viewed', 4);
    expect(said(world, 'viewed')).toContain('Paint it grey');
    await asks(world, 'viewed', PLANNED);
    await byMarks(view, ['2', /▶ 2 Yes, manually approve edits/]);
    await requested(world, 'viewed', 5);
    expect(said(world, 'viewed')).toContain('Exited Plan Mode');
  });

  test.concurrent('of two answers at once, one counts and the plan that comes next gets none', async () => {
    await planning('twice', 2);
    const both = await Promise.all([1, 2].map(async () => await world.run(['answer', 'twice', 'Paint it green'])));
    expect(both.map(({ status }) => status).sort()).toEqual([0, 2]);
    await requested(world, 'twice', 4);
    expect(said(world, 'twice')).toContain('Paint it green');
    await asks(world, 'twice', PLANNED);
    expect(world.requests('twice'), 'the second plan is still open').toHaveLength(4);
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
