import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';

export interface WhyShown {
  /** At most three sentences: the status, what the agent does, and what to do or what it waits for. */
  readonly inShort: readonly string[];
  /** Everything that `llmc why --full` prints. */
  readonly evidence: readonly string[];
}

/** Three sentences, the last one in bold; or everything, with the evidence. */
export function drawWhy({ inShort, evidence }: WhyShown, { columns }: Size, withEvidence: boolean): readonly Line[] {
  if (withEvidence) return evidence.flatMap((line) => wrapText(line, columns));
  return inShort.flatMap((line, index) => wrapText(line, columns, index === 2 ? { bold: true } : undefined));
}
