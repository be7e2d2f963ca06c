import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import type { Event } from '../../tui/model/event.ts';
import { DraftFeed } from './draft-feed.ts';

const DRAFT = { kind: 'draft', worker: 'adam', work: null, id: 'one', draft: { kind: 'message', text: 'Add it', instead: 'Add' } } as const;

/** A feed whose shell answers as `call` does in each root. */
function feeding(call: (root: string) => Promise<unknown>) {
  const events: Event[] = [];
  const make: unknown = (root: string) => ({ root, call: () => call(root), atRoot: (hint: string) => hint });
  const isMaker = (value: unknown): value is ConstructorParameters<typeof DraftFeed>[0] => value === make;
  if (!isMaker(make)) throw new Error('not a shell');
  return { events, feed: new DraftFeed(make, (event) => events.push(event)) };
}

test('a supervisor that hangs holds back no draft of another root', async () => {
  const { events, feed } = feeding(async (root) => (root === '/hung' ? await new Promise(() => {}) : { is_landing: false }));
  void feed.keep({ ...DRAFT, root: '/hung' });
  await feed.keep({ ...DRAFT, root: '/well' });
  expect(events).toMatchObject([{ kind: 'done', effect: { root: '/well' } }]);
});

test('a draft that was stored while its work lands says so', async () => {
  const { events, feed } = feeding(async () => ({ is_landing: true }));
  await feed.keep({ ...DRAFT, root: '/well' });
  expect(events).toMatchObject([{ kind: 'done', isLanding: true }]);
});

test('a person who leaves waits for the drafts that are under way, and not longer than that', async () => {
  const slow = Promise.withResolvers<unknown>();
  const { events, feed } = feeding((root) => (root === '/hung' ? new Promise(() => {}) : slow.promise));
  void feed.keep({ ...DRAFT, root: '/well' });
  void feed.keep({ ...DRAFT, root: '/well', id: 'two' });
  const settled = feed.settled(600_000);
  slow.resolve({ is_landing: false });
  await settled;
  expect(events).toMatchObject([
    { kind: 'done', effect: { id: 'one' } },
    { kind: 'done', effect: { id: 'two' } },
  ]);
  void feed.keep({ ...DRAFT, root: '/hung' });
  await feed.settled(1);
  expect(events).toHaveLength(2);
});

test.each([
  ['WORKER_NOT_FOUND', true],
  ['ROOT_NOT_FOUND', true],
  ['WORK_CHANGED', true],
  ['WORKER_BUSY', false],
  ['DATABASE_ERROR', false],
] as const)('after %s, another try is of no use: %s', async (code, isFinal) => {
  const { events, feed } = feeding(async () => {
    throw new LlmcError(code, 'no', { hint: 'llmc status' });
  });
  await feed.keep({ ...DRAFT, root: '/well' });
  expect(events).toMatchObject([{ kind: 'failed', isFinal }]);
});
