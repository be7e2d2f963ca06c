import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { defineVerb } from '../verb.ts';

export const why = defineVerb<WhyReport>({
  name: 'why',
  summary: 'explain the status of a worker',
  description:
    'Shows the evidence with its sources and ages, the rule that applied, the deliveries with their acknowledgements, and the last decisions. In JSON, times are milliseconds since 1970 and their names end in _ms.',
  arguments: [{ syntax: '<worker>', about: 'which worker' }],
  options: [],
  examples: ['llmc why adam'],
  async run(input, shell) {
    const { readWhy } = await import('../owner/read-why.ts');
    return await readWhy(shell, input.args[0] ?? '');
  },
  json: async (report) => (await import('../text/why-json.ts')).whyJson(report),
  text: async (report) => (await import('../text/why-text.ts')).whyText(report, Date.now()),
});
