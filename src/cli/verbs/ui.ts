import { LlmcError } from '../../base/error.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import type { NamedRoot } from '../../tui/model/view.ts';
import { namedRoots, nameOfRoot } from '../roots/named-roots.ts';
import { rootHere } from '../roots/root-here.ts';
import type { Shell } from '../shell.ts';
import { defineVerb } from '../verb.ts';

export const ui = defineVerb({
  name: 'ui',
  summary: 'open the view of all workers; llmc without arguments does the same',
  description:
    'In a repository without a root, it first offers to make one and to start its supervisor. --all shows the workers of all your roots together; llmc alone does that outside any repository, unless there is ~/llmc. Shows the workers on the whole terminal: on the left what needs you first, on the right the screen, the diff, the conversation, the reason or the log of the selected one. Each key is also a command; ? lists them. Ctrl+C or Q leaves, and everything goes on.',
  decides: true,
  arguments: [],
  options: [{ flags: '--all', about: 'all your repositories together' }],
  examples: ['llmc', 'llmc ui --all', 'llmc ui --root ~/other'],
  async run(input, shell) {
    if (shell.options.json) throw new LlmcError('INVALID_ARGUMENT', 'the view has no JSON', { hint: 'llmc status --json' });
    const isTogether = input.flag('all');
    if (!isTogether && shell.options.root === undefined && !(await offerRoot(shell))) return undefined;
    const roots = isTogether ? allRoots(shell) : [{ root: shell.root, name: nameOfRoot(shell.root) }];
    if (!isTogether) requireRoot(shell.layout);
    if (!shell.isInteractive) throw new LlmcError('INVALID_ARGUMENT', 'the view needs a terminal', { hint: 'llmc status' });
    if (process.env.TERM === 'dumb')
      throw new LlmcError('INVALID_ARGUMENT', 'this terminal (TERM=dumb) cannot move its cursor', { hint: 'llmc status --watch' });
    const { Program } = await import('../ui/program.ts');
    const { status, underWay } = await new Program(shell, roots, isTogether).run();
    // The open request would keep the process alive until the work has landed; its end cancels it, as Ctrl+C does for llmc accept.
    if (underWay.length > 0) {
      const { describeEffect: labelOf } = await import('../../tui/model/effect.ts');
      for (const effect of underWay) shell.say(`${labelOf(effect) ?? effect.kind} was canceled. See what it reached: llmc status`);
      process.exit(status);
    }
    if (status !== undefined) process.exit(status);
    return undefined;
  },
});

/** All roots, the one of the current folder first. */
function allRoots({ root }: Shell): readonly NamedRoot[] {
  const all = namedRoots([root]);
  if (all.length === 0)
    throw new LlmcError('ROOT_NOT_FOUND', 'there is no llmc root yet', { hint: 'Go into a git repository and type llmc' });
  return all;
}

/** False if there is still no root to view. */
async function offerRoot(shell: Shell): Promise<boolean> {
  const here = rootHere();
  if (here.kind !== 'missing' || !shell.isInteractive) return true;
  return await (await import('../roots/offer-root.ts')).offerRoot(here.repository, shell);
}
