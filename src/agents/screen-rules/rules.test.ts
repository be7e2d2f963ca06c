import { expect, test } from 'vitest';
import { onDialog, question, questionType } from './dialog-rules.ts';
import { readDeadPane } from './exit.ts';
import { classifyByRules, readBlank, readFreeBox, type ScreenRule, type ScreenView } from './rules.ts';

const view = (lines: readonly string[], over: Partial<ScreenView> = {}): ScreenView => ({
  frame: { lines, above: lines, box: { kind: 'empty' } },
  turn: undefined,
  dialog: undefined,
  now: undefined,
  ...over,
});

const RULES: readonly ScreenRule<ScreenView>[] = [
  { name: 'dead', confidence: 0.9, read: readDeadPane },
  { name: 'asks', confidence: 0.8, read: onDialog('question', (dialog) => question(dialog, 'multiple_choice')) },
  { name: 'free', confidence: 0.7, read: readFreeBox },
  { name: 'blank', confidence: 0.3, read: readBlank },
];

test('the first rule that matches decides, with its name and its confidence', () => {
  expect(classifyByRules(view(['']), RULES)).toEqual({
    activity: { kind: 'ready' },
    confidence: 0.7,
    rule: 'free',
    box: { kind: 'empty' },
  });
});

test('a screen that no rule matches is unknown', () => {
  const frame = { lines: ['?'], above: ['?'], box: { kind: 'absent' } } as const;
  expect(classifyByRules(view([], { frame }), RULES)).toMatchObject({ activity: { kind: 'unknown' }, confidence: 0 });
});

test('a dead pane has no box, whatever its last frame shows', () => {
  const reading = classifyByRules(view(['Pane is dead (status 0, Sun Nov 15 03:00:00 2026)']), RULES);
  expect(reading).toMatchObject({ activity: { kind: 'exited', how: 'user', status: 0 }, box: { kind: 'absent' } });
});

test('a rule for one kind of dialog leaves the other kinds alone', () => {
  const dialog = { kind: 'menu', tool: '', question: 'Which?', choices: [{ label: 'This', number: 1, selected: true }] };
  expect(classifyByRules(view(['x'], { dialog }), RULES).rule).toBe('free');
  expect(classifyByRules(view(['x'], { dialog: { ...dialog, kind: 'question' } }), RULES).activity).toMatchObject({ choices: ['This'] });
});

test.each([
  [['Yes', 'No'], 'yes_no'],
  [['No', 'Yes', 'Later'], 'yes_no'],
  [['Yes'], 'multiple_choice'],
  [['Red', 'Blue'], 'multiple_choice'],
])('%j is a question of type %s', (labels, type) => {
  expect(questionType(labels)).toBe(type);
});
