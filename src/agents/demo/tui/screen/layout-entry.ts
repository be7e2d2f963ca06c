import type { Entry } from '../model.ts';
import type { Row } from './frame.ts';
import { cutTo, displayable, wrapWords } from './wrap.ts';

const PROMPT_ROWS = 6;
const OUTPUT_ROWS = 8;
/** Wrap only this much of a prompt: wrapping 256 KB to show a few rows takes too long. */
const LONGEST = 4_000;

const wrapped = new WeakMap<Entry, { readonly width: number; readonly rows: readonly Row[] }>();

/**
 * Only the agent's own marks are in the first column. The text of prompts, replies and
 * commands is indented, so that no text looks like a mark.
 */
export function entryRows(entry: Entry, width: number): readonly Row[] {
  const known = wrapped.get(entry);
  if (known?.width === width) return known.rows;
  const rows = [...draw(entry, width).map((row) => ({ ...row, text: cutTo(row.text, width) })), { text: '' }];
  wrapped.set(entry, { width, rows });
  return rows;
}

function draw(entry: Entry, width: number): Row[] {
  switch (entry.kind) {
    case 'prompt':
      return promptRows(entry.text, width);
    case 'said':
      return block('● ', '  ', entry.text, width, Number.POSITIVE_INFINITY);
    case 'tool':
      return [
        ...block('● ', '  ', entry.title, width, 3),
        ...(entry.output === '' ? [] : block('  ⎿  ', '     ', entry.output, width, OUTPUT_ROWS)),
      ];
    case 'note':
      return block('  ', '  ', entry.text, width, OUTPUT_ROWS);
    case 'finished':
      return [{ text: `✻ Worked for ${Math.max(1, Math.round(entry.ms / 1_000))}s`, style: 'dim' }];
    case 'interrupted':
      return [{ text: '⎿  Interrupted · what should happen instead?', style: 'error' }];
    case 'failed':
      return block('✗ ', '  ', `API error (${entry.type}): ${entry.message}`, width, OUTPUT_ROWS).map((row) => ({
        ...row,
        style: 'error',
      }));
  }
}

/** Shows the start and the end, because prompts with the same preamble differ only at the end. */
function promptRows(text: string, width: number): Row[] {
  const clean = text.trimEnd();
  const wrap = (part: string) => wrapWords(displayable(part), Math.max(1, width - 3));
  const short = clean.length <= 2 * LONGEST;
  const all = short
    ? wrap(clean)
    : [...wrap(clean.slice(0, LONGEST)).slice(0, PROMPT_ROWS), ...wrap(clean.slice(-LONGEST)).slice(-PROMPT_ROWS)];
  const left = short ? all.length - 2 * PROMPT_ROWS : clean.split('\n').length;
  const shown = short && left <= 0 ? all : [...all.slice(0, PROMPT_ROWS), `… +${left} lines`, ...all.slice(-PROMPT_ROWS)];
  return shown.map((line, index) => ({ text: `${index === 0 ? '❯ ' : '  '}${line}`, style: 'dim' }));
}

function block(first: string, next: string, text: string, width: number, most: number): Row[] {
  const clean = displayable(text.slice(0, LONGEST)).replace(/\n+$/, '');
  const lines = wrapWords(clean, Math.max(1, width - next.length - 1));
  const more = lines.length - most;
  const shown = more > 0 ? [...lines.slice(0, most), `… +${more} lines`] : lines;
  return shown.map((line, index) => ({ text: `${index === 0 ? first : next}${line}` }));
}
