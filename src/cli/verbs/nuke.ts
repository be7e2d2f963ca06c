import { LlmcError } from '../../base/error.ts';
import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import type { NukeResult } from '../../workers/nuke-worker.ts';
import { defineVerb } from '../verb.ts';

export const nuke = defineVerb<readonly NukeResult[]>({
  name: 'nuke',
  alias: 'rm',
  summary: 'remove workers permanently',
  description: 'Ends the session and removes worktree, branch and registration. Saves the work as a rescue first: llmc rescue.',
  decides: true,
  arguments: [{ syntax: '[name...]', about: 'the workers to remove' }],
  options: [{ flags: '--all', about: 'every worker' }],
  examples: ['llmc nuke adam', 'llmc nuke --all --yes'],
  interrupted: () => 'Cancelled. To see the workers that were not removed: llmc status',
  async run(input, shell) {
    requireRoot(shell.layout);
    const state = readStateLeniently(shell.layout);
    if (input.flag('all') === input.args.length > 0)
      throw new LlmcError('INVALID_ARGUMENT', 'name the workers to remove, or use --all', { hint: 'llmc nuke adam, or llmc nuke --all' });
    const names = input.flag('all') ? Object.keys(state.workers) : input.args.map((name) => findWorker(state, name).name);
    if (input.flag('all') && names.length > 0 && !shell.options.yes && !shell.isInteractive)
      throw new LlmcError('INVALID_ARGUMENT', `--all removes ${names.length} workers, and there is no terminal to ask for confirmation`, {
        hint: 'llmc nuke --all --yes',
      });
    if (names.length > 0)
      await shell.confirm(`Remove ${names.join(', ')}? Work that has not landed is kept as a rescue.`, {
        message: 'no worker was removed',
        hint: 'llmc status',
      });
    const removed: NukeResult[] = [];
    for (const name of new Set(names)) removed.push(await shell.call('nuke', { name }));
    return removed;
  },
  text: (results) =>
    results.length === 0
      ? 'There are no workers.'
      : results
          .map(({ worker, rescued }) => `Removed ${worker}.${rescued === null ? '' : ` Its work is saved: llmc rescue show ${rescued}`}`)
          .join('\n'),
});
