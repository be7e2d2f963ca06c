import type { Begun } from '../../../tui/model/effect.ts';
import { offersFor } from '../../completion/offers-for.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

/** What can stand at the end of the command line. */
export async function complete(
  { root, line }: Extract<Begun, { kind: 'complete' }>,
  { shell, dispatch }: Surroundings,
): Promise<EffectOutcome> {
  dispatch({ kind: 'completed', root, line, offers: await offersFor(line, shell, shell.options.declarations) });
  return {};
}
