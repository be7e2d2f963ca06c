import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import type { RunReport } from '../../workflow/view/report-view.ts';
import type { ReportOutput } from '../report/write-report.ts';
import type { ErrorLog } from '../runs/error-log.ts';
import { defineVerb, type Input } from '../verb.ts';

export const report = defineVerb<ReportOutput | RunReport | ErrorLog>({
  name: 'report',
  summary: 'report on a run, or collect what helps to find a fault in one archive',
  description:
    'With a run, it prints what the run left, what failed, what llmc did about it and what you can do; --verbose adds details, causes and files. With --worker or --all, it writes an archive (.tar.gz, readable by you alone) with the status, the explanation, the history, the deliveries, the saved screens and the git facts of a worker or of all workers, and with the versions, the configuration and the result of llmc doctor. Conversations and the files of worktrees are not in it. Values of the environment, words with the shape of a token, URLs with credentials, private keys and whatever the patterns of redact in [report] match are replaced by [redacted]. On a terminal, it prints the list of the contents and asks before it writes the archive. Both work without a supervisor and with a damaged database: what cannot be read is listed with its reason. Look through the archive before you give it to others.',
  arguments: [{ syntax: '[run]', about: 'a run: print its report, and write no archive' }],
  options: [
    { flags: '--worker <name>', about: 'only this worker' },
    { flags: '--all', about: 'all workers' },
    { flags: '--output <file>', about: 'the archive to write; an existing file is refused (default: llmc-report-….tar.gz in this folder)' },
    { flags: '--errors', about: 'list what failed, in one run or in all of them, the newest last; with the conditions below' },
    { flags: '--code <code>', about: 'only this code, such as AGENT_CRASHED' },
    {
      flags: '--severity <severity>',
      about: 'only this severity: critical (or fatal), error, warning or info',
      words: ['critical', 'error', 'warning', 'info'],
    },
    { flags: '--stage <id>', about: 'only this stage' },
    { flags: '--role <name>', about: 'only this role' },
    { flags: '--open', about: 'only what no run has recovered from' },
    { flags: '--since <duration>', about: 'only what failed in this time, such as 2h' },
    { flags: '--dry-run', about: 'print the list of the contents, and write nothing' },
  ],
  examples: [
    'llmc report swarm-1',
    'llmc report swarm-1 --verbose',
    'llmc report --errors --code AGENT_CRASHED --since 2h',
    'llmc report --worker adam',
    'llmc report --all --dry-run',
    'llmc report --all --output report.tar.gz --yes',
  ],
  async run(input, shell) {
    const worker = input.text('worker');
    const [run] = input.args;
    const { sayIfGone } = await import('../runs/read-runs.ts');
    if (input.flag('errors')) {
      sayIfGone(shell);
      return await (await import('../runs/error-log.ts')).readErrorLog(shell, toConditions(input));
    }
    if (run !== undefined && worker === undefined && !input.flag('all')) {
      sayIfGone(shell);
      return await (await import('../runs/read-report.ts')).readReport(shell, run);
    }
    if (run !== undefined || (worker === undefined) !== input.flag('all'))
      throw new LlmcError('INVALID_ARGUMENT', 'name a run, or a worker with --worker, or use --all', {
        hint: 'llmc report --all --dry-run',
      });
    const { writeReport } = await import('../report/write-report.ts');
    const request = { worker, output: input.text('output'), dryRun: input.flag('dryRun') };
    return await writeReport(shell, request, async (found) => {
      if (shell.options.yes || !shell.isInteractive) return;
      shell.out((await import('../text/report-text.ts')).contentsText(found));
      await shell.confirm('Write these files to an archive?', { message: 'nothing was written', hint: 'llmc report --help' });
    });
  },
  async text(output, shell) {
    if ('log' in output) return (await import('../runs/error-log.ts')).errorLogText(output, shell.display);
    if ('errors' in output)
      return (await import('../runs/text/report-run-text.ts')).reportRunText(output, shell.options.verbose, shell.display);
    const { contentsText, writtenText } = await import('../text/report-text.ts');
    const shownBefore = output.file !== null && shell.isInteractive && !shell.options.yes;
    return [...(shownBefore ? [] : [contentsText(output)]), writtenText(output)].join('\n');
  },
});

function toConditions(input: Input) {
  const since = input.text('since');
  return {
    run: input.args[0],
    code: input.text('code'),
    severity: toSeverity(input),
    step: input.text('stage'),
    role: input.text('role'),
    open: input.flag('open'),
    since: since === undefined ? undefined : Date.now() - parseDuration(since),
  };
}

/** The error log of a run says critical where a command says fatal. */
function toSeverity(input: Input): string | undefined {
  const severity = input.text('severity');
  return severity === 'critical' ? 'fatal' : severity;
}
