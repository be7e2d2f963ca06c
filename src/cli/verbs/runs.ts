import type { ArchivedRun } from '../../workflow/archive/archived.ts';
import type { RunLine } from '../../workflow/view/run-view.ts';
import { defineVerb } from '../verb.ts';

export const runs = defineVerb<{ readonly runs: readonly RunLine[] } | { readonly archived: readonly ArchivedRun[] }>({
  name: 'runs',
  summary: 'list the runs of workflows',
  description:
    'Lists every run that has not ended, then the newest of the others: its status, how long it takes, and what it waits for. With --json all runs. It also works without a supervisor.',
  arguments: [],
  options: [{ flags: '--archived', about: 'list the runs that llmc clean has archived, and where they are' }],
  examples: ['llmc runs', 'llmc runs --json', 'llmc runs --archived'],
  async run(input, shell) {
    if (input.flag('archived')) return { archived: (await import('../clean/archived.ts')).readArchivedRuns(shell) };
    const { readRunLines, sayIfGone } = await import('../runs/read-runs.ts');
    sayIfGone(shell);
    return { runs: await readRunLines(shell) };
  },
  async text(output, shell) {
    if ('archived' in output) return (await import('../clean/archived.ts')).archivedText(output.archived, Date.now(), shell.display);
    const { runs: lines } = output;
    const { isDatabaseGone } = await import('../runs/open-runs.ts');
    if (lines.length === 0 && isDatabaseGone(shell.layout)) return 'No run has files in this root.';
    const { runsText } = await import('../runs/text/runs-text.ts');
    const { isWatched } = await import('../runs/is-watched.ts');
    const stands = lines.some(({ ended_ms }) => ended_ms === null) && !(await isWatched(shell));
    return runsText(lines, Date.now(), shell.display, stands);
  },
  verbatim: true,
});
