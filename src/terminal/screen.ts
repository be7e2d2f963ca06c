/** The captured text of a pane, as lines without trailing spaces. */
export interface Screen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  /** The terminal title that the program set; some programs show their activity there. */
  readonly title?: string;
}

/** The largest pane that config.toml allows. tmux lets an agent make its window 10,000 columns wide and as high, and some rules take the square of a line. */
const MOST_LINES = 500;
const LONGEST_LINE_CHARS = 1_000;

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
