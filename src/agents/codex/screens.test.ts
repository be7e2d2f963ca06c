import { describe, expect, test } from 'vitest';
import { RECORDED, readRecorded } from '../../../test/support/codex-screens.ts';
import { folderOf } from '../../../test/support/screen-folder.ts';
import { openDialog } from '../activity.ts';
import { codexAgent } from './adapter.ts';
import { answerStep } from './answer.ts';
import { classify } from './screen/classify.ts';

describe.each(RECORDED)('$path', ({ path, folder }) => {
  const screen = readRecorded(path);
  const reading = classify(screen, Date.parse('2026-11-15T03:30:00Z'));

  test('is classified as its folder is named', () => {
    expect(folderOf(reading.activity)).toBe(folder);
    expect(reading.confidence).toBeGreaterThan(0);
  });

  test('its box is recognised', () => {
    expect(reading.box.kind).toBe(boxOf(path, folder));
  });
});

/** Only the title shows who opened a menu, and that a reply which quotes its own end continues. */
const TITLE_ALONE = /menu-|streaming-quotes-end/;

test.each(RECORDED.filter(({ path }) => path.includes('.titled.') && !TITLE_ALONE.test(path)))(
  '$path is classified the same without its title',
  ({ path, folder }) => {
    const { title: _, ...screen } = readRecorded(path);
    expect(folderOf(classify(screen, Date.parse('2026-11-15T03:30:00Z')).activity)).toBe(folder);
  },
);

test('the recorded versions are exactly the versions that the adapter lists', () => {
  expect([...new Set(RECORDED.map(({ version }) => version))]).toEqual(codexAgent.recordedVersions);
});

/** `.draft` and `.folded` in a file's name describe its box. */
function boxOf(path: string, folder: string): string {
  if (path.includes('.draft.')) return 'text';
  if (path.includes('.folded.')) return 'folded';
  // A dialog replaces the box, and a refusal to start comes before the box.
  const without = /-dialog|refused-to-start/.test(path);
  return /^(?:ready|processing|error|waiting_limit)/.test(folder) && !without ? 'empty' : 'absent';
}

test.each(RECORDED)('each choice that llmc offers on $path has a key', ({ path }) => {
  const screen = readRecorded(path);
  const { activity } = classify(screen, Date.parse('2026-11-15T03:30:00Z'));
  const dialog = openDialog(activity) ?? (activity.kind === 'unknown' ? activity.opened?.asks : undefined);
  for (const choice of dialog?.choices ?? []) expect([choice, answerStep(screen, choice)]).toEqual([choice, expect.anything()]);
});
