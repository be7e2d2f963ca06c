import type { DemoSummary } from '../demo/summary.ts';
import type { SwarmSummary } from '../demo/swarm/summary.ts';
import { defineVerb } from '../verb.ts';

export const demo = defineVerb<DemoSummary | SwarmSummary>({
  name: 'demo',
  summary: 'run a demonstration with the built-in agent',
  description:
    'Runs three workers on a small temporary repository: tasks in parallel, a crash and its recovery, review, reject, accept. With --workflow it runs the workflow swarm instead: research, a supervisor that is killed while the developer works, a review that asks for changes, a second round, the landing, the report. The demo counts what it did, and its exit status is 0 only if each task ran once. It needs no account and no network, and removes everything it created, even after Ctrl+C.',
  arguments: [],
  options: [
    { flags: '--workflow', about: 'show a run of a workflow' },
    { flags: '--fast', about: 'no pauses for reading (there are none without a terminal)' },
  ],
  examples: ['llmc demo', 'llmc demo --workflow', 'llmc demo --fast', 'llmc demo --json'],
  async run(input, shell) {
    const { playDemo } = await import('../demo/play.ts');
    if (!input.flag('workflow')) return await playDemo(shell, input.flag('fast'), (await import('../demo/story.ts')).WORKERS_STORY);
    return await playDemo(shell, input.flag('fast'), (await import('../demo/swarm/story.ts')).SWARM_STORY);
  },
  text: async (summary) =>
    'run' in summary
      ? (await import('../demo/swarm/summary.ts')).swarmText(summary)
      : (await import('../demo/summary.ts')).summaryText(summary),
});
