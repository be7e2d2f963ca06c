import { TEXTS } from './texts.ts';

/** The parts of the latest turn that the conversation shows. */
export interface CodexTurn {
  /** The status line right above the box, while Codex works and no text is arriving. */
  readonly status: string | undefined;
  /** The last block of the turn. */
  readonly end: TurnEnd;
}

export type TurnEnd =
  /** Nothing after the prompt, or no prompt at all. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'finished' }
  /** The whole sentence after the `■`. */
  | { readonly kind: 'failure'; readonly text: string }
  /** A reply without an end below it. */
  | { readonly kind: 'reply' };

interface Block {
  readonly head: string;
  readonly lines: readonly string[];
}

export function readTurn(above: readonly string[]): CodexTurn {
  // The topmost line repeats the prompt of the visible part (0.166.0), so every turn has a prompt on the screen.
  const prompt = above.findLastIndex((line) => TEXTS.promptMark.test(line));
  const shortcuts = above.findLastIndex((line) => TEXTS.shortcuts.test(line));
  const blocks = splitBlocks(
    above.slice(prompt + 1, shortcuts > prompt ? shortcuts : undefined).filter((line) => !TEXTS.margin.test(line)),
  ).filter(({ head }) => !TEXTS.queued.test(head));
  const last = blocks.at(-1);
  const status = last !== undefined && TEXTS.working.test(last.head) && !isFinished(last) ? last.head : undefined;
  const lastBlock = blocks.filter((block) => !TEXTS.note.test(block.head) || isFinished(block)).at(-1);
  return { status, end: prompt === -1 ? { kind: 'nothing' } : judgeEnd(lastBlock, prompt === 0) };
}

/** The mark of a long reply has scrolled away: its rest is below the prompt at the top. */
function judgeEnd(block: Block | undefined, scrolled: boolean): TurnEnd {
  if (block === undefined) return { kind: 'nothing' };
  if (isFinished(block)) return { kind: 'finished' };
  if (TEXTS.failure.test(block.head)) return { kind: 'failure', text: sentence(block) };
  return TEXTS.reply.test(block.head) || (scrolled && block.head.startsWith(' ')) ? { kind: 'reply' } : { kind: 'nothing' };
}

/** The closing line is indented like a reply, and the last of its block. */
const isFinished = ({ lines }: Block): boolean => TEXTS.finished.test(lines.findLast((line) => line !== '') ?? '');

/** A block begins at a line with a mark at column 0. The rest of a failure is at column 0 too, without a mark. */
function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: { head: string; lines: string[] }[] = [];
  for (const line of lines) {
    const open = blocks.at(-1);
    const continues =
      line === '' || line.startsWith(' ') || (open !== undefined && TEXTS.failure.test(open.head) && open.lines.at(-1) !== '');
    if (open !== undefined && continues) open.lines.push(line);
    else if (line !== '') blocks.push({ head: line, lines: [line] });
  }
  return blocks;
}

function sentence({ lines }: Block): string {
  const end = lines.indexOf('');
  return lines
    .slice(0, end === -1 ? undefined : end)
    .join(' ')
    .replace(TEXTS.failure, '');
}
