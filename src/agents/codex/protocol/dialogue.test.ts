import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aRequest, type Line, NOW, recorded, replay } from '../../../../test/codex/replay.ts';
import { CodexDialogue } from './dialogue.ts';

const FRESH = ['session_started', 'ready'];
const READY = { kind: 'ready' };
const BUSY = { kind: 'processing' };

const CONNECTIONS: readonly [name: string, events: readonly string[], lives: readonly unknown[]][] = [
  [
    'turn',
    [...FRESH, 'prompt_accepted', 'tool_started', 'tool_finished', 'tool_started', 'tool_finished', 'turn_ended'],
    [READY, BUSY, READY],
  ],
  [
    'approval',
    [...FRESH, 'prompt_accepted', 'tool_started', 'permission_opened', 'dialog_closed', 'tool_finished', 'turn_ended'],
    [READY, BUSY, expect.objectContaining({ kind: 'awaiting_permission', question: 'true (it has to be)' }), BUSY, READY],
  ],
  [
    'approval-declined',
    [...FRESH, 'prompt_accepted', 'tool_started', 'permission_opened', 'dialog_closed', 'ready'],
    [
      READY,
      BUSY,
      expect.objectContaining({ kind: 'awaiting_permission', tool: 'apply_patch' }),
      BUSY,
      READY,
      { kind: 'ready', interrupted: true },
    ],
  ],
  [
    // The report that the question is settled comes after the end of the turn, and must not make the agent busy again.
    'approval-interrupted',
    [...FRESH, 'prompt_accepted', 'tool_started', 'permission_opened', 'ready'],
    [READY, BUSY, expect.objectContaining({ kind: 'awaiting_permission' }), READY, { kind: 'ready', interrupted: true }],
  ],
  [
    'usage-limit',
    [...FRESH, 'prompt_accepted', 'turn_failed'],
    [READY, BUSY, { kind: 'unknown' }, { kind: 'waiting_limit', resetsAt: 1_794_787_200_000, continuesByItself: false }],
  ],
  ['retry', [...FRESH, 'prompt_accepted', 'turn_ended'], [READY, BUSY, { ...BUSY, detail: 'retrying' }, BUSY, READY]],
  ['interrupt', [...FRESH, 'prompt_accepted', 'ready'], [READY, BUSY, READY, { kind: 'ready', interrupted: true }]],
  [
    'taken-up-at-work',
    ['session_started', 'prompt_accepted', 'turn_ended', 'prompt_accepted', 'tool_finished', 'dialog_closed', 'turn_ended'],
    [BUSY, READY],
  ],
  ['taken-up-after-a-kill', ['session_started', 'prompt_accepted', 'ready', 'ready'], [{ kind: 'ready', interrupted: true }]],
  ['never-begun', [], []],
  ['start-over', [...FRESH, 'prompt_accepted', 'turn_ended', ...FRESH], [READY, BUSY, READY, READY]],
];

describe.each(CONNECTIONS)('a recorded connection: %s', (name, events, lives) => {
  const lines = recorded(name);

  test('its events and what the agent is doing, in order', () => {
    const played = replay(lines);
    expect([...new Map(played.events.map(({ id, event }) => [id, event.kind])).values()]).toEqual(events);
    expect(played.lives).toEqual(lives);
  });

  test('repeated messages give no new events', () => {
    const once = new Set(replay(lines).events.map(({ id }) => id));
    const twice = replay(lines.flatMap((line): readonly Line[] => ('hear' in line ? [line, line] : [line]))).events.map(({ id }) => id);
    expect(new Set(twice)).toEqual(once);
  });

  test('cut off anywhere, it gives fewer events and throws nothing', () => {
    const whole = replay(lines).events.map(({ id }) => id);
    for (let length = 0; length < lines.length; length += 1) {
      const part = replay(lines.slice(0, length)).events.map(({ id }) => id);
      expect(part).toEqual(whole.slice(0, part.length));
    }
  });
});

test('a prompt is sent unchanged with its id, and reported with both', () => {
  const { sent, events, dialogue } = replay(recorded('turn'));
  const input = [{ type: 'text', text: 'Write it down', text_elements: [] }];
  expect(sent.at(-1)).toEqual({
    id: 3,
    method: 'turn/start',
    params: { threadId: dialogue.conversationId, clientUserMessageId: 'd-1', input },
  });
  expect(events[2]?.event).toEqual({ kind: 'prompt_accepted', text: 'Write it down', id: 'd-1' });
  expect(events.at(-1)?.event).toEqual({ kind: 'turn_ended', message: 'Done.', backgroundTasks: 0 });
  expect([dialogue.fateOf('d-1'), dialogue.fateOf('d-2')]).toEqual(['accepted', 'unknown']);
});

