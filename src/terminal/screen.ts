/** The captured text of a pane, as lines without trailing spaces. */
export interface Screen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  /** The terminal title that the program set; some programs show their activity there. */
  readonly title?: string;
}

/** tmux lets an agent make its window 10,000 columns wide and as high; no person reads that, and every rule would. */
const MOST_LINES = 1_000;
const LONGEST_LINE_CHARS = 2_000;

export function screenFromText(text: string, size: { width?: number; height?: number } = {}): Screen {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .slice(-MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE_CHARS).trimEnd());
  return {
    lines,
    width: size.width ?? lines.reduce((widest, line) => Math.max(widest, line.length), 80),
    height: size.height ?? lines.length,
  };
}
