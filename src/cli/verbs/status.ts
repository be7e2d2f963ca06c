import type { StatusReport } from '../../supervisor/report/status-report.ts';
import { readStatusReport } from '../owner/read-status.ts';
import { statusText } from '../text/status-text.ts';
import { defineVerb } from '../verb.ts';

export const status = defineVerb<StatusReport | undefined>({
  name: 'status',
  alias: 'ls',
  summary: 'show every worker',
  description:
    'Shows the status of each worker, what its agent is doing, and what a person should do next. If config.toml or state.json is broken, it reads as much as possible and lists the errors above the workers (problems, with --json). The same place shows what an agent changed in the .git of the root within a day, and llmc put back (tampering).',
  arguments: [],
  options: [{ flags: '--watch', about: 'update the output until Ctrl+C' }],
  examples: ['llmc status', 'llmc status --json', 'llmc status --watch'],
  async run(input, shell) {
    if (!input.flag('watch')) return await readStatusReport(shell, !shell.options.json);
    await (await import('../watch-status.ts')).watchStatus(shell);
    return undefined;
  },
  text: (report, shell) => (report === undefined ? '' : statusText(report, Date.now(), shell.display)),
});
