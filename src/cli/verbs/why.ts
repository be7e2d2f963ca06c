import type { WhyReport } from '../../supervisor/report/why-report.ts';
import type { ExplainedRun } from '../runs/read-why-run.ts';
import { defineVerb } from '../verb.ts';

export const why = defineVerb<WhyReport | ExplainedRun>({
  name: 'why',
  summary: 'explain the status of a worker or a run',
  description:
    'Prints the status of the worker, what its agent is doing and the rule that decided it, what to do next, and the last decisions. If the agent ended, it also prints its last screen. With --full, it adds the evidence with its sources and ages, the deliveries with their acknowledgements, the events and the screen. JSON is always full; its times are milliseconds since 1970, and their names end in _ms. For a run it prints everything that the run waits for, the decisions that led there, and what to type.',
  verbatim: true,
  arguments: [{ syntax: '<worker|run>', about: 'the worker, or a run' }],
  options: [{ flags: '--full', about: 'add the evidence, the deliveries, the events and the screen' }],
  examples: ['llmc why adam', 'llmc why adam --full', 'llmc why swarm-1'],
  async run(input, shell) {
    const name = input.args[0] ?? '';
    const { isRun, requireName } = await import('../runs/is-run.ts');
    if (await isRun(shell, name)) {
      (await import('../runs/read-runs.ts')).sayIfGone(shell);
      return await (await import('../runs/read-why-run.ts')).readWhyRun(shell, name);
    }
    await requireName(shell, name);
    const { readWhy } = await import('../owner/read-why.ts');
    return await readWhy(shell, name, { inWords: !shell.options.json });
  },
  json: async (report) => ('waits' in report ? report : (await import('../text/why-json.ts')).whyJson(report)),
  async text(report, shell, input) {
    if ('waits' in report) {
      const { whyRunText } = await import('../runs/text/why-run-text.ts');
      const { isWatched } = await import('../runs/is-watched.ts');
      return whyRunText(report, Date.now(), shell.display, report.ended_ms === null && !(await isWatched(shell)));
    }
    return (await import('../text/why-text.ts')).whyText(report, Date.now(), input.flag('full'), shell.display);
  },
});
