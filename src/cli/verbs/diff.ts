import type { DiffResult } from '../../workers/review/diff-work.ts';
import { defineVerb } from '../verb.ts';

export const diff = defineVerb<DiffResult>({
  name: 'diff',
  summary: 'show the work of a worker as it is now, also while it works',
  description:
    'Shows the commits of a worker since main together with its uncommitted and new files, also while its agent works. It only reads: it rebases nothing, changes no file and does not count as a review. Very large files, nested repositories and more than 2,000 new files are named without their lines.',
  verbatim: true,
  arguments: [{ syntax: '<worker>', about: 'the worker' }],
  options: [
    { flags: '--stat', about: 'only the names of the files and the number of changed lines' },
    { flags: '--ignore-whitespace', about: 'leave out lines that differ only in white space' },
  ],
  examples: ['llmc diff adam', 'llmc diff adam --stat', 'llmc diff adam --ignore-whitespace --json'],
  run: async (input, shell) => await shell.call('diff', { worker: input.args[0] ?? '', ignoreWhitespace: input.flag('ignoreWhitespace') }),
  async text(result, shell, input) {
    const { workDiffBody, workDiffHead } = await import('../review/work-diff-text.ts');
    const head = workDiffHead(result, shell.display);
    if (input.flag('stat')) return `${head}\n\n${result.stat}`;
    const text = `${head}\n\n${workDiffBody(result, shell.options.color)}`;
    if (!shell.isInteractive) return text;
    return (await (await import('../review/viewers.ts')).page(text, undefined)) ? head : text;
  },
});
