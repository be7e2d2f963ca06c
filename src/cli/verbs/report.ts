import { LlmcError } from '../../base/error.ts';
import type { ReportOutput } from '../report/write-report.ts';
import { defineVerb } from '../verb.ts';

export const report = defineVerb<ReportOutput>({
  name: 'report',
  summary: 'collect what helps to find a fault in one archive, without secrets',
  description:
    'Writes an archive (.tar.gz, readable by you alone) with the status, the explanation, the history, the deliveries, the saved screens and the git facts of a worker or of all workers, and with the versions, the configuration and the result of llmc doctor. Conversations and the files of worktrees are not in it. Values of the environment, words with the shape of a token, URLs with credentials, private keys and whatever the patterns of redact in [report] match are replaced by [redacted]. On a terminal, report prints the list of the contents and asks before it writes. It works without a supervisor and with a damaged database: what cannot be read is listed with its reason. Look through the archive before you give it to others.',
  arguments: [],
  options: [
    { flags: '--worker <name>', about: 'only this worker' },
    { flags: '--all', about: 'all workers' },
    { flags: '--output <file>', about: 'the archive to write; an existing file is refused (default: llmc-report-….tar.gz in this folder)' },
    { flags: '--dry-run', about: 'print the list of the contents, and write nothing' },
  ],
  examples: ['llmc report --worker adam', 'llmc report --all --dry-run', 'llmc report --all --output report.tar.gz --yes'],
  async run(input, shell) {
    const worker = input.text('worker');
    if ((worker === undefined) !== input.flag('all'))
      throw new LlmcError('INVALID_ARGUMENT', 'name a worker with --worker, or use --all', { hint: 'llmc report --all --dry-run' });
    const { writeReport } = await import('../report/write-report.ts');
    const request = { worker, output: input.text('output'), dryRun: input.flag('dryRun') };
    return await writeReport(shell, request, async (found) => {
      if (shell.options.yes || !shell.isInteractive) return;
      shell.out((await import('../text/report-text.ts')).contentsText(found));
      await shell.confirm('Write these files to an archive?', { message: 'nothing was written', hint: 'llmc report --help' });
    });
  },
  async text(output, shell) {
    const { contentsText, writtenText } = await import('../text/report-text.ts');
    const shownBefore = output.file !== null && shell.isInteractive && !shell.options.yes;
    return [...(shownBefore ? [] : [contentsText(output)]), writtenText(output)].join('\n');
  },
});
