import { expect, test } from 'vitest';
import { asksToGoOn, asksToSave } from '../../../agents/demo/tui/turn/task.ts';
import { SAVE } from '../compose-prompt.ts';

test('the demo agent recognises the request to save, and does not take it for one to continue', () => {
  expect(asksToSave(SAVE)).toBe(true);
  expect(asksToGoOn(SAVE)).toBe(false);
});