test('a record read in the middle of a turn proves nothing; it is read again at its end', () => {
  const lines = recorded('taken-up-at-work');
  const { sent, dialogue } = replay(lines);
  expect(sent.map((message) => (message as { method: string }).method)).toEqual([
    'initialize',
    'initialized',
    'thread/resume',
    'thread/turns/list',
    'thread/turns/list',
    'thread/turns/list',
  ]);
  expect(dialogue.timesRead).toBe(1);
  expect(replay(lines.slice(0, -1)).dialogue.timesRead).toBe(0);
});

test('messages before the record of a resumed conversation wait for it', () => {
  const lines = recorded('taken-up-at-work');
  const opening = lines.findIndex((line) => 'hear' in line && JSON.stringify(line.hear).includes('turnsBackwardsCursor'));
  const end = lines.find((line) => 'hear' in line && JSON.stringify(line.hear).includes('"turn/completed"'));
  if (end === undefined || opening === -1) throw new Error('the recording has changed');
  const { events } = replay([...lines.slice(0, opening + 1), end, ...lines.slice(opening + 1)]);
  const kinds = events.map(({ event }) => event.kind);
  expect(kinds.indexOf('session_started')).toBe(0);
  expect(kinds.lastIndexOf('prompt_accepted')).toBeLessThan(kinds.lastIndexOf('turn_ended'));
});

test.each(['waitingOnApproval', 'waitingOnUserInput'])(
  'a question that is still open when the conversation is resumed is not closed: %s',
  (flag) => {
    const [taken, introduced, opened, record] = recorded('taken-up-at-work');
    if (taken === undefined || introduced === undefined || opened === undefined || record === undefined) throw new Error('it has changed');
    const waiting: Line = { hear: JSON.parse(JSON.stringify(opened).replace('"activeFlags":[]', `"activeFlags":["${flag}"]`)).hear };
    const threadId = 'take' in taken ? taken.take : '';
    const asked: Line = {
      hear: { id: 9, method: 'item/commandExecution/requestApproval', params: { threadId, turnId: 't', itemId: 'i', command: 'true' } },
    };
    const settled: Line = { hear: { method: 'serverRequest/resolved', params: { threadId, requestId: 9 } } };
    const played = replay([taken, introduced, waiting, record, asked, settled]);
    const kinds = played.events.map(({ event }) => event.kind);
    expect(kinds.slice(-2)).toEqual(['permission_opened', 'dialog_closed']);
    expect(kinds.filter((kind) => kind === 'dialog_closed')).toHaveLength(1);
    expect(played.lives.map((live) => live?.kind)).toEqual(['processing', 'awaiting_permission', 'processing']);
  },
);

test('a conversation that never began is reported as a problem, and not replaced here', () => {
  const { dialogue, sent } = replay(recorded('never-begun'));
  expect(dialogue.problem).toMatch(/no rollout found/);
  expect(dialogue.hasLost).toBe(true);
  expect(dialogue.conversationId).toBeNull();
  expect(sent).toHaveLength(4);
});

test('the dialogue waits for a first prompt on its way before the conversation counts as never begun', () => {
  const lines = recorded('never-begun').map((line) => {
    const text = JSON.stringify(line);
    return text.includes('"idle"') ? JSON.parse(text.replace('"type":"idle"', '"type":"active","activeFlags":[]')) : line;
  });
  const { dialogue, sent } = replay(lines);
  expect([dialogue.problem, dialogue.hasLost]).toEqual([undefined, false]);
  expect(sent.at(-1)).toMatchObject({ method: 'thread/resume' });
});

test('a conversation a person opened in the viewer becomes the worker’s own with its first prompt', () => {
  const lines = recorded('person-clears');
  const { events, sent, dialogue } = replay(lines);
  const openings = events.flatMap(({ event }) => (event.kind === 'session_started' ? [event] : []));
  expect(openings.map(({ source }) => source)).toEqual(['startup', 'clear']);
  expect(dialogue.conversationId).toBe(openings[1]?.conversationId);
  const accepted = events.flatMap(({ event }) => (event.kind === 'prompt_accepted' ? [event.text] : []));
  expect([...new Set(accepted)]).toEqual(['One', 'Typed by a person']);
  expect(sent).toContainEqual(expect.objectContaining({ method: 'thread/unsubscribe', params: { threadId: openings[0]?.conversationId } }));
  expect(sent.at(-1)).toMatchObject({ method: 'turn/start', params: { threadId: openings[1]?.conversationId } });
});

