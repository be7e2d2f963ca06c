import type { Size } from '../tui/screen/line.ts';

/** The size of a terminal. One that does not know its own, such as after `stty cols 0` or over a serial line, counts as 80 × 24. */
export function terminalSize({ columns, rows }: { readonly columns?: number | undefined; readonly rows?: number | undefined }): Size {
  return { columns: columns || 80, rows: rows || 24 };
}
