import { describe, expect, test } from 'vitest';
import { type Dialog, dialogInput, permissionDialog, questionDialog, trustDialog } from './dialog.ts';
import type { Input } from './screen/keys.ts';

const key = (name: 'up' | 'down' | 'enter' | 'escape' | 'backspace'): Input => ({ kind: 'key', name });
const text = (typed: string): Input => ({ kind: 'text', text: typed });
const paste = (pasted: string): Input => ({ kind: 'paste', text: pasted });

function end(dialog: Dialog, ...inputs: Input[]) {
  let now = dialog;
  for (const input of inputs) {
    const outcome = dialogInput(now, input);
    if (outcome.kind !== 'open') return outcome;
    now = outcome.dialog;
  }
  return now;
}

const permission = permissionDialog('Bash', 'rm -r build');
const question = questionDialog('Which?', ['A', 'B'], true);

describe('a dialog', () => {
  test.for([
    ['a permission, Enter', permission, [key('enter')], { kind: 'choice', index: 0, label: 'Yes' }],
    ['a permission, a paste and Enter', permission, [paste('do more'), key('enter')], { kind: 'choice', index: 0, label: 'Yes' }],
    ['a permission, a digit', permission, [text('2')], { kind: 'choice', index: 1, label: 'No' }],
    ['a permission, arrows', permission, [key('down'), key('down'), key('enter')], { kind: 'choice', index: 1, label: 'No' }],
    ['a question, a digit', question, [text('2')], { kind: 'choice', index: 1, label: 'B' }],
    ['a question, a paste', question, [paste('neither'), key('enter')], { kind: 'text', text: 'neither' }],
    ['a question, the number of the text field', question, [text('3'), text('9 lives'), key('enter')], { kind: 'text', text: '9 lives' }],
    ['trust, Enter', trustDialog('/tmp'), [key('enter')], { kind: 'choice', index: 0, label: 'No, exit' }],
    ['trust, a digit is nothing', trustDialog('/tmp'), [text('2'), key('enter')], { kind: 'choice', index: 0, label: 'No, exit' }],
  ] as const)('is answered: %s', ([, dialog, inputs, answer]) => {
    expect(end(dialog, ...inputs)).toEqual({ kind: 'answered', answer });
  });

  test('is rejected by Esc', () => {
    expect(end(question, key('down'), key('escape'))).toEqual({ kind: 'rejected' });
  });

  test('does not take an empty text, nor a number it does not show', () => {
    expect(end(question, text('3'), key('enter'))).toMatchObject({ selected: 2, typed: '' });
    expect(end(permission, text('7'))).toEqual(permission);
  });

  test('lets written text be corrected', () => {
    expect(end(question, text('ab'), key('backspace'))).toMatchObject({ typed: 'a' });
  });
});
