import { expect, test } from 'vitest';
import { aWorkerReport, Played } from '../samples.ts';

const typed = (text: string) => new Played([aWorkerReport('adam')]).press(':').type(text);
const text = ({ view }: Played) => (view.mode.kind === 'typing' ? view.mode.field.text : undefined);
const offer = (played: Played, line: string, ...offers: readonly string[]) => played.on({ kind: 'completed', line, offers });

test('tab asks for what completes the line up to the cursor, and a single offer is taken with a blank behind it', () => {
  const played = typed('rev');
  expect(played.press('tab').effects).toEqual([{ kind: 'complete', line: 'rev' }]);
  expect(text(offer(played, 'rev', 'review'))).toBe('review ');
  expect(text(offer(typed('start --file no').press('tab'), 'start --file no', 'notes/'))).toBe('start --file notes/');
});

test('several offers: what they share, then one after the other, also back; typing ends it', () => {
  const played = offer(typed('review a').press('tab'), 'review a', 'adam', 'adele');
  expect(text(played)).toBe('review ad');
  expect(played.view.notice?.text).toBe('adam  adele');
  expect(text(played.press('tab'))).toBe('review adam');
  expect(played.view.notice?.text).toBe('[adam]  adele');
  expect(text(played.press('tab'))).toBe('review adele');
  expect(text(played.press('tab'))).toBe('review adam');
  expect(text(played.press('shift+tab'))).toBe('review adele');
  expect(text(played.type(' --stat'))).toBe('review adele --stat');
  expect(played.view.notice).toBeUndefined();
  expect(played.press('tab').effects.at(-1)).toEqual({ kind: 'complete', line: 'review adele --stat' });
});

test('offers of another root, in which the same line was typed before, complete nothing', () => {
  const played = typed('review a').press('tab');
  played.on({ kind: 'completed', root: '/other', line: 'review a', offers: ['anna'] });
  expect(text(played)).toBe('review a');
});

test('offers that come late or that are none change nothing that was typed', () => {
  const late = typed('re').press('tab').type('x');
  expect(text(offer(late, 're', 'review'))).toBe('rex');
  expect(text(offer(typed('zz').press('tab'), 'zz'))).toBe('zz');
  const message = new Played([aWorkerReport('adam')]).press('m').type('one').press('tab');
  expect(message.asked).toEqual([]);
});