test('the dialogue follows no person away from a prompt that is on its way', () => {
  const lines = recorded('person-clears');
  const cleared = lines.findIndex((line) => /"thread\/started".*"threadSource":"user"/.test(JSON.stringify(line)));
  const { sent, dialogue } = replay([
    ...lines.slice(0, cleared + 1),
    { do: ['prompt', 'd-2', 'Two'] },
    ...lines.slice(cleared + 1, cleared + 2),
  ]);
  expect(JSON.stringify(sent)).not.toContain('thread/resume');
  expect(sent.at(-1)).toMatchObject({ method: 'turn/start', params: { threadId: dialogue.conversationId } });
});

test('the record of an old conversation does not count for the new one', () => {
  const { dialogue } = replay(recorded('turn'));
  const asked = JSON.parse(dialogue.readAgain() ?? '');
  const opening = JSON.parse(dialogue.startOver() ?? '');
  dialogue.receive(JSON.stringify({ id: opening.id, result: { thread: { id: 'new', status: { type: 'idle' } } } }), NOW);
  const turns = [{ id: 'old', status: 'inProgress', items: [{ type: 'userMessage', id: 'i', clientId: 'd-9' }] }];
  expect(dialogue.receive(JSON.stringify({ id: asked.id, result: { data: turns } }), NOW).events).toEqual([]);
  expect([dialogue.conversationId, dialogue.fateOf('d-9'), dialogue.timesRead]).toEqual(['new', 'unknown', 0]);
});

test('the hidden thread that finds a title is not a conversation of the worker', () => {
  const lines = recorded('person-clears');
  const hidden = lines.filter((line) => JSON.stringify(line).includes('"thread_title"'));
  expect(hidden).toHaveLength(1);
  const resumed = replay(lines).sent.filter((message) => JSON.stringify(message).includes('thread/resume'));
  expect(resumed).toHaveLength(1);
});

test('nothing is sent to a conversation that is not open', () => {
  const dialogue = new CodexDialogue(aRequest({ kind: 'fresh', id: '' }));
  const sent = [dialogue.prompt('d-1', 'x'), dialogue.readAgain(), dialogue.interrupt(), dialogue.answer('1'), dialogue.startOver()];
  expect(sent).toEqual(Array.from({ length: 5 }));
  expect([dialogue.conversationId, dialogue.live, dialogue.problem]).toEqual([null, undefined, undefined]);
});

test.each([
  '',
  'null',
  '[]',
  '{"id":1}',
  '{"id":1,"result":7}',
  '{"method":7}',
  '{"id":2,"error":"no"}',
  '\u0000',
  '{"method":"turn/completed"}',
])('garbage gives no event: %j', (text) => {
  const { dialogue } = replay(recorded('turn'));
  expect(dialogue.receive(text, NOW)).toEqual({ send: [], events: [] });
});

test('an unreadable answer is a problem, not a conversation', () => {
  const dialogue = new CodexDialogue(aRequest({ kind: 'fresh', id: '' }));
  dialogue.hello();
  dialogue.receive('{"id":1,"result":{}}', NOW);
  dialogue.receive('{"id":2,"result":{"thread":{}}}', NOW);
  expect(dialogue.problem).toMatch(/cannot read/);
});

test('no message makes it throw, whatever its fields are', () => {
  const methods = [
    ...new Set(CONNECTIONS.flatMap(([name]) => recorded(name).flatMap((line) => ('hear' in line ? JSON.stringify(line.hear) : [])))),
  ];
  const known = methods.flatMap((text) => JSON.parse(text).method ?? []);
  fc.assert(
    fc.property(fc.constantFrom(...new Set<string>(known)), fc.jsonValue(), fc.option(fc.nat(9)), (method, params, id) => {
      const { dialogue } = replay(recorded('approval').slice(0, 14));
      dialogue.receive(JSON.stringify({ method, params, ...(id !== null && { id }) }), NOW);
      dialogue.receive(JSON.stringify({ id: id ?? 3, result: params }), NOW);
    }),
    { numRuns: 200 },
  );
});
