import type { StatusReport } from '../../supervisor/report/status-report.ts';
import { defineVerb } from '../verb.ts';

export const status = defineVerb<StatusReport | undefined>({
  name: 'status',
  summary: 'show every worker',
  description:
    'Shows the status of each worker, what its agent is doing, and what a person should do next. If config.toml or state.json is broken, it reads as much as possible and lists the errors above the workers (problems, with --json). The same place shows what an agent changed in the .git of the root within a day, and llmc put back (tampering).',
  arguments: [],
  options: [{ flags: '--watch', about: 'update the output until Ctrl+C' }],
  examples: ['llmc status', 'llmc status --json', 'llmc status --watch'],
  async run(input, shell) {
    const { readStatus } = await import('../owner/read-status.ts');
    if (!input.flag('watch')) return await readStatus(shell);
    await (await import('../watch-status.ts')).watchStatus(shell);
    return undefined;
  },
  text: async (report, shell) =>
    report === undefined ? '' : (await import('../text/status-text.ts')).statusText(report, Date.now(), shell.display),
});
