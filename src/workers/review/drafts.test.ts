import { expect, test } from 'vitest';
import { REVIEWED } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { draftCounts } from '../../store/tables/draft-counts.ts';
import { type CommentDraft, putDraft } from '../../store/tables/drafts.ts';
import { listRejections } from '../../store/tables/rejections.ts';
import { acceptWork } from '../accept-work.ts';
import { nukeWorker } from '../nuke-worker.ts';
import { rejectWork } from '../reject-work.ts';
import { resetWorker } from '../reset-worker.ts';
import { reviewWork } from '../review-work.ts';
import { commitMove } from '../status/commit-move.ts';
import { nameWork } from '../tasks/work-id.ts';
import { keepDraft, listDrafts } from './drafts.ts';

const COMMENT: CommentDraft = { kind: 'comment', path: 'a.txt', side: 'new', from: 1, to: 1, quoted: 'a', text: 'Why a?' };

async function reviewable(): Promise<ScratchWork> {
  const work = await scratchWork({ worker: REVIEWED });
  await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
  return work;
}

const put = (work: ScratchWork, id: string, draft: CommentDraft | null = COMMENT) => keepDraft(work.context, { worker: 'adam', id, draft });
const ids = async ({ context }: ScratchWork) => (await listDrafts(context, { worker: 'adam' })).map(({ id }) => id);
const detailsOf = ({ context }: ScratchWork, kind: string) =>
  context.store.database
    .prepare('SELECT details FROM history WHERE kind = ?')
    .all(kind)
    .map(({ details }) => details);
const reject = (work: ScratchWork, ids: readonly string[], notes = [{ at: 'a.txt:1', text: 'Why a?' }]) =>
  rejectWork(work.context, {
    worker: 'adam',
    feedback: 'See the remarks.',
    notes,
    drafts: ids.map((id) => ({ id, text: COMMENT.text })),
    timeoutMs: 0,
  });

test('drafts are kept by id, counted, replaced and deleted; nothing of that is history', async () => {
  await using work = await reviewable();
  const { database } = work.context.store;
  const history = () => database.prepare('SELECT count(*) AS lines FROM history').get();
  const before = history();
  await put(work, 'one');
  await put(work, 'two');
  await put(work, 'one', { ...COMMENT, text: 'Why not b?' });
  expect((await listDrafts(work.context, { worker: 'adam' })).map(({ draft }) => draft)).toEqual([
    { ...COMMENT, text: 'Why not b?' },
    COMMENT,
  ]);
  expect(draftCounts(database)).toEqual(new Map([['adam', { comments: 2, message: null }]]));
  expect((await reviewWork(work.context, { worker: 'adam', beforeAccept: true })).draft_comments).toBe(2);
  await put(work, 'one', null);
  expect([await ids(work), history()]).toEqual([['two'], before]);
});

test('the status has the commit message that a person wrote, because an accept would land it', async () => {
  await using work = await reviewable();
  const message = { kind: 'message', text: 'Add that', instead: 'Add a' } as const;
  await keepDraft(work.context, { worker: 'adam', id: 'message:adam', draft: message });
  expect(draftCounts(work.context.store.database).get('adam')).toEqual({ comments: 0, message: 'Add that' });
});

test('a draft of another worker is neither replaced nor deleted by its id', async () => {
  await using work = await reviewable();
  const { database, state } = work.context.store;
  putDraft(database, { id: 'one', worker: 'ben', draft: COMMENT }, 1);
  await put(work, 'one', { ...COMMENT, text: 'Mine' });
  await put(work, 'one', null);
  expect([draftCounts(database), state.workers['ben']]).toEqual([new Map([['ben', { comments: 1, message: null }]]), undefined]);
});

test('a rejection ends the drafts that it was made of when it is recorded, and no others', async () => {
  await using work = await reviewable();
  for (const id of ['one', 'two', 'three']) await put(work, id);
  await expect(reject(work, ['one', 'two'])).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  expect([work.context.store.worker('adam').status, await ids(work)]).toEqual(['rejected', ['three']]);
  const [rejection] = listRejections(work.context.store.database, 'adam');
  expect(rejection).toMatchObject({ feedback: 'See the remarks.', notes: [{ at: 'a.txt:1', text: 'Why a?', quoted: 'a' }] });
});

