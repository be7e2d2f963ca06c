import type { Color, Style } from './line.ts';

/** The eight colours of a terminal. Black and white are left to the palette of the person: the text is then readable on any background. */
const EIGHT: readonly (Color | undefined)[] = [undefined, 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined];

/** The style after a "select graphic rendition" with these parameters, such as `1;38;5;174`. What is not known changes nothing. */
export function withSgr(before: Style, parameters: string): Style {
  // Private parameters (`>4;2m` of xterm) are about the keyboard.
  if (/[<-?]/.test(parameters)) return before;
  let style = before;
  const codes = parameters.split(';');
  for (let at = 0; at < codes.length; at += 1) {
    const [code = '', ...own] = (codes[at] ?? '').split(':');
    const number = Number(code);
    if (number === 38 || number === 48) {
      // With semicolons the next codes belong to this one. With colons a colour space may stand before the colour: `38:2::255:0:0`.
      const rest = own.length === 0 ? codes.slice(at + 1) : own[0] === '2' ? ['2', ...own.slice(-3)] : own;
      const taken = extended(rest.map(Number));
      if (own.length === 0) at += taken.length;
      style = colored(style, number === 38 ? 'color' : 'background', taken.color);
    } else if (own.length === 0 || number === 4) style = simple(style, number, own[0]);
  }
  return style;
}

function simple(style: Style, code: number, own: string | undefined): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 4) return own === '0' ? without(style, 'underline') : { ...style, underline: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 22) return without(style, 'bold', 'dim');
  if (code === 24) return without(style, 'underline');
  if (code === 27) return without(style, 'inverse');
  if (code === 39 || code === 49) return colored(style, code === 39 ? 'color' : 'background', undefined);
  const tens = Math.floor(code / 10);
  if (tens === 3 || tens === 4) return colored(style, tens === 3 ? 'color' : 'background', EIGHT[code % 10]);
  if (tens === 9 || tens === 10) return colored(style, tens === 9 ? 'color' : 'background', bright(code % 10));
  return style;
}

/** Bright black is what programs call gray. */
const bright = (index: number): Color | undefined => (index === 0 ? 'gray' : EIGHT[index]);

/** A colour of 256 (`5;n`) or of 16 million (`2;r;g;b`), and how many parameters it takes. */
function extended([kind, first = 0, second = 0, third = 0]: readonly number[]): {
  readonly length: number;
  readonly color: Color | undefined;
} {
  if (kind === 5) return { length: 2, color: of256(first) };
  return kind === 2 ? { length: 4, color: nearest(first, second, third) } : { length: 1, color: undefined };
}

function of256(index: number): Color | undefined {
  if (index < 8) return EIGHT[index];
  if (index < 16) return bright(index - 8);
  if (index >= 232) return findGray((index - 232) * 10 + 8);
  const level = (part: number) => (part % 6 === 0 ? 0 : 55 + 40 * (part % 6));
  const cube = index - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6)), level(cube));
}

const findGray = (level: number): Color | undefined => nearest(level, level, level);

/** The hues of the palette, each in the middle of a sixth of the circle. */
const HUES: readonly Color[] = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'];

/** The colour of the palette that comes nearest; undefined for almost black and almost white. */
function nearest(red: number, green: number, blue: number): Color | undefined {
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (chroma < 40) return most < 70 || most > 185 ? undefined : 'gray';
  const hue = most === red ? (green - blue) / chroma : most === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma;
  return HUES[(Math.round(hue) + 6) % 6];
}

function colored(style: Style, field: 'color' | 'background', color: Color | undefined): Style {
  return color === undefined ? without(style, field) : { ...style, [field]: color };
}

function without(style: Style, ...fields: readonly (keyof Style)[]): Style {
  return Object.fromEntries(Object.entries(style).filter(([field]) => !fields.some((each) => each === field)));
}
