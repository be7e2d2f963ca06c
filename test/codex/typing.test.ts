import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, ...more },
});
const commits = (message: string): Step => exec(`echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`);

describe.skipIf(program === undefined)('the real Codex, typed to', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['whole'], channel: 'typing' });
    world = await opening;
  });
  // Also when it took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string, prompt: string) => world.ok('start', '--worker', worker, '--prompt', prompt);
  const tasks = (worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));

  test('a commit waits for review; accepted, the next task begins with an empty conversation', async () => {
    world.script('whole', commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await start('whole', 'Write about the sea');
    await world.reaches('whole', 'needs_review');
    expect(world.deliveries('whole')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
    expect(await world.ok('why', 'whole')).toMatch(/used \d+ tokens in, \d+ out/);
    await world.ok('accept', 'whole');
    await start('whole', 'Write about the wind');
    await world.reaches('whole', 'needs_review');
    expect(JSON.stringify(world.api.requests('whole').at(-1)?.body)).not.toContain('Write about the sea');
    expect(tasks('whole')).toEqual(['Write about the sea', 'Write about the wind']);
    expect(world.incarnation('whole')).toBe(1);
  });
});
