import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Screen, screenFromText } from '../../src/terminal/screen.ts';

const ROOT = join(import.meta.dirname, '../fixtures/screens/codex');

/** Every recorded screen; the name of its folder is the expected reading. */
export const RECORDED = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.txt'))
  .map((path) => ({ path, version: path.split('/')[0] ?? '', folder: dirname(path).split('/').slice(1).join('/') }));

/** `.titled` in a file's name: its first line is the terminal's title. */
export function readRecorded(path: string): Screen {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const end = path.includes('.titled.') ? text.indexOf('\n') : -1;
  return { ...screenFromText(text.slice(end + 1)), ...(end !== -1 && { title: text.slice(0, end) }) };
}

export const recorded = (name: string): Screen => readRecorded(`0.166.0/${name}.txt`);
