import { expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

// The first run starts a tool that holds far more memory than allowed, for ever; the second run does not.
const HEAVY = `
turns:
  - when: hold a lot
    steps:
      - edit: { path: notes.txt, content: "half\\n" }
      - run: '[ -e "$HOME/once" ] || { touch "$HOME/once"; exec "${process.execPath}" -e "const held = Buffer.alloc(600 << 20, 1); setInterval(() => held.at(0), 1000)"; }'
      - edit: { path: notes.txt, append: "whole\\n" }
      - commit: "{{task}}"
`;

test('an agent over its memory limit is restarted in its conversation, continues, and does its task once', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: HEAVY, config: '[budget]\nmemory_mb_per_worker = 500\n' });
  await world.ok('start', '--prompt', 'hold a lot');
  // Do not wait for a certain amount: llmc restarts the agent one sample later, and the test could miss it.
  await until('status to show its memory', async () => ((await world.worker('adam')).usage?.memory_bytes ?? 0) > 0);
  await until('the task to be done', async () => (await world.worker('adam')).status === 'needs_review', 180_000);
  const history = world.rows(
    z.object({ kind: z.string(), summary: z.string() }),
    "SELECT kind, summary FROM history WHERE worker = 'adam'",
  );
  const summaries = (kind: string) => history.filter((entry) => entry.kind === kind).map(({ summary }) => summary);
  expect(summaries('memory')).toEqual([
    expect.stringMatching(/^the agent uses \d+ MB, and the limit is 500 \(memory_mb_per_worker\); restarted$/),
  ]);
  expect(summaries('launch').at(-1)).toContain('resuming its conversation');
  const rows = world.rows(z.object({ purpose: z.string(), state: z.string() }), 'SELECT purpose, state FROM deliveries ORDER BY seq');
  expect(rows).toEqual([
    { purpose: 'task', state: 'done' },
    { purpose: 'continue', state: 'done' },
  ]);
  expect(await world.gitIn(world.worktree('adam'), 'show', 'HEAD:notes.txt')).toBe('half\nwhole');
  expect(await world.worker('adam')).toMatchObject({ crash_count: 0 });
});
