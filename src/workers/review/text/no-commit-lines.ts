import { markLookAlikes } from '../../../base/look-alike.ts';
import { sentence } from '../../../base/sentence.ts';
import { cutToWidth } from '../../../base/text-width.ts';
import { inOneLine, visibleLine } from '../../../base/visible-text.ts';
import type { ReviewResult } from '../review-result.ts';
import type { ReviewLine } from './review-lines.ts';
import { warningLines } from './warning-text.ts';

type WithoutCommit = Pick<ReviewResult, 'worker' | 'kind' | 'task' | 'uncommitted' | 'attention' | 'warnings'>;

/** About an answer, or a turn that ended without a commit: what it is, and what it left. */
export function noCommitLines(result: WithoutCommit, columns: number): readonly ReviewLine[] {
  const { worker, kind, task, uncommitted, attention, warnings } = result;
  const line = { isCaution: false, hasCommands: false };
  const title: ReviewLine =
    kind === 'answer'
      ? { ...line, weight: 'tells', text: `${worker}: an answer` }
      : { ...line, weight: 'blocks', text: `${worker}: its work is not finished, and cannot be accepted as it is` };
  return [
    title,
    ...(task === null
      ? []
      : [{ ...line, weight: 'tells' as const, text: cutToWidth(`Task: ${markLookAlikes(visibleLine(inOneLine(task)))}`, columns) }]),
    ...(kind === 'unfinished' && attention !== null
      ? [{ ...line, weight: 'blocks' as const, hasCommands: true, text: `! ${sentence(attention)}` }]
      : []),
    ...(uncommitted.length === 0
      ? []
      : [{ ...line, weight: 'warns' as const, text: visibleLine(`Not committed: ${uncommitted.join(', ')}`) }]),
    ...warningLines(warnings).map((text) => ({ text, weight: 'warns' as const, isCaution: true, hasCommands: true })),
  ];
}

/** What to know about the text of an answer. */
export function answerCautions({ worker, answer }: Pick<ReviewResult, 'worker' | 'answer'>): readonly string[] {
  return [
    ...(answer?.source === 'screen'
      ? [`! Its agent reports no messages. This was read from its screen; for more: llmc attach ${worker}`]
      : []),
    ...(answer?.cut === true ? ['! llmc has only the beginning of the answer.'] : []),
  ];
}
