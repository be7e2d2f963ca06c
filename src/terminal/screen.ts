/** What a pane shows right now, as plain text lines without trailing spaces. */
export interface Screen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  /** The title the program gave its terminal; some say there what they are doing. */
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
