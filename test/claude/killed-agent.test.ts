import { afterAll, beforeAll, describe, test } from 'vitest';
import { PATIENT } from '../support/agent-world.ts';
import { KILLED_AFTER_MS, killDuringDelivery } from '../support/kill-sweep.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

describe.skipIf(program === undefined)('the real Claude Code killed while it gets a prompt', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({ workers: ['adam'], quiet: true, config: PATIENT });
    world = await opening;
    world.script('adam', commits('the first'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
    await world.reaches('adam', 'needs_review');
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  test.for(KILLED_AFTER_MS)('%i ms into the delivery: the agent acts on the prompt once', async (afterMs) => {
    await killDuringDelivery(world, { worker: 'adam', commits, over: OVER, pid: () => world.panePid('adam') }, afterMs);
  });
});

const OVER: Step = { kind: 'text', text: 'Done.' };

function commits(message: string, after?: Promise<void>): Step {
  const command = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
  return { kind: 'tool', name: 'Bash', input: { command, description: 'Work' }, ...(after && { after }) };
}
