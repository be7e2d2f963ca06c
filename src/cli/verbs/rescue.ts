import { LlmcError } from '../../base/error.ts';
import type { Rescue } from '../../git/rescue/rescue-ref.ts';
import type { RestoreResult } from '../../workers/rescue-work.ts';
import { defineVerb } from '../verb.ts';

type RescueOutput =
  | { readonly action: 'list'; readonly rescues: readonly Rescue[] }
  | { readonly action: 'show'; readonly rescue: Rescue; readonly diff: string }
  | ({ readonly action: 'restore' } & RestoreResult);

export const rescue = defineVerb<RescueOutput>({
  name: 'rescue',
  summary: 'list, show or restore saved work',
  description:
    'llmc saves work before it destroys it. "list [worker]" lists the rescues, "show <name>" prints the diff, "restore <name>" restores the work as a branch of the root, or with --into into an idle worker’s worktree. Work with a commit is then ready for a review.',
  verbatim: true,
  arguments: [
    { syntax: '[action]', about: 'list (default), show or restore' },
    { syntax: '[name]', about: 'a rescue, or a worker (its newest rescue)' },
  ],
  options: [{ flags: '--into <worker>', about: 'restore into this idle worker' }],
  examples: ['llmc rescue', 'llmc rescue show adam', 'llmc rescue restore adam/20260131T120000Z --into baker'],
  async run(input, shell) {
    const [action = 'list', name] = input.args;
    if (action === 'list') return { action, rescues: await shell.call('rescueList', { worker: name }) };
    if (action !== 'show' && action !== 'restore')
      throw new LlmcError('INVALID_ARGUMENT', `"${action}" is not list, show or restore`, { hint: 'llmc rescue --help' });
    if (name === undefined) throw new LlmcError('INVALID_ARGUMENT', `name the rescue to ${action}`, { hint: 'llmc rescue list' });
    if (action === 'show') return { action, ...(await shell.call('rescueShow', { name })) };
    return { action, ...(await shell.call('rescueRestore', { name, into: input.text('into') })) };
  },
  async text(result, shell) {
    switch (result.action) {
      case 'list':
        return result.rescues.length === 0
          ? 'Nothing is saved.'
          : (await import('../text/rescue-text.ts')).rescueList(result.rescues, Date.now(), shell.display.columns);
      case 'show':
        return result.diff;
      case 'restore': {
        const where = result.worker === null ? `the branch ${result.branch} of the root` : `the worktree of ${result.worker}`;
        return shell.atRoot(
          `Restored ${result.rescue} to ${where}.${result.reviewable ? ` Review it: llmc review ${result.worker}` : ''}${result.replaced === null ? '' : ` Its earlier content is saved: llmc rescue show ${result.replaced}`}`,
        );
      }
    }
  },
});
