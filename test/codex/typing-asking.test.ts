import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    opening = codexWorld({ workers: ['yes', 'no', 'quiz'], channel: 'typing', skipPermissions: false });
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
    expect(await world.ok('answer', 'quiz', 'Green')).toContain('How big?');
    await world.ok('answer', 'quiz', 'about as big as a house');
    await world.until('the answers', () => world.api.requests('quiz').length === 2);
    const lastRequest = JSON.stringify(world.api.requests('quiz').at(-1)?.body);
    expect(lastRequest).toContain('Green');
    expect(lastRequest).toContain('about as big as a house');
  });
});
