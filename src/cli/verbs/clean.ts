import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import type { CleanOutput } from '../clean/clean-text.ts';
import { defineVerb, type Input } from '../verb.ts';

const DEFAULT_AGE = '30d';

export const clean = defineVerb<CleanOutput>({
  name: 'clean',
  summary: 'archive old runs, and remove worktrees that nothing needs',
  description:
    'With --runs, every run that ended more than 30 days ago goes to the archive: its folder is moved to runs/archive/<run>, with its log, its report, its results and its rows of the database, which are deleted there. With --worktrees, it removes the workers that such runs have left, and worktrees that no worker has; work in them that is kept nowhere else is saved as a rescue first. Without either, both. Runs that have not ended, and work that a person has not decided about, stay. On a terminal it asks first; without one it needs --yes.',
  decides: true,
  arguments: [],
  options: [
    { flags: '--worktrees', about: 'only worktrees' },
    { flags: '--runs', about: 'only runs' },
    { flags: '--older-than <duration>', about: `what ended longer ago than this, such as 12h (default: ${DEFAULT_AGE})` },
    { flags: '--dry-run', about: 'print what would go, with its size, and change nothing' },
  ],
  examples: ['llmc clean --dry-run', 'llmc clean --runs --older-than 7d', 'llmc clean --worktrees --yes'],
  interrupted: () => 'Cancelled. What was archived or removed stays so; to see what is left: llmc clean --dry-run',
  async run(input, shell) {
    const olderThanMs = parseDuration(input.text('olderThan') ?? DEFAULT_AGE);
    const [runs, worktrees] = [input.flag('runs'), input.flag('worktrees')];
    const request = { runs: runs || !worktrees, worktrees: worktrees || !runs, olderThanMs };
    const { readCleaning } = await import('../clean/read-cleaning.ts');
    const plan = await readCleaning(shell, request);
    if (input.flag('dryRun')) return { dry_run: true, ...plan };
    if (plan.runs.length + plan.worktrees.length === 0) return { dry_run: false, archived: [], removed: [], kept: plan.kept };
    const hint = dryRunCommand(input);
    if (!shell.isInteractive && !shell.options.yes)
      throw new LlmcError('INVALID_ARGUMENT', 'nothing was changed: without a terminal, clean needs --yes', { hint });
    if (shell.isInteractive && !shell.options.yes) {
      const { planLines } = await import('../clean/clean-text.ts');
      shell.out(planLines(plan, Date.now()).join('\n'));
    }
    await shell.confirm(`Archive ${plan.runs.length} runs and remove ${plan.worktrees.length} worktrees?`, {
      message: 'nothing was changed',
      hint,
    });
    const { archived, removed, kept } = await shell.call('clean', {
      olderThanMs,
      runs: plan.runs.map(({ run }) => run),
      workers: plan.worktrees.flatMap(({ worker, run }) => (run === null ? [] : [worker])),
      left: plan.worktrees.flatMap(({ worker, run }) => (run === null ? [worker] : [])),
    });
    return { dry_run: false, archived, removed, kept: [...plan.kept, ...kept] };
  },
  text: async (output) => (await import('../clean/clean-text.ts')).cleanText(output, Date.now()),
});

function dryRunCommand(input: Input): string {
  const age = input.text('olderThan');
  const flags = ['worktrees', 'runs'].filter((flag) => input.flag(flag)).map((flag) => `--${flag}`);
  return ['llmc clean', ...flags, ...(age === undefined ? [] : [`--older-than ${age}`]), '--dry-run'].join(' ');
}
