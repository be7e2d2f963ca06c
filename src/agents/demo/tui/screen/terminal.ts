import type { Frame, Row, Size } from './frame.ts';
import { createDecoder, type Input } from './keys.ts';

export interface Terminal {
  readonly size: Size;
  open(handlers: { input(input: Input): void; resized(): void; gone(): void }): void;
  draw(frame: Frame): void;
  close(farewell: string): void;
}

const ESC = '\u001b';
const STYLE: Readonly<Record<NonNullable<Row['style']>, string>> = { dim: '2', error: '31' };
/** How long a lone ESC may wait for the rest of a sequence. */
const ESCAPE_MS = 40;

/** The real terminal: alternate screen, raw mode, bracketed paste, no automatic wrap. */
export function createTerminal(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream): Terminal {
  let drawn: string[] = [];
  let closed = false;
  const sizeNow = (): Size => ({ width: Math.max(20, stdout.columns || 80), height: Math.max(6, stdout.rows || 24) });

  return {
    get size() {
      return sizeNow();
    },
    open({ input, resized, gone }) {
      const decoder = createDecoder();
      let timer: NodeJS.Timeout | undefined;
      // Restoring a terminal that is gone throws errors.
      const lost = () => {
        if (!closed) gone();
      };
      stdin.setRawMode(true);
      stdin.on('data', (chunk: Buffer) => {
        clearTimeout(timer);
        for (const each of decoder.feed(chunk)) input(each);
        if (decoder.waiting) timer = setTimeout(() => decoder.flush().forEach(input), ESCAPE_MS);
      });
      stdin.on('end', lost);
      stdin.on('error', lost);
      stdout.on('error', lost);
      stdout.on('resize', () => {
        drawn = [];
        stdout.write(`${ESC}[2J`);
        resized();
      });
      stdout.write(`${ESC}[?1049h${ESC}[2J${ESC}[?7l${ESC}[?2004h${ESC}]0;demo agent\u0007`);
    },
    draw(frame) {
      const rows = frame.rows.map(({ text, style }) => (style === undefined ? text : `${ESC}[${STYLE[style]}m${text}${ESC}[0m`));
      const changed = rows.flatMap((row, index) => (row === drawn[index] ? [] : [`${ESC}[${index + 1};1H${ESC}[2K${row}`]));
      drawn = rows;
      const { cursor } = frame;
      const place = cursor === null ? `${ESC}[?25l` : `${ESC}[${cursor.row + 1};${cursor.column + 1}H${ESC}[?25h`;
      // Synchronised update: in a terminal with mode 2026 a capture never gets half a frame.
      stdout.write(`${ESC}[?2026h${ESC}[?25l${changed.join('')}${place}${ESC}[?2026l`);
    },
    close(farewell) {
      if (closed) return;
      closed = true;
      stdin.setRawMode(false);
      stdout.write(`${ESC}[?2004l${ESC}[?7h${ESC}[?25h${ESC}[?1049l${farewell}`);
    },
  };
}
