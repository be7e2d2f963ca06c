import { measureWidth } from '../../src/base/text-width.ts';
import type { Color, Line, Size, Span, Style } from '../../src/tui/screen/line.ts';

const CELL = { width: 8.4, height: 18 };
const PADDING = 12;
/** The dots of a window, as wide as people know them. */
const BAR = 26;

type Theme = Readonly<Record<Color | 'text' | 'paper' | 'bar' | 'faint', string>>;

/** The colours of common terminals, on white and on dark. */
const LIGHT: Theme = {
  text: '#1f2328',
  paper: '#ffffff',
  bar: '#e7eaee',
  faint: '#6e7781',
  red: '#b3141d',
  green: '#116329',
  yellow: '#7d4e00',
  blue: '#0550ae',
  magenta: '#8250df',
  cyan: '#0e6f8a',
  gray: '#6e7781',
};
const DARK: Theme = {
  text: '#d6dde5',
  paper: '#12161c',
  bar: '#232a33',
  faint: '#8b949e',
  red: '#ff7b72',
  green: '#5fd27a',
  yellow: '#e3b341',
  blue: '#79b8ff',
  magenta: '#d2a8ff',
  cyan: '#56d4dd',
  gray: '#8b949e',
};

/** A screen as a picture, which follows the light or dark setting of its reader. */
export function terminalSvg(lines: readonly Line[], { columns, rows }: Size, title: string): string {
  const width = Math.round(columns * CELL.width + 2 * PADDING);
  const height = rows * CELL.height + 2 * PADDING + BAR;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${styleSheet()}</style>`,
    `<rect class="paper" width="${width}" height="${height}" rx="8"/>`,
    `<path class="bar" d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v${BAR - 8}H0z"/>`,
    ...['red', 'yellow', 'green'].map((color, at) => `<circle class="b-${color}" cx="${18 + at * 18}" cy="${BAR / 2}" r="5"/>`),
    ...lines.slice(0, rows).map((line, row) => rowSvg(line, PADDING + BAR + row * CELL.height)),
    '</svg>',
    '',
  ].join('\n');
}

function rowSvg(line: Line, top: number): string {
  let column = 0;
  const backgrounds: string[] = [];
  const texts: string[] = [];
  for (const span of line) {
    const width = measureWidth(span.text);
    const x = figure(PADDING + column * CELL.width);
    const behind = backgroundOf(span.style);
    if (behind !== undefined)
      backgrounds.push(`<rect class="${behind}" x="${x}" y="${top}" width="${figure(width * CELL.width)}" height="${CELL.height}"/>`);
    if (span.text.trim() !== '') texts.push(textSvg(span, { x, y: top + 13, width: figure(width * CELL.width) }));
    column += width;
  }
  return [...backgrounds, ...texts].join('');
}

/** The length is given, so that the columns stand below each other whatever font the reader has. */
function textSvg({ text, style }: Span, { x, y, width }: { readonly x: number; readonly y: number; readonly width: number }): string {
  return `<text class="${classesOf(style)}" x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`;
}

function backgroundOf(style: Style | undefined): string | undefined {
  if (style?.inverse === true) return `b-${style.color ?? 'text'}`;
  return style?.background === undefined ? undefined : `b-${style.background} soft`;
}

function classesOf(style: Style = {}): string {
  const color = style.inverse === true ? 'paper-text' : `f-${style.color ?? 'text'}`;
  const marks = (['bold', 'dim', 'underline'] as const).filter((mark) => style[mark] === true);
  return [color, ...marks].join(' ');
}

function styleSheet(): string {
  const common =
    'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}.bold{font-weight:700}.dim{opacity:.65}.underline{text-decoration:underline}.soft{opacity:.25}';
  return `${common}${rules(LIGHT)}@media(prefers-color-scheme:dark){${rules(DARK)}}`;
}

function rules(theme: Theme): string {
  const colors = Object.entries(theme).map(([name, value]) => `.f-${name}{fill:${value}}.b-${name}{fill:${value}}`);
  return `.paper{fill:${theme.paper}}.bar{fill:${theme.bar}}.paper-text{fill:${theme.paper}}${colors.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');
}

function figure(value: number): number {
  return Math.round(value * 10) / 10;
}
