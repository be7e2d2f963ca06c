export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';

/** How a text looks. Colours are those of the person's own palette, so that a light terminal stays readable. */
export interface Style {
  readonly color?: Color;
  readonly background?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

/** Text without control characters, line feeds and tabs: it has passed through `visibleLine`. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One row of the screen, or a part of it. */
export type Line = readonly Span[];

export interface Size {
  readonly columns: number;
  readonly rows: number;
}
