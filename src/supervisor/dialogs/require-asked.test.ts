import { expect, test } from 'vitest';
import type { Assessment, Dialog } from '../../agents/activity.ts';
import { requireAsked } from './require-asked.ts';

const permission = (command: string): Dialog => ({
  ...{ kind: 'awaiting_permission', tool: 'Bash', command, question: 'Do you want to proceed?', choices: ['Yes', 'No'] },
});
const ASKED = { tool: 'Bash', command: 'ls', question: 'Do you want to proceed?', choices: ['Yes', 'No'] };
const CHANGED = expect.objectContaining({ code: 'INVALID_ARGUMENT', message: 'adam asks something else now' });
const assessed = (source: Assessment['source'], activity: Dialog): Assessment => ({
  ...{ activity, source, confidence: 1, rule: '', since: 0 },
});

test('the question that was on the screen may be answered, and any if the caller names none', () => {
  requireAsked('adam', ASKED, permission('ls'));
  requireAsked('adam', undefined, permission('rm -rf build'));
});

test('another command with the same words is refused, also while the last pass still shows the first one', () => {
  expect(() => requireAsked('adam', ASKED, permission('rm -rf build'))).toThrow(CHANGED);
  expect(() => requireAsked('adam', ASKED, permission('rm -rf build'), assessed('screen', permission('ls')))).toThrow(CHANGED);
});

test('a dialog that a hook reported in other words than the screen has is the same one', () => {
  const drawn: Dialog = { kind: 'awaiting_permission', tool: 'Bash', question: 'Run it?', choices: ['1. Yes'] };
  requireAsked('adam', ASKED, drawn, assessed('hook', permission('ls')));
  expect(() => requireAsked('adam', ASKED, drawn, assessed('hook', permission('rm -rf build')))).toThrow(CHANGED);
});

test('a question whose agent has ended is compared as it is stored', () => {
  const gone = { kind: 'question', question: 'Which one?', choices: ['a', 'b'], unread: false, gone: true } as const;
  requireAsked('adam', { tool: null, command: null, question: 'Which one?', choices: ['a', 'b'] }, { ...gone, choices: ['a', 'b'] });
  expect(() => requireAsked('adam', ASKED, { ...gone, choices: ['a', 'b'] })).toThrow(CHANGED);
});
