import type { Frame } from './frame.ts';

/** What the conversation shows of the latest turn. */
export interface Turn {
  /** The line with the moving glyph, while Claude works. */
  readonly spinner: string | undefined;
  /** The closing line `✻ Cooked for 8s · done 12:56 AM`; it also follows failures. */
  readonly finished: string | undefined;
  /** Marked paragraphs after the last prompt, oldest first. */
  readonly results: readonly string[];
}

export function readTurn(frame: Frame): Turn {
  const { above, texts } = frame;
  // Hints and tips are indented: the lowest line that starts at column 0 says how the turn stands.
  const lowest = above.findLast((line) => /^\S/.test(line)) ?? '';
  const prompt = above.findLastIndex((line) => texts.promptMark.test(line));
  return {
    spinner: texts.spinner.test(lowest) ? lowest : undefined,
    finished: texts.finished.test(lowest) ? lowest : undefined,
    results: paragraphs(above.slice(prompt + 1), frame),
  };
}

function paragraphs(lines: readonly string[], { texts }: Frame): readonly string[] {
  const found: string[] = [];
  let open = false;
  for (const line of lines) {
    const mark = texts.tip.test(line) ? null : texts.resultMark.exec(line);
    if (mark !== null) {
      found.push((mark[1] ?? '').trim());
      open = true;
    } else if (line === '' || !/^ {2,5}\S/.test(line)) {
      open = false;
    } else if (open) {
      found.push(`${found.pop()} ${line.trim()}`);
    }
  }
  return found;
}
