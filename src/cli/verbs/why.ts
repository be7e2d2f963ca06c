import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { defineVerb } from '../verb.ts';

export const why = defineVerb<WhyReport>({
  name: 'why',
  summary: 'explain the status of a worker',
  description:
    'The answer in a few lines: where the worker stands, what its agent does and the rule that says so, what to do, and the last decisions. If the agent ended, its last screen. With --full also the evidence with its sources and ages, the deliveries with their acknowledgements, events and the screen. JSON is always full; its times are milliseconds since 1970 and their names end in _ms.',
  arguments: [{ syntax: '<worker>', about: 'which worker' }],
  options: [{ flags: '--full', about: 'with everything the answer rests on' }],
  examples: ['llmc why adam', 'llmc why adam --full'],
  async run(input, shell) {
    const { readWhy } = await import('../owner/read-why.ts');
    return await readWhy(shell, input.args[0] ?? '');
  },
  json: async (report) => (await import('../text/why-json.ts')).whyJson(report),
  text: async (report, _, input) => (await import('../text/why-text.ts')).whyText(report, Date.now(), input.flag('full')),
});
