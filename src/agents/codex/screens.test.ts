import { describe, expect, test } from 'vitest';
import { RECORDED, readRecorded } from '../../../test/support/codex-screens.ts';
import { folderOf } from '../../../test/support/screen-folder.ts';
import { codexAgent } from './adapter.ts';
import { classify } from './screen/classify.ts';

describe.each(RECORDED)('$path', ({ path, folder }) => {
  const screen = readRecorded(path);
  const reading = classify(screen, Date.parse('2026-11-15T03:30:00Z'));

  test('is read as its folder says', () => {
    expect(folderOf(reading.activity)).toBe(folder);
    expect(reading.confidence).toBeGreaterThan(0);
  });

  test('its box is read', () => {
    expect(reading.box.kind).toBe(boxOf(path, folder));
  });
});

/** What only the title knows: who opened a menu, and that a reply which quotes its own end goes on. */
const TITLE_ALONE = /menu-|streaming-quotes-end/;

test.each(RECORDED.filter(({ path }) => path.includes('.titled.') && !TITLE_ALONE.test(path)))(
  '$path says the same without its title',
  ({ path, folder }) => {
    const { title: _, ...screen } = readRecorded(path);
    expect(folderOf(classify(screen, Date.parse('2026-11-15T03:30:00Z')).activity)).toBe(folder);
  },
);

test('every recorded version is one the adapter claims to know, and the other way round', () => {
  expect([...new Set(RECORDED.map(({ version }) => version))]).toEqual(codexAgent.recordedVersions);
});

/** `.draft` and `.folded` in a file's name say what stands in its box. */
function boxOf(path: string, folder: string): string {
  if (path.includes('.draft.')) return 'text';
  if (path.includes('.folded.')) return 'folded';
  // Dialogs take the place of the box, and a refusal to start comes before there is one.
  const without = /-dialog|refused-to-start/.test(path);
  return /^(?:ready|processing|error|waiting_limit)/.test(folder) && !without ? 'empty' : 'absent';
}