test('a rejection keeps a draft whose text was changed meanwhile: the newer text was not sent', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await put(work, 'two');
  await put(work, 'one', { ...COMMENT, text: 'Why a? It was b.' });
  await expect(reject(work, ['one', 'two'])).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  expect((await listDrafts(work.context, { worker: 'adam' })).map(({ draft }) => draft.text)).toEqual(['Why a? It was b.']);
  expect(listRejections(work.context.store.database, 'adam')[0]?.drafts).toEqual([{ id: 'two', text: 'Why a?' }]);
  // It can still be changed.
  await put(work, 'one', { ...COMMENT, text: 'Why a? It was b before.' });
});

test('a rejection that is refused keeps every draft', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await expect(reject(work, ['one'], [{ at: 'gone.txt:1', text: 'x' }])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect([work.context.store.worker('adam').status, await ids(work)]).toEqual(['needs_review', ['one']]);
});

test('an accept says which comments nobody sent and ends the drafts; one that comes later is refused', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await acceptWork(work.context, { worker: 'adam' });
  expect(work.said).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
  expect(await ids(work)).toEqual([]);
  await expect(put(work, 'two')).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION', hint: 'llmc why adam' });
  // A comment that is deleted late is gone, as it should be.
  await put(work, 'one', null);
  expect(await ids(work)).toEqual([]);
});

test('a reset says which comments nobody sent, keeps their text in the history, and ends the drafts', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await resetWorker(work.context, 'adam');
  expect(await ids(work)).toEqual([]);
  expect(work.said).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
  expect(detailsOf(work, 'status')).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
});

test('so does the next task, if the work ended in a way that kept the drafts', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  const { context } = work;
  commitMove(context, 'adam', 'continued', { why: 'a message' });
  commitMove(context, 'adam', 'finished', { why: 'its turn ended with an artifact' });
  expect([work.said, await ids(work)]).toEqual([[], ['one']]);
  commitMove(context, 'adam', 'assigned', { why: 'task given' });
  expect([work.said, await ids(work)]).toEqual([['adam: 1 draft comment not sent: a.txt:1 Why a?'], []]);
  expect(detailsOf(work, 'status')).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
});

test('so does a worker that is removed', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await nukeWorker(work.context, 'adam');
  expect(work.said).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
  expect(detailsOf(work, 'removed')).toContain('adam: 1 draft comment not sent: a.txt:1 Why a?');
});

test('a draft that cannot be read stays where it is and hides no other', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await put(work, 'two');
  work.context.store.database.exec("UPDATE drafts SET content = '[' WHERE id = 'one'");
  expect([await ids(work), draftCounts(work.context.store.database).get('adam')]).toEqual([['two'], { comments: 2, message: null }]);
});

test('a comment that was sent does not become a draft again, not even from another view that still has it in a field', async () => {
  await using work = await reviewable();
  await put(work, 'one');
  await expect(reject(work, ['one'])).rejects.toThrowError(expect.objectContaining({ code: 'WAIT_TIMEOUT' }));
  await expect(put(work, 'one', { ...COMMENT, text: 'Why a? And more' })).rejects.toThrowError(
    expect.objectContaining({ code: 'WORK_CHANGED' }),
  );
  expect(await ids(work)).toEqual([]);
  await put(work, 'two');
  expect(await ids(work)).toEqual(['two']);
});

test('a comment on work that is being validated is kept, and still there when the validation fails', async () => {
  await using work = await scratchWork({ worker: REVIEWED, repo: 'validate = ["false"]' });
  await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
  const kept: unknown[] = [];
  const validating = new Map();
  const set = validating.set.bind(validating);
  // The moment at which the validation begins.
  validating.set = (name, line) => {
    kept.push(put(work, 'one'));
    return set(name, line);
  };
  await expect(acceptWork({ ...work.context, validating }, { worker: 'adam' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await Promise.all(kept)).toEqual([{ is_landing: true }]);
  expect([work.context.store.worker('adam').status, await ids(work)]).toEqual(['needs_review', ['one']]);
  expect(await put(work, 'one')).toEqual({ is_landing: false });
});

test('a comment that comes late is not kept for the work that the worker has by then', async () => {
  await using work = await reviewable();
  const { context } = work;
  const keep = (of: string | null) => keepDraft(context, { worker: 'adam', work: of, id: 'one', draft: COMMENT });
  await expect(keep('1/7')).rejects.toMatchObject({ code: 'WORK_CHANGED', message: 'adam has other work now' });
  await keep(nameWork(context.store.worker('adam'), null));
  expect(await ids(work)).toEqual(['one']);
});
