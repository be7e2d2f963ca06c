import { describe, expect, test } from 'vitest';
import { FIRST_STATE, type State } from './model.ts';
import { type Effect, press } from './press.ts';
import { contentOf } from './screen/draft.ts';
import type { Input, KeyName } from './screen/keys.ts';

function drive(state: State, now: number, ...inputs: (KeyName | { text: string })[]): { state: State; effects: Effect[] } {
  const effects: Effect[] = [];
  let current = state;
  for (const each of inputs) {
    const input: Input = typeof each === 'string' ? { kind: 'key', name: each } : { kind: 'text', text: each.text };
    const pressed = press(current, input, now);
    current = pressed.state;
    if (pressed.effect !== undefined) effects.push(pressed.effect);
  }
  return { state: current, effects };
}

const busy: State = { ...FIRST_STATE, busySince: 0 };

describe('a key press', () => {
  test('of Enter submits the text and empties the box', () => {
    const { state, effects } = drive(FIRST_STATE, 0, { text: 'hello' }, 'enter');
    expect(effects).toEqual([{ kind: 'submit', text: 'hello' }]);
    expect(contentOf(state.draft)).toBe('');
  });

  test('of Enter does nothing in an empty box', () => {
    expect(drive(FIRST_STATE, 0, 'enter', { text: '  ' }, 'enter').effects).toEqual([]);
  });

  test('of Enter after a backslash breaks the line', () => {
    const { state, effects } = drive(FIRST_STATE, 0, { text: 'one\\' }, 'enter', { text: 'two' }, 'enter');
    expect(effects).toEqual([{ kind: 'submit', text: 'one\ntwo' }]);
    expect(contentOf(state.draft)).toBe('');
  });

  test('of Ctrl-C clears the box first, and exits at the second within two seconds', () => {
    const cleared = drive(FIRST_STATE, 0, { text: 'draft' }, 'ctrl-c');
    expect(cleared.effects).toEqual([]);
    expect(contentOf(cleared.state.draft)).toBe('');
    expect(drive(cleared.state, 2_000, 'ctrl-c').effects).toEqual([{ kind: 'leave' }]);
    expect(drive(cleared.state, 2_001, 'ctrl-c').effects).toEqual([]);
    expect(drive(cleared.state, 100, { text: 'new' }, 'ctrl-c').effects).toEqual([]);
  });

  test('of Esc interrupts a running turn, and otherwise does nothing', () => {
    expect(drive(FIRST_STATE, 0, 'escape').effects).toEqual([]);
    expect(drive(busy, 0, 'escape').effects).toEqual([{ kind: 'interrupt' }]);
    expect(drive(busy, 0, 'ctrl-c').effects).toEqual([{ kind: 'interrupt' }]);
  });
});
