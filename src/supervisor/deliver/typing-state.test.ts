import { expect, test } from 'vitest';
import { aWatch } from '../samples.ts';
import { noteSetBack, noteTyping } from './typing-state.ts';

test('keys that were pressed before the clock was set back count as pressed now, and others stay', () => {
  const watch = aWatch();
  noteTyping(watch, { wipedAt: 900, clearing: { at: 800, times: 2 }, enters: { delivery: 'd', at: 50, times: 1 } });
  noteSetBack(watch, 900);
  expect(watch.typing).toMatchObject({ wipedAt: 900, clearing: { at: 800, times: 2 } });
  noteSetBack(watch, 100);
  expect(watch.typing).toMatchObject({ wipedAt: 100, redrawnAt: undefined, clearing: { at: 100, times: 2 }, enters: { at: 50, times: 1 } });
});
