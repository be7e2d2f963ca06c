import { expect, test } from 'vitest';
import { visibleIn } from '../../../base/visible-text.ts';
import { result, sectionsPlan } from '../../../workflow/next/samples.ts';
import { runView } from '../../../workflow/view/run-view.ts';
import { Told } from '../../../workflow/view/told.fixture.ts';
import { showText } from './show-text.ts';

const display = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };
const show = ({ run, at }: Told) =>
  showText(visibleIn({ ...runView(run, [], at), agents: null, supervised: true, problems: [] }), at, display).split('\n');

function outlined(count: number): Told {
  const sections = Array.from({ length: count }, (_, index) => ({ id: `s${index + 1}` }));
  const told = new Told(sectionsPlan());
  told.reply('outline', { kind: 'started' }).reply('outline', { kind: 'finished' });
  const artifacts = { 'outline.yaml': { path: 'p', sha256: 'h', value: { sections } } };
  return told.reply('outline', { kind: 'collected', result: result({ artifacts }) });
}

test('a for_each is one line: how many items are done, what is under way in the others, how many wait', () => {
  const told = outlined(4).work('write/s1').judge('check/s1');
  told.reply('write/s3', { kind: 'started' }).work('write/s2').reply('check/s2', { kind: 'started' });
  expect(show(told).slice(2)).toEqual([
    '  ✓ outline   researcher  3s',
    '  ▸ sections  1/4         3m8s  s2 ▸ check: reviewer works (timeout in 4h); s3 ▸ write: developer works (timeout in 3h58m); 1 waits',
    '  · draft     researcher        waits for sections',
  ]);
});

test('items that were lost are named, a few of them', () => {
  const told = outlined(9);
  told.tell({ kind: 'abort', why: 'enough' });
  expect(show(told)).toContain('  – sections  0/9         1s  s1, s2, s3, s4, s5 and 4 more skipped (the run ended); the run ended');
});
