import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATUSES, type Status } from '../../store/statuses.ts';
import { aWorker } from '../samples.ts';
import { move } from './move.ts';
import { standing, TRANSITIONS, transition, type WorkerEvent } from './transitions.ts';

const EVENTS = Object.keys(TRANSITIONS).filter((event): event is WorkerEvent => event in TRANSITIONS);
const at = (status: Status, before: Status | null = null) => ({ status, status_before_offline: before });

describe('the flow of work', () => {
  test.each<[string, Status, WorkerEvent, Status]>([
    ['a task makes an idle worker work', 'idle', 'assigned', 'working'],
    ['a commit goes to review', 'working', 'committed', 'needs_review'],
    ['so does the commit after a rejection', 'rejected', 'committed', 'needs_review'],
    ['so does one made by hand', 'idle', 'committed', 'needs_review'],
    ['a question needs input', 'working', 'stopped', 'needs_input'],
    ['so does one after a rejection', 'rejected', 'stopped', 'needs_input'],
    ['an answer puts it back to work', 'needs_input', 'continued', 'working'],
    ['so does a message to reviewed work', 'needs_review', 'continued', 'working'],
    ['and to a worker in error', 'error', 'continued', 'working'],
    ['a person sends work back', 'needs_review', 'rejected', 'rejected'],
    ['a person takes it', 'needs_review', 'accepted', 'idle'],
    ['an answer that needs no commit ends its task', 'working', 'finished', 'idle'],
    ['restored work waits for a word', 'idle', 'restored', 'needs_input'],
    ['a reset helps from anywhere', 'error', 'reset', 'idle'],
  ])('%s', (_, status, event, expected) => {
    expect(transition(at(status), event)).toEqual({ kind: 'to', status: expected });
  });

  test.each<[string, Status, WorkerEvent]>([
    ['a worker at work gets no second task', 'working', 'assigned'],
    ['nor does one whose work waits for review', 'needs_review', 'assigned'],
    ['nor one that is offline', 'offline', 'assigned'],
    ['only what waits for review is accepted', 'working', 'accepted'],
    ['what was sent back is not accepted', 'rejected', 'accepted'],
    ['only what waits for review is sent back', 'needs_input', 'rejected'],
    ['a message does not end a rebase', 'rebasing', 'continued'],
    ['an offline worker does not commit', 'offline', 'committed'],
    ['nobody comes back who was not away', 'working', 'came_back'],
    ['nobody leaves twice', 'offline', 'went_offline'],
  ])('%s', (_, status, event) => {
    expect(transition(at(status), event)).toEqual({ kind: 'refused', status, event });
  });

  test('every status can be left, and is reached by some event', () => {
    for (const status of STATUSES) expect(EVENTS.filter((event) => TRANSITIONS[event].from.includes(status))).not.toEqual([]);
    const reached = EVENTS.map((event) => TRANSITIONS[event].to);
    expect(STATUSES.filter((status) => !reached.includes(status))).toEqual([]);
  });

  test('an event is legal exactly where the table says so', () => {
    for (const event of EVENTS)
      for (const status of STATUSES)
        expect(transition(at(status), event).kind).toBe(TRANSITIONS[event].from.includes(status) ? 'to' : 'refused');
  });

  test('a worker that goes offline comes back to its status, and its work keeps its age', () => {
    for (const status of STATUSES.filter((each) => each !== 'offline')) {
      const worker = aWorker({ status, last_activity_unix: 3 });
      move(worker, 'went_offline', 5_000);
      expect(worker).toMatchObject({ status: 'offline', status_before_offline: status });
      expect(standing(worker)).toBe(status);
      move(worker, 'came_back', 6_000);
      expect(worker).toMatchObject({ status, status_before_offline: null, last_activity_unix: 3 });
    }
  });

  test('a worker that was never up comes back idle', () => {
    expect(transition(at('offline'), 'came_back')).toEqual({ kind: 'to', status: 'idle' });
    expect(standing(at('offline'))).toBe('idle');
  });
});

describe('a move', () => {
  test('takes its fields along', () => {
    const worker = aWorker({ status: 'working' });
    move(worker, 'committed', 7_999, { commit_sha: 'a'.repeat(40), attention: { kind: 'no_commit' } });
    expect(worker).toMatchObject({
      status: 'needs_review',
      commit_sha: 'a'.repeat(40),
      attention: { kind: 'no_commit' },
      last_activity_unix: 7,
    });
  });

  test('of a worker whose session is away changes where it comes back to', () => {
    const worker = aWorker({ status: 'offline', status_before_offline: 'needs_review' });
    move(worker, 'accepted', 7_999, { attention: { kind: 'no_commit' } });
    expect(worker).toMatchObject({
      status: 'offline',
      status_before_offline: 'idle',
      attention: { kind: 'no_commit' },
      last_activity_unix: 7,
    });
    expect(() => move(worker, 'accepted', 1)).toThrow(expect.objectContaining({ code: 'ILLEGAL_TRANSITION' }));
    const present = aWorker({ status: 'needs_review' });
    move(present, 'accepted', 1);
    expect(present).toMatchObject({ status: 'idle', status_before_offline: null });
  });

  test('that is refused names both and changes nothing', () => {
    const worker = aWorker({ status: 'working' });
    const before = structuredClone(worker);
    expect(() => move(worker, 'accepted', 1, { attention: { kind: 'no_commit' } })).toThrow(
      expect.objectContaining({
        code: 'ILLEGAL_TRANSITION',
        message: expect.stringMatching(/is working; .* has work to review/),
        hint: 'llmc why adam',
      }),
    );
    expect(worker).toEqual(before);
  });

  test('however many follow each other, only an offline worker remembers where it was', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
        const worker = aWorker();
        for (const event of events) {
          if (transition(worker, event).kind === 'to') move(worker, event, 0);
          expect(worker.status_before_offline === null).toBe(worker.status !== 'offline');
          expect(worker.status_before_offline).not.toBe('offline');
        }
      }),
    );
  });
});
