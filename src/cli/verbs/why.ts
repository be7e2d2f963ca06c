import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { defineVerb } from '../verb.ts';

export const why = defineVerb<WhyReport>({
  name: 'why',
  summary: 'explain the status of a worker',
  description:
    'Prints the status of the worker, what its agent is doing and the rule that decided it, what to do next, and the last decisions. If the agent ended, it also prints its last screen. With --full, it adds the evidence with its sources and ages, the deliveries with their acknowledgements, the events and the screen. JSON is always full; its times are milliseconds since 1970, and their names end in _ms.',
  verbatim: true,
  arguments: [{ syntax: '<worker>', about: 'the worker' }],
  options: [{ flags: '--full', about: 'add the evidence, the deliveries, the events and the screen' }],
  examples: ['llmc why adam', 'llmc why adam --full'],
  async run(input, shell) {
    const { readWhy } = await import('../owner/read-why.ts');
    return await readWhy(shell, input.args[0] ?? '');
  },
  json: async (report) => (await import('../text/why-json.ts')).whyJson(report),
  text: async (report, shell, input) =>
    (await import('../text/why-text.ts')).whyText(report, Date.now(), input.flag('full'), shell.display),
});
