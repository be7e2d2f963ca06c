import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { SERVER_WINDOW } from '../../src/terminal/panes.ts';
import { PATIENT } from '../support/agent-world.ts';
import { killCampaign } from '../support/kill-campaign.ts';
import { KILLED_AFTER_MS, killDuringDelivery, killWhileResuming, type Sweep } from '../support/kill-sweep.ts';
import { recordedPrompts } from '../support/recorded-prompts.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

describe.skipIf(program === undefined).each(['auto', 'typing'] as const)(
  'the real Codex killed while it gets a prompt (channel %s)',
  (channel) => {
    let opening: Promise<CodexWorld>;
    let world: CodexWorld;
    beforeAll(async () => {
      opening = codexWorld({ workers: ['adam'], channel, config: PATIENT });
      world = await opening;
      world.script('adam', commits('the first'), OVER);
      await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
      await world.reaches('adam', 'needs_review');
    });
    // Runs also when the world took too long to open.
    afterAll(async () => (await opening)[Symbol.asyncDispose]());

    const pid = async () => {
      if (channel === 'typing') return await world.panePid('adam');
      return Number(await world.tmux('display-message', '-p', '-t', `=llmc-adam:=${SERVER_WINDOW}`, '#{pane_pid}'));
    };

    const adam = (): Sweep<Step> => ({
      worker: 'adam',
      commits,
      over: OVER,
      pid,
      recorded: () => recordedPrompts('codex', records(world)),
    });

    test.for(KILLED_AFTER_MS)('%i ms into the delivery: the agent acts on the prompt once', async (afterMs) => {
      await killDuringDelivery(world, adam(), afterMs);
    });
    test('and again while it resumes: the conversation stays', async () => {
      await killWhileResuming(world, adam(), `killed after ${KILLED_AFTER_MS[0]} ms`);
    });
  },
);

killCampaign({
  agent: 'codex',
  program,
  recordedTimes: 2,
  open: (options) => codexWorld(options),
  pid: async (world, worker) => Number(await world.tmux('display-message', '-p', '-t', `=llmc-${worker}:=${SERVER_WINDOW}`, '#{pane_pid}')),
  answer: (after) => ({ kind: 'text', text: 'OK.', after }),
  records,
});

const OVER: Step = { kind: 'text', text: 'Done.' };

function records({ isolated }: CodexWorld): string {
  return join(isolated.codexHome, 'sessions', '**', '*.jsonl');
}

function commits(message: string, after?: Promise<void>): Step {
  const cmd = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
  return { kind: 'tool', name: 'exec_command', input: { cmd }, ...(after && { after }) };
}
