import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Proof } from '../../proof/proof.ts';
import { countAltered, findingsId, judgeProof } from '../../proof/verdict.ts';
import type { Worker } from '../../store/state.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';
import { standingProof } from '../review/standing-proof.ts';

/** What a person said about one accept. */
interface Allowed {
  readonly allowDropped?: boolean | undefined;
  /** Only reviewed work may land. Without it, nobody says to have looked. */
  readonly requireReview?: boolean | undefined;
  /** Everything that is clean lands: nobody means this work. */
  readonly onlyClean?: boolean | undefined;
  readonly branch?: string | undefined;
}

/**
 * Refuses work whose resolved conflict has lost lines, unless a person allows that, and work in which it has replaced or added lines,
 * unless a person has seen exactly that and accepts this very work. A hard stop is never allowed.
 */
export async function requireSurvival(
  context: WorkContext,
  worker: Worker,
  head: string,
  { allowDropped, requireReview, onlyClean, branch }: Allowed,
): Promise<void> {
  const { store } = context;
  const proof = await standingProof(context, worker, head);
  const verdict = proof === undefined ? 'clean' : judgeProof(proof);
  if (proof === undefined || verdict === 'clean') return;
  const back = commandLine('llmc', 'reject', '--worker', worker.name, 'Bring back what the resolved conflict has lost');
  if (verdict === 'hard_stop')
    throw new LlmcError('LINES_DROPPED', `the result of ${worker.name}’s conflict cannot be right`, {
      hint: `What is wrong: llmc review ${worker.name}; send it back: ${back}`,
    });
  if (verdict === 'altered' && allowDropped !== true) {
    const isSeen = worker.reviewed_patch_id !== null && worker.reviewed_proof === findingsId(proof);
    if (isSeen && requireReview === true && onlyClean !== true) return;
    throw notSeen(worker.name, proof, isSeen, acceptCommand(worker.name, branch));
  }
  const { dropped, resurrected, replaced, added, unexplained } = proof.counts;
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
    summary: `a person allowed what the resolved conflict lost: ${dropped} dropped, ${resurrected} resurrected, ${replaced} replaced, ${added} added`,
  });
}

function notSeen(name: string, proof: Proof, isSeen: boolean, accept: string): LlmcError {
  const count = countAltered(proof);
  const what = `the resolved conflict of ${name} has ${count === 1 ? 'one line or file' : `${count} lines or files`} other than on the two sides`;
  return isSeen
    ? new LlmcError('LINES_REPLACED', `${what}: neither --yes nor --all-clean lands it`, { hint: `You have reviewed it: ${accept}` })
    : new LlmcError('LINES_REPLACED', `${what}, and nobody has seen that`, { hint: `llmc review ${name}, then: ${accept}` });
}
