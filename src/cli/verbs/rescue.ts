import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import type { Rescue } from '../../git/rescue/rescue-ref.ts';
import type { PruneResult, RestoreResult, SavedWork } from '../../workers/rescue-work.ts';
import { requirePerson } from '../owner/require-person.ts';
import type { Shell } from '../shell.ts';
import { defineVerb, type Input } from '../verb.ts';

type RescueOutput =
  | { readonly action: 'list'; readonly rescues: readonly SavedWork[] }
  | { readonly action: 'show'; readonly rescue: Rescue; readonly diff: string }
  | { readonly action: 'diff'; readonly rescue: string; readonly other: string; readonly diff: string }
  | ({ readonly action: 'prune'; readonly dry_run: boolean } & PruneResult)
  | ({ readonly action: 'restore' } & RestoreResult);

export const rescue = defineVerb<RescueOutput>({
  name: 'rescue',
  summary: 'list, show, compare, restore or delete saved work',
  description:
    'llmc saves work before it destroys it. "list [worker]" lists the rescues, "show <name>" prints the diff, "diff <name> [other]" compares a rescue with another one or with the branch of its worker, "restore <name>" restores the work as a branch of the root, or with --into into an idle worker’s worktree, which only a person may do. Work with a commit is then ready for a review. A rescue also holds commits that only the reflog knew; "show" lists them, and <name>:<commit> shows or restores one. "prune [worker] --older-than <duration>" deletes old rescues; it asks first (without a terminal it needs --yes), and only a person may run it.',
  verbatim: true,
  arguments: [
    { syntax: '[action]', about: 'list (default), show, diff, restore or prune', words: ['list', 'show', 'diff', 'restore', 'prune'] },
    { syntax: '[name]', about: 'a rescue, or a worker (its newest rescue); :<commit> after it means one of its commits' },
    { syntax: '[other]', about: 'with diff: the rescue to compare with' },
  ],
  options: [
    { flags: '--into <worker>', about: 'restore into this idle worker' },
    { flags: '--sizes', about: 'with list: add what each holds on disk beyond the branches' },
    { flags: '--older-than <duration>', about: 'with prune: delete what is older than 30d, 12h, …' },
    { flags: '--dry-run', about: 'with prune: show what would be deleted' },
  ],
  examples: [
    'llmc rescue',
    'llmc rescue show adam',
    'llmc rescue show adam:1a2b3c4d5e6f',
    'llmc rescue diff adam',
    'llmc rescue restore adam/20260131T120000Z --into baker',
    'llmc rescue prune --older-than 30d --dry-run',
  ],
  async run(input, shell) {
    const [action = 'list', name, other] = input.args;
    refuseMisplaced(input, action);
    if (action === 'list') return { action, rescues: await shell.call('rescueList', { worker: name, sizes: input.flag('sizes') }) };
    if (action === 'prune') return { action, ...(await prune(input, shell)) };
    if (action !== 'show' && action !== 'restore' && action !== 'diff')
      throw new LlmcError('INVALID_ARGUMENT', `"${action}" is not list, show, diff, restore or prune`, { hint: 'llmc rescue --help' });
    if (name === undefined) throw new LlmcError('INVALID_ARGUMENT', `name the rescue to ${action}`, { hint: 'llmc rescue list' });
    if (action === 'show') return { action, ...(await shell.call('rescueShow', { name })) };
    if (action === 'diff') return { action, ...(await shell.call('rescueDiff', { name, other })) };
    const into = input.text('into');
    if (into !== undefined) await requirePerson('rescue restore --into', shell);
    return { action, ...(await shell.call('rescueRestore', { name, into })) };
  },
  async text(result, shell) {
    switch (result.action) {
      case 'list':
        return result.rescues.length === 0
          ? 'Nothing is saved.'
          : (await import('../text/rescue-text.ts')).rescueList(result.rescues, Date.now(), shell.display.columns);
      case 'show':
        return result.diff;
      case 'diff':
        return result.diff === '' ? `${result.rescue} and ${result.other} hold the same files.` : result.diff;
      case 'prune':
        return (await import('../text/rescue-text.ts')).pruneText(result, result.dry_run, Date.now(), shell.display.columns);
      case 'restore': {
        const where = result.worker === null ? `the branch ${result.branch} of the root` : `the worktree of ${result.worker}`;
        return shell.atRoot(
          `Restored ${result.rescue} to ${where}.${result.reviewable ? ` Review it: llmc review ${result.worker}` : ''}${result.replaced === null ? '' : ` Its earlier content is saved: llmc rescue show ${result.replaced}`}`,
        );
      }
    }
  },
});

const BELONGS = [
  { flag: '--into', key: 'into', to: 'restore' },
  { flag: '--sizes', key: 'sizes', to: 'list' },
  { flag: '--older-than', key: 'olderThan', to: 'prune' },
  { flag: '--dry-run', key: 'dryRun', to: 'prune' },
] as const;

/** A list must not look like the plan of a deletion. */
function refuseMisplaced(input: Input, action: string): void {
  const wrong = BELONGS.find(({ key, to }) => to !== action && (input.flag(key) || input.text(key) !== undefined));
  if (wrong === undefined) return;
  throw new LlmcError('INVALID_ARGUMENT', `${wrong.flag} is for rescue ${wrong.to}`, { hint: 'llmc rescue --help' });
}

/** Asks with the list in view: what is deleted here cannot be restored. */
async function prune(input: Input, shell: Shell): Promise<PruneResult & { readonly dry_run: boolean }> {
  const age = input.text('olderThan');
  if (age === undefined)
    throw new LlmcError('INVALID_ARGUMENT', 'say which rescues to delete: --older-than', {
      hint: 'llmc rescue prune --older-than 30d --dry-run',
    });
  await requirePerson('rescue prune', shell);
  const request = { worker: input.args[1], olderThanMs: parseDuration(age) };
  const dryRun = input.flag('dryRun');
  const found = await shell.call('rescuePrune', { ...request, dryRun: true });
  if (dryRun || found.pruned.length === 0) return { dry_run: dryRun, ...found };
  const names = found.pruned.map(({ name }) => name).join(', ');
  const hint = 'llmc rescue prune --older-than 30d --dry-run';
  if (!shell.isInteractive && !shell.options.yes)
    throw new LlmcError('INVALID_ARGUMENT', 'nothing was deleted: without a terminal, prune needs --yes, because it cannot be undone', {
      hint,
    });
  await shell.confirm(`Delete ${found.pruned.length} rescues for ever: ${names}?`, { message: 'nothing was deleted', hint });
  const only = found.pruned.map(({ name, sha }) => ({ name, sha }));
  return { dry_run: false, ...(await shell.call('rescuePrune', { ...request, dryRun: false, only })) };
}
