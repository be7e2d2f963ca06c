import type { DemoSummary } from '../demo/summary.ts';
import { defineVerb } from '../verb.ts';

export const demo = defineVerb<DemoSummary>({
  name: 'demo',
  summary: 'run a demonstration with the built-in agent',
  description:
    'Runs three workers on a small temporary repository: tasks in parallel, a crash and its recovery, review, reject, accept. It needs no account and no network, and removes everything it created, even after Ctrl+C.',
  arguments: [],
  options: [{ flags: '--fast', about: 'no pauses for reading (there are none without a terminal)' }],
  examples: ['llmc demo', 'llmc demo --fast', 'llmc demo --json'],
  run: async (input, shell) => (await import('../demo/play.ts')).playDemo(shell, input.flag('fast')),
  text: async (summary) => (await import('../demo/summary.ts')).summaryText(summary),
});
