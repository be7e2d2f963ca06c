/** The captured text of a pane, as lines without trailing spaces. */
export interface Screen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  /** The terminal title that the program set; some programs show their activity there. */
  readonly title?: string;
}

export function screenFromText(text: string, size: { width?: number; height?: number } = {}): Screen {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  return {
    lines,
    width: size.width ?? Math.max(80, ...lines.map((line) => line.length)),
    height: size.height ?? lines.length,
  };
}
