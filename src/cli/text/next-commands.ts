import { judgeProof } from '../../proof/verdict.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';

/** Whether an accept can land the work as it is. */
export function mayLand({ kind: what, uncommitted, conflicts, attention_kind: kind, proof }: ReviewResult): boolean {
  if (what !== 'work') return false;
  if (kind === 'conflict' || kind === 'conflict_given_up' || conflicts.some(({ kind: with_ }) => with_ === 'main')) return false;
  return uncommitted.length === 0 && (proof === null || judgeProof(proof) !== 'hard_stop');
}

/** The commands that can follow a review, and the rest of the queue. */
export function nextCommands(result: ReviewResult): string {
  const { waiting } = result;
  const rest =
    waiting.length === 0
      ? []
      : [`${waiting.length} more to review (${waiting.slice(0, 5).join(', ')}${waiting.length > 5 ? ', …' : ''}): llmc review --next`];
  return [decisions(result).join('   or   '), ...rest].join('\n');
}

function decisions(result: ReviewResult): readonly string[] {
  const { worker, uncommitted, proof } = result;
  if (result.kind === 'answer') return [`llmc dismiss ${worker}`, `llmc message ${worker} "…"`];
  if (result.kind === 'unfinished') {
    const ask = uncommitted.length > 0 ? `llmc message ${worker} "Commit your work"` : `llmc message ${worker} "…"`;
    return [ask, `llmc attach ${worker}`, `llmc reset ${worker}`];
  }
  const back = `llmc reject --worker ${worker} "…"`;
  if (uncommitted.length > 0) return [`llmc reject --worker ${worker} "Commit or remove the remaining changes"`];
  if (mayLand(result))
    return [proof !== null && judgeProof(proof) === 'losses' ? `llmc accept ${worker} --allow-dropped` : `llmc accept ${worker}`, back];
  return proof !== null && judgeProof(proof) === 'hard_stop' ? [back] : [`llmc rebase ${worker}`, back];
}
