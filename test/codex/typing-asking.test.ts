import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { byMarks, viewOf } from '../support/view-answers.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, ...more },
});
const asking = (cmd: string): Step => exec(cmd, { sandbox_permissions: 'require_escalated', justification: 'May I?' });
const questions = [
  {
    id: 'a',
    header: 'A',
    question: 'Which colour?',
    options: [
      { label: 'Blue', description: 'like the sea' },
      { label: 'Green', description: 'like the wood' },
    ],
  },
  {
    id: 'b',
    header: 'B',
    question: 'How big?',
    options: [
      { label: 'Small', description: 'fits' },
      { label: 'Large', description: 'does not' },
    ],
  },
];

describe.skipIf(program === undefined)('the real Codex on the keyboard channel, when it asks', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['yes', 'no', 'quiz', 'viewed', 'planned'], channel: 'typing', skipPermissions: false });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string, prompt: string) => world.ok('start', '--worker', worker, '--prompt', prompt);
  const attention = async (worker: string) => (await world.worker(worker)).attention;

  test.concurrent('llmc approves a command by the text of a choice, and a commit needs no approval', async () => {
    world.script('yes', asking('echo approved > notes.txt'), exec('git add notes.txt && git commit -qm "Approved"'), OVER);
    await start('yes', 'Do it');
    await world.reaches('yes', 'needs_input');
    expect(await attention('yes')).toMatch(/echo approved > notes\.txt.*llmc answer yes/s);
    await world.ok('why', 'yes');
    await world.ok('answer', 'yes', 'yes, proceed');
    await world.reaches('yes', 'needs_review');
    expect(await world.gitIn(world.worktree('yes'), 'log', '--format=%s', 'origin/main..')).toBe('Approved');
  });

  test.concurrent('a message approves nothing: it waits until the dialog is answered', async () => {
    world.script('no', asking('touch never'));
    await start('no', 'Do it');
    await world.reaches('no', 'needs_input');
    await world.ok('message', 'no', 'please go on');
    expect(world.deliveries('no').at(-1)).toMatchObject({ state: 'held' });
    await world.ok('why', 'no');
    await world.ok('answer', 'no', 'no');
    await world.until('the message to arrive', () => world.received('no').length === 2);
    await world.until('its turn to end', () => world.deliveries('no').every(({ state }) => state === 'done'));
    expect(await world.gitIn(world.worktree('no'), 'status', '--porcelain')).toBe('');
  });

  test.concurrent('questions are answered one after the other, by label and in free text', async () => {
    world.script('quiz', { kind: 'tool', name: 'request_user_input', input: { questions } }, OVER);
    await world.keys('quiz', 'BTab');
    await world.shows('quiz', 'Plan mode');
    await start('quiz', 'Ask me');
    await world.reaches('quiz', 'needs_input');
    expect(await attention('quiz')).toMatch(/Which colour\?.*Blue.*Green/);
    await world.ok('why', 'quiz');
    const first = (await world.worker('quiz')).asks?.id ?? '';
    expect(await world.ok('answer', 'quiz', 'Green')).toContain('How big?');
    expect(await world.refused(['answer', 'quiz', '2', '--to', first])).toMatchObject({ code: 'DIALOG_CHANGED' });
    await world.ok('answer', 'quiz', 'about as big as a house');
    await world.until('the answers', () => world.api.requests('quiz').length === 2);
    const lastRequest = JSON.stringify(world.api.requests('quiz').at(-1)?.body);
    expect(lastRequest).toContain('Green');
    expect(lastRequest).toContain('about as big as a house');
  });

  test.concurrent('a plan is approved by number in the view, after an answer to another dialog was refused', async () => {
    await using outside = await scratchTmux();
    const proposed = '<proposed_plan>\n# The plan\n\nPaint it dark red.\n</proposed_plan>';
    world.script('planned', { kind: 'text', text: proposed }, OVER);
    await world.keys('planned', 'BTab');
    await world.shows('planned', 'Plan mode');
    await start('planned', 'Plan it');
    await world.until('the plan', async () => (await world.worker('planned')).asks?.question.startsWith('Implement this plan?') === true);
    expect(await world.worker('planned')).toMatchObject({
      status: 'needs_input',
      asks: { choices: expect.arrayContaining([expect.stringContaining('Yes, implement this plan')]) },
    });
    expect(await world.refused(['answer', 'planned', '1', '--to', '000000'])).toMatchObject({ code: 'DIALOG_CHANGED' });
    expect(world.api.requests('planned')).toHaveLength(1);
    const view = await viewOf(world, outside, 'planned');
    await view.shows(/Implement this plan\?/);
    await byMarks(view, ['1', /▶ 1 Yes, implement this plan/]);
    await world.until('the plan to be implemented', () => world.api.requests('planned').length === 2);
  });

  test.concurrent('a form and a permission from the view, and of two answers at once, one counts', async () => {
    await using outside = await scratchTmux();
    const requested = async (count: number) => await world.until(`request ${count}`, () => world.api.requests('viewed').length >= count);
    const open = async (question: RegExp) => {
      const shown = ({ question: asked, command }: { question: string; command: string | null }) => question.test(`${asked} ${command}`);
      await world.until(`${question}`, async () => {
        const { asks } = await world.worker('viewed');
        return asks !== null && asks.id !== null && asks.choices.length > 1 && shown(asks);
      });
      await world.ok('why', 'viewed');
    };
    const said = () => JSON.stringify(world.api.requests('viewed').at(-1)?.body);
    const ask: Step = { kind: 'tool', name: 'request_user_input', input: { questions } };
    world.script('viewed', ask, ask, asking('touch one'), asking('touch two'), OVER);
    await world.keys('viewed', 'BTab');
    await world.shows('viewed', 'Plan mode');
    await start('viewed', 'Ask me');
    await open(/Which colour/);
    const view = await viewOf(world, outside, 'viewed');
    await view.shows(/Which colour\?/);
    await byMarks(view, ['2', /▶ 2 Green/]);
    await open(/How big/);
    await view.shows(/How big\?/);
    await byMarks(view, ['1', /▶ 1 Small/]);
    await requested(2);
    expect(said()).toMatch(/Green.*Small/);

    const both = async (choice: string) => {
      const answers = await Promise.all([choice, choice].map((each) => world.run(['answer', 'viewed', each])));
      expect(answers.map(({ status }) => status).sort(), `two answers ${choice}`).toEqual([0, 2]);
    };
    await open(/Which colour/);
    await both('2');
    await open(/How big/);
    expect(world.api.requests('viewed'), 'the second page is still open').toHaveLength(2);
    await both('1');
    await requested(3);
    await open(/touch one/);
    await both('1');
    await open(/touch two/);
    expect(world.api.requests('viewed'), 'the second permission is still open').toHaveLength(4);
    await byMarks(view, ['1', /▶ 1 Yes, proceed/]);
    await requested(5);
  });
});
