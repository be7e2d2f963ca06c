import type { Line } from '../../../tui/screen/line.ts';
import { toAnsi } from './ansi.ts';

/** The terminal shows everything between the two at once, if it knows them. */
const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** Knows what the terminal shows, and writes the rows that differ, in one piece. */
export class RowWriter {
  readonly #write: (text: string) => void;
  readonly #color: boolean;
  #shown: readonly string[] | undefined;

  constructor(write: (text: string) => void, color: boolean) {
    this.#write = write;
    this.#color = color;
  }

  /** After a resize, or after another program had the terminal. */
  forget(): void {
    this.#shown = undefined;
  }

  show(lines: readonly Line[]): void {
    const rows = lines.map((line) => toAnsi(line, this.#color));
    const clear = this.#shown === undefined ? '\u001b[0m\u001b[2J' : '';
    // Clear a row before it is written: behind a full row, the cursor stands on its last cell and would clear that.
    const changed = rows.flatMap((row, index) => (row === this.#shown?.[index] ? [] : [`\u001b[${index + 1};1H\u001b[2K${row}`]));
    this.#shown = rows;
    if (clear !== '' || changed.length > 0) this.#write(`${BEGIN}${clear}${changed.join('')}${END}`);
  }
}
