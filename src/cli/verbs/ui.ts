import { LlmcError } from '../../base/error.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { rootHere } from '../roots/root-here.ts';
import type { Shell } from '../shell.ts';
import { defineVerb } from '../verb.ts';

export const ui = defineVerb({
  name: 'ui',
  summary: 'open the view of all workers; llmc without arguments does the same',
  description:
    'In a repository without a root, it first offers to make one and to start its supervisor. Shows the workers on the whole terminal: on the left what needs you first, on the right the screen, the diff, the conversation, the reason or the log of the selected one. Each key is also a command; ? lists them. Ctrl+C or Q leaves, and everything goes on.',
  decides: true,
  arguments: [],
  options: [],
  examples: ['llmc', 'llmc ui --root ~/other'],
  async run(_, shell) {
    if (shell.options.json) throw new LlmcError('INVALID_ARGUMENT', 'the view has no JSON', { hint: 'llmc status --json' });
    if (shell.options.root === undefined && !(await offerRoot(shell))) return undefined;
    requireRoot(shell.layout);
    if (!shell.isInteractive) throw new LlmcError('INVALID_ARGUMENT', 'the view needs a terminal', { hint: 'llmc status' });
    if (process.env.TERM === 'dumb')
      throw new LlmcError('INVALID_ARGUMENT', 'this terminal (TERM=dumb) cannot move its cursor', { hint: 'llmc status --watch' });
    const { Program } = await import('../ui/program.ts');
    const underWay = await new Program(shell).run();
    // The open request would keep the process alive until the work has landed; its end cancels it, as Ctrl+C does for llmc accept.
    if (underWay.length > 0) {
      const { labelOf } = await import('../../tui/model/effect.ts');
      for (const effect of underWay) shell.say(`${labelOf(effect) ?? effect.kind} was canceled. See what it reached: llmc status`);
      process.exit();
    }
    return undefined;
  },
});

/** False if there is still no root to view. */
async function offerRoot(shell: Shell): Promise<boolean> {
  const here = rootHere();
  if (here.kind !== 'missing' || !shell.isInteractive) return true;
  return await (await import('../roots/offer-root.ts')).offerRoot(here.repository, shell);
}
