import type { ClaudeFrame } from './frame.ts';
import type { Speaker } from './texts.ts';

/** The parts of the latest turn that the conversation shows. */
export interface ClaudeTurn {
  /** The line with the moving glyph, while Claude works. */
  readonly spinner: string | undefined;
  /** The closing line `✻ Cooked for 8s · done 12:56 AM`; it also follows failures. */
  readonly finished: string | undefined;
  /** Marked paragraphs after the last prompt, oldest first. */
  readonly results: readonly TurnParagraph[];
}

export interface TurnParagraph {
  readonly by: Speaker;
  readonly text: string;
}

export function readTurn(frame: ClaudeFrame): ClaudeTurn {
  const { above, texts } = frame;
  // Hints and tips are indented: the lowest line that starts at column 0 shows the state of the turn.
  const lowest = above.findLast((line) => /^\S/.test(line)) ?? '';
  const prompt = above.findLastIndex((line) => texts.promptMark.test(line));
  return {
    spinner: texts.spinner.test(lowest) ? lowest : undefined,
    finished: texts.finished.test(lowest) ? lowest : undefined,
    results: paragraphs(above.slice(prompt + 1), frame),
  };
}

function paragraphs(lines: readonly string[], { texts }: ClaudeFrame): readonly TurnParagraph[] {
  const found: TurnParagraph[] = [];
  let open = false;
  for (const line of lines) {
    const mark = texts.tip.test(line) ? null : texts.resultMark.exec(line);
    const last = found.at(-1);
    if (mark !== null) {
      found.push({ by: mark[1] === '● ' ? 'reply' : 'note', text: (mark[2] ?? '').trim() });
      open = true;
    } else if (line === '' || !/^ {2,5}\S/.test(line)) {
      open = false;
    } else if (open && last !== undefined) {
      found.splice(-1, 1, { ...last, text: `${last.text} ${line.trim()}` });
    }
  }
  return found;
}
