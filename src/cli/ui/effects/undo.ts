import { visibleLine } from '../../../base/visible-text.ts';
import type { Effect } from '../../../tui/model/effect.ts';
import { undoQuestion, undoText } from '../../text/undo-text.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

type Undo = Extract<Effect, { kind: 'plan-undo' | 'undo' }>;

/** Asks what the last accept was, which the person confirms; then takes it back. */
export async function undoLast(effect: Undo, { own, shell }: Surroundings): Promise<EffectOutcome> {
  const { patrol } = shell.options;
  if (effect.kind === 'undo') {
    const { worker, landing } = effect;
    const undone = await own.call('undo', { worker, landing, revert: false, dryRun: false, patrol });
    return { notice: { tone: 'good', text: visibleLine(undoText(undone)) } };
  }
  const planned = await own.call('undo', { worker: effect.worker, revert: false, dryRun: true, patrol });
  if (planned.outcome !== 'planned') return { notice: { tone: 'plain', text: visibleLine(undoText(planned)) } };
  const { worker, landing } = planned;
  const confirmed: Effect = { kind: 'undo', root: shell.root, worker, landing };
  return { opens: { kind: 'confirm', question: undoQuestion(planned), effect: confirmed, below: { kind: 'browse' } } };
}
