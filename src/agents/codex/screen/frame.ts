import type { Screen } from '../../../terminal/screen.ts';
import type { InputBox } from '../../agent.ts';
import { foldedBox } from '../../screen-rules/folded-box.ts';
import type { ScreenFrame as BaseFrame } from '../../screen-rules/rules.ts';
import { TEXTS } from './texts.ts';
import { readTitle, type Title } from './title.ts';

/** The parts of the screen: the conversation, below it the box, below that the model line and hints. A dialog replaces the last two. */
export interface CodexFrame extends BaseFrame {
  /** The prompt is drawn, but not the model line: Codex still has start-up dialogs to show. */
  readonly ghost: boolean;
  readonly title: Title | undefined;
}

export function readFrame(screen: Screen): CodexFrame {
  const lines = screen.lines.map((line) => line.trimEnd());
  const title = readTitle(screen.title);
  const place = locateBox(lines);
  if (place === undefined) return { lines, box: { kind: 'absent' }, above: lines, ghost: isGhost(lines), title };
  return { lines, box: readBox(lines.slice(place.top, place.bottom)), above: lines.slice(0, place.top), ghost: false, title };
}

/** The box ends at the model line at the very bottom; no text of a reply can be below it. */
function locateBox(lines: readonly string[]): { top: number; bottom: number } | undefined {
  const bottom = lines.findLastIndex((line) => line !== '' && !TEXTS.footerHint.test(line));
  if (bottom === -1 || !TEXTS.modelLine.test(lines[bottom] ?? '')) return undefined;
  const top = lines.slice(0, bottom).findLastIndex((line) => TEXTS.boxStart.test(line));
  const within = lines.slice(top + 1, bottom);
  return top !== -1 && within.at(-1) === '' && within.every((line) => line === '' || line.startsWith('  ')) ? { top, bottom } : undefined;
}

/** Continuation lines are indented by two and long lines are wrapped, so this is the text as shown, not as typed. */
function readBox(lines: readonly string[]): InputBox {
  const [, glyph, first = ''] = TEXTS.boxStart.exec(lines[0] ?? '') ?? [];
  const text = [first, ...lines.slice(1).map((line) => line.slice(2))].join('\n').trimEnd();
  if (glyph === '!') return { kind: 'text', text: `!${text}` };
  if (text === '' || TEXTS.placeholder.test(text)) return { kind: 'empty' };
  return foldedBox(text, TEXTS.folded) ?? { kind: 'text', text };
}

function isGhost(lines: readonly string[]): boolean {
  const [hint, prompt] = lines.filter((line) => line !== '').toReversed();
  return TEXTS.footerHint.test(hint ?? '') && TEXTS.boxStart.test(prompt ?? '');
}
