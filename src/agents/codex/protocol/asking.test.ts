import { describe, expect, test } from 'vitest';
import { readAsked } from './asking.ts';

const ask = (method: string, params: object) =>
  readAsked(method, 7, { threadId: 't', turnId: 'turn', itemId: 'item', ...params }, () => 'a.txt, b.txt');

const question = (id: string, text: string, ...labels: readonly string[]) => ({
  id,
  header: id,
  question: text,
  isOther: true,
  isSecret: false,
  options: labels.map((label) => ({ label, description: '' })),
});

describe('a command', () => {
  const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['git', 'push'] } };
  const asked = ask('item/commandExecution/requestApproval', {
    command: "/bin/bash -lc 'git push'",
    reason: 'to publish',
    availableDecisions: ['accept', amendment, 'cancel'],
  });

  test('is asked for with the text of Codex’s own dialog', () => {
    expect(asked?.event).toEqual({
      kind: 'permission_opened',
      tool: 'Bash',
      question: 'git push (to publish)',
      choices: [
        'Yes, proceed',
        "Yes, and don't ask again for commands that start with `git push`",
        'No, and tell Codex what to do differently',
      ],
    });
  });

  test.each<[string, unknown]>([
    ['1', 'accept'],
    ['yes', 'accept'],
    ['Y', 'accept'],
    ['yes, proceed', 'accept'],
    ['2', amendment],
    ['Yes, and', amendment],
    ['no', 'cancel'],
    ['3', 'cancel'],
  ])('is answered with %s', (choice, decision) => {
    expect(asked?.answer(choice)).toEqual({ result: { decision } });
  });

  test.each(['', '0', '4', 'perhaps', 'yes please do'])('is not answered with "%s"', (choice) => {
    expect(asked?.answer(choice)).toBeUndefined();
  });

  test('may come without anything to show', () => {
    const bare = ask('item/commandExecution/requestApproval', {});
    expect(bare?.event).toMatchObject({ question: 'a command', choices: ['Yes, proceed', 'No, and tell Codex what to do differently'] });
  });
});

test('a patch names its files', () => {
  const asked = ask('item/fileChange/requestApproval', { reason: null });
  expect(asked?.event).toMatchObject({ tool: 'apply_patch', question: 'a.txt, b.txt' });
  expect(asked?.answer('2')).toEqual({ result: { decision: 'acceptForSession' } });
});

test('wider permissions are granted as asked for, or not at all', () => {
  const permissions = { network: { enabled: true } };
  const asked = ask('item/permissions/requestApproval', { permissions, reason: 'to fetch' });
  expect(asked?.answer('yes')).toEqual({ result: { permissions, scope: 'turn' } });
  expect(asked?.answer('no')).toEqual({ result: { permissions: {}, scope: 'turn' } });
});

test('an MCP server is accepted or declined', () => {
  const asked = readAsked(
    'mcpServer/elicitation/request',
    7,
    { threadId: 't', turnId: null, serverName: 'maps', message: 'Where?' },
    () => '',
  );
  expect(asked?.event).toMatchObject({ kind: 'permission_opened', tool: 'MCP server maps', question: 'Where?' });
  expect(asked?.answer('decline')).toEqual({ result: { action: 'decline', content: null, _meta: null } });
});

describe('questions', () => {
  const one = ask('item/tool/requestUserInput', { questions: [question('colour', 'Which colour?', 'Blue', 'Green (Recommended)')] });
  const two = ask('item/tool/requestUserInput', {
    questions: [question('colour', 'Which colour?', 'Blue', 'Green'), question('size', 'Which size?', 'Small', 'Big')],
  });

  test('one question is shown with its choices', () => {
    expect(one?.event).toEqual({ kind: 'question_opened', question: 'Which colour?', choices: ['Blue', 'Green (Recommended)'] });
    expect(one?.activity).toMatchObject({ kind: 'awaiting_question', questionType: 'multiple_choice' });
  });

  test.each([
    ['2', 'Green (Recommended)'],
    ['green', 'Green (Recommended)'],
    ['a darker one; with stars', 'a darker one; with stars'],
  ])('one question is answered with %s', (choice, answer) => {
    expect(one?.answer(choice)).toEqual({ result: { answers: { colour: { answers: [answer] } } } });
  });

  test('several questions come one after the other, and their answers go out together', () => {
    expect(two?.event).toEqual({ kind: 'question_opened', question: 'Which colour?', choices: ['Blue', 'Green'] });
    const given = two?.answer('1');
    const second = given !== undefined && 'next' in given ? given.next : undefined;
    expect(second?.activity).toMatchObject({ question: 'Which size?', choices: ['Small', 'Big'] });
    expect(second?.answer('huge')).toEqual({ result: { answers: { colour: { answers: ['Blue'] }, size: { answers: ['huge'] } } } });
    expect(second?.answer(' ')).toBeUndefined();
    expect(two?.answer('2'), 'the first one again').toMatchObject({ next: { activity: { question: 'Which size?' } } });
  });
});

test.each([
  ['item/tool/call', {}],
  ['item/tool/requestUserInput', { questions: [] }],
  ['item/commandExecution/requestApproval', { command: 7 }],
  ['unknown/method', {}],
])('an unknown request is left to other clients: %s %j', (method, params) => {
  expect(ask(method, params)).toBeUndefined();
});

test('a repeated question has the same id, whatever its number', () => {
  const again = (requestId: number) =>
    readAsked('item/fileChange/requestApproval', requestId, { threadId: 't', turnId: 'u', itemId: 'i' }, () => '');
  expect(again(1)?.id).toBe(again(2)?.id);
});
