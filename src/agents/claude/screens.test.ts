import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../test/support/screen-folder.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { classify } from './screen/classify.ts';

const ROOT = join(import.meta.dirname, '../../../test/fixtures/screens/claude');

/** The folder's name is the expectation; `.draft` and `.folded` in a file's name describe its box. */
const RECORDED = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.txt'))
  .map((path) => ({ path, folder: dirname(path).split('/').slice(1).join('/') }));

describe.each(RECORDED)('$path', ({ path, folder }) => {
  const reading = classify(screenFromText(readFileSync(join(ROOT, path), 'utf8')), Date.parse('2026-11-15T03:30:00Z'));

  test('is classified as its folder is named', () => {
    expect(folderOf(reading.activity)).toBe(folder);
    expect(reading.confidence).toBeGreaterThan(0);
  });

  test('its box is recognised', () => {
    expect(reading.box.kind).toBe(boxOf(path, folder));
  });
});

test('there are many recorded screens', () => {
  expect(RECORDED.length).toBeGreaterThan(150);
});

function boxOf(path: string, folder: string): string {
  if (path.includes('.draft.')) return 'text';
  if (path.includes('.folded.')) return 'folded';
  // A dialog replaces the box, and a refusal to start comes before the box.
  const without = /limit-(?:dialog|five_hour|seven_day)|root-no-sandbox|unreachable/.test(path);
  return /^(?:ready|processing|error|waiting_limit)/.test(folder) && !without ? 'empty' : 'absent';
}
