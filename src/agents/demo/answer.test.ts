import { describe, expect, test } from 'vitest';
import { type Screen, screenFromText } from '../../terminal/screen.ts';
import { answerStep, startupStep } from './answer.ts';
import { type Dialog, permissionDialog, questionDialog, trustDialog } from './tui/dialog.ts';
import { FIRST_STATE } from './tui/model.ts';
import { layout } from './tui/screen/layout.ts';

function picture(dialog: Dialog | null): Screen {
  const size = { width: 80, height: 24 };
  const { rows } = layout({ state: { ...FIRST_STATE, dialog }, header: [], now: 0 }, size);
  return screenFromText(rows.map(({ text }) => text).join('\n'), size);
}

const trust = trustDialog('/home/u');
const permission = permissionDialog('Bash', 'ls');
const question = questionDialog('Which?', ['Red', 'Blue', 'Black'], true);
const keys = (dialog: Dialog, choice: string) => answerStep(picture(dialog), choice)?.keys;

describe('a step through a dialog', () => {
  test('at the start moves first and confirms only the trusting choice', () => {
    expect(startupStep(picture(trust))?.keys).toEqual(['Down']);
    expect(startupStep(picture({ ...trust, selected: 1 }))?.keys).toEqual(['Enter']);
    expect(startupStep(picture({ ...trust, choices: ['Leave', 'Stay'] }))).toBeUndefined();
    expect(startupStep(picture(permission))).toBeUndefined();
    expect(startupStep(picture(null))).toBeUndefined();
  });

  test.for([
    ['1', ['1']],
    ['Yes', ['1']],
    ['no', ['2']],
    ['3', undefined],
    ['maybe', undefined],
    ['', undefined],
  ] as const)('answers a permission with %j', ([choice, expected]) => {
    expect(keys(permission, choice)).toEqual(expected);
  });

  test.for([
    ['2', question, ['2']],
    ['black', question, ['3']],
    ['bl', question, ['Down']],
    ['red', { ...question, selected: 3 }, ['Up']],
    ['Green; x', question, ['Down']],
    ['Green; x', { ...question, selected: 3 }, ['G', 'r', 'e', 'e', 'n', ';', 'Space', 'x']],
    ['Green; x', { ...question, selected: 3, typed: 'Green; x' }, ['Enter']],
    ['Green', { ...question, selected: 3, typed: 'ab' }, ['BSpace', 'BSpace']],
    ['', { ...question, selected: 3 }, undefined],
    ['1,2', question, undefined],
  ] as const)('answers a question with %j', ([choice, dialog, expected]) => {
    expect(keys(dialog, choice)).toEqual(expected);
  });

  test('sends a long text when the whole wrapped text is visible', () => {
    const text = 'many words '.repeat(20).trim();
    expect(keys({ ...question, selected: 3, typed: text }, text)).toEqual(['Enter']);
  });
});
