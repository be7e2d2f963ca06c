import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { verdictOf } from '../../proof/verdict.ts';
import type { Worker } from '../../store/state.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';
import { standingProof } from '../review/standing-proof.ts';

/** What a person said about one accept. */
interface Allowed {
  readonly allowDropped?: boolean | undefined;
  readonly branch?: string | undefined;
}

/** Refuses work whose resolved conflict has lost lines, unless a person allows that. A hard stop is never allowed. */
export async function requireSurvival(
  context: WorkContext,
  worker: Worker,
  head: string,
  { allowDropped, branch }: Allowed,
): Promise<void> {
  const { store } = context;
  const proof = await standingProof(context, worker, head);
  const verdict = proof === undefined ? 'clean' : verdictOf(proof);
  if (proof === undefined || verdict === 'clean') return;
  const back = commandLine('llmc', 'reject', '--worker', worker.name, 'Bring back what the resolved conflict has lost');
  if (verdict === 'hard_stop')
    throw new LlmcError('LINES_DROPPED', `the result of ${worker.name}’s conflict cannot be right`, {
      hint: `What is wrong: llmc review ${worker.name}; send it back: ${back}`,
    });
  const { dropped, resurrected, unexplained } = proof.counts;
  if (allowDropped !== true)
    throw new LlmcError(
      'LINES_DROPPED',
      `the conflict of ${worker.name} was resolved with ${unexplained} unexplained ${unexplained === 1 ? 'loss' : 'losses'}`,
      {
        hint: `Which lines: llmc review ${worker.name}; send it back: ${back}; or land it as it is: ${acceptCommand(worker.name, branch, '--allow-dropped')}`,
      },
    );
  store.commit({
    worker: worker.name,
    kind: 'accept',
    summary: `a person allowed what the resolved conflict lost: ${dropped} dropped, ${resurrected} resurrected`,
  });
}
