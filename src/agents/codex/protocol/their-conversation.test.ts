import { expect, test } from 'vitest';
import { type Line, NOW, recorded, replay } from '../../../../test/codex/replay.ts';

/** A person clears the conversation in the viewer and types a prompt into the new one, recorded from the real server. */
const LINES = recorded('person-clears');
const place = (pattern: RegExp, from = 0): number => {
  const found = LINES.findIndex((line, index) => index >= from && pattern.test(JSON.stringify(line)));
  if (found === -1) throw new Error(`the recording has changed: ${pattern}`);
  return found;
};
const answerToPrompt = place(/"hear":\{"id":3,/);
const ended = place(/"turn\/completed"/);
const opened = place(/"thread\/started".*"threadSource":"user"/, ended);
const active = place(/"status":\{"type":"active"/, opened);
const theirs = /"threadId":"([^"]+)"/.exec(JSON.stringify(LINES[active]))?.[1] ?? '';
const ours = /"threadId":"([^"]+)"/.exec(JSON.stringify(LINES[ended]))?.[1] ?? '';

const hear = (message: object): Line => ({ hear: message });
const status = (threadId: string, type: string): Line =>
  hear({ method: 'thread/status/changed', params: { threadId, status: { type, activeFlags: [] } } });
const refused = (id: number): Line => hear({ id, error: { message: `no rollout found for thread id ${theirs}` } });
const thread = (type: string, preview: string): object => ({ thread: { id: theirs, status: { type }, preview } });
const resumed = (lines: readonly Line[]): number =>
  replay(lines).sent.filter((message) => JSON.stringify(message).includes(`"thread/resume","params":{"threadId":"${theirs}"`)).length;

test('the answer to a prompt may come after the end of its turn: no turn runs any more', () => {
  const late = [
    ...LINES.slice(0, answerToPrompt),
    ...LINES.slice(answerToPrompt + 1, ended + 1),
    ...LINES.slice(answerToPrompt, answerToPrompt + 1),
  ];
  const { dialogue } = replay(late);
  expect(dialogue.interrupt()).toBeUndefined();
  expect(resumed([...late, ...LINES.slice(opened, active + 1)])).toBe(1);
});

test('a record from the middle of a turn may come after its end: no turn runs any more', () => {
  const { dialogue } = replay(LINES.slice(0, ended));
  const { id } = JSON.parse(dialogue.readAgain() ?? '{}');
  const [end] = LINES.slice(ended).flatMap((line) => ('hear' in line ? [JSON.stringify(line.hear)] : []));
  dialogue.receive(end ?? '', NOW);
  const turn = /"turn":\{"id":"([^"]+)"/.exec(end ?? '')?.[1];
  dialogue.receive(JSON.stringify({ id, result: { data: [{ id: turn, status: 'inProgress', items: [] }] } }), NOW);
  expect(dialogue.interrupt()).toBeUndefined();
});

test('an item that ends after its turn, such as a command left in the background, starts no turn', () => {
  const item = LINES.slice(0, ended).findLast((line) => JSON.stringify(line).includes('"item/completed"'));
  if (item === undefined) throw new Error('the recording has changed');
  const late = [...LINES.slice(0, ended + 1), item];
  expect(replay(late).dialogue.interrupt()).toBeUndefined();
  expect(resumed([...late, ...LINES.slice(opened, active + 1)])).toBe(1);
});

test('a turn of the new conversation that ends before llmc could resume it is not overlooked', () => {
  const short = [
    ...LINES.slice(0, active + 1),
    refused(4),
    status(theirs, 'idle'),
    hear({ id: 5, result: thread('idle', 'Typed by a person') }),
  ];
  expect(resumed(short)).toBe(2);
  expect(resumed([...short, refused(6), hear({ id: 7, result: thread('idle', '') })])).toBe(2);
});

test('a new conversation that could not be resumed is followed at the next change of its status', () => {
  const missed = [...LINES.slice(0, active + 1), refused(4), hear({ id: 5, result: thread('idle', '') })];
  expect(resumed(missed)).toBe(1);
  expect(resumed([...missed, status(theirs, 'active')])).toBe(2);
  expect(resumed([...LINES.slice(0, active + 1), hear({ id: 4, error: { message: 'busy' } }), status(theirs, 'idle')])).toBe(2);
});

test('a person who prompts in the new conversation while a turn runs in the old one is followed when that turn is over', () => {
  const busy = [...LINES.slice(0, ended + 1), status(ours, 'active'), ...LINES.slice(opened, active + 1)];
  expect(resumed(busy)).toBe(0);
  expect(resumed([...busy, status(ours, 'idle')])).toBe(1);
});

test('a prompt that llmc sends while it resumes the conversation of a person stays in the old one', () => {
  const resuming = LINES.slice(0, active + 1);
  const crossed = replay([
    ...resuming,
    { do: ['prompt', 'd-2', 'Two'] },
    hear({ id: 4, result: thread('active', '') }),
    status(ours, 'active'),
    hear({ id: 6, result: { data: [] } }),
  ]);
  expect(crossed.dialogue.conversationId).toBe(ours);
  expect(crossed.dialogue.live).toEqual({ kind: 'processing' });
  expect(crossed.sent.at(-1)).toMatchObject({ method: 'thread/unsubscribe', params: { threadId: theirs } });
  const later = [
    { id: 5, result: {} },
    { method: 'thread/status/changed', params: { threadId: ours, status: { type: 'idle' } } },
  ];
  const sent = later.flatMap((message) => crossed.dialogue.receive(JSON.stringify(message), NOW).send);
  expect(sent.map((text) => JSON.parse(text))).toMatchObject([{ method: 'thread/resume', params: { threadId: theirs } }]);
});

test('a new task of llmc replaces the conversation that a person opened', () => {
  const busy = [...LINES.slice(0, ended + 1), status(ours, 'active'), ...LINES.slice(opened, active + 1)];
  const { dialogue } = replay(busy);
  const { id } = JSON.parse(dialogue.startOver() ?? '{}');
  dialogue.receive(JSON.stringify({ id, result: { thread: { id: 'new', status: { type: 'idle' } } } }), NOW);
  const { send } = dialogue.receive(
    JSON.stringify({ method: 'thread/status/changed', params: { threadId: 'new', status: { type: 'idle' } } }),
    NOW,
  );
  expect(send).toEqual([]);
});
