import { describe, expect, test } from 'vitest';
import { accepted, REVIEWED, subjects, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { lastLanded } from '../../store/tables/landings.ts';
import { insertUndo } from '../../store/tables/undos.ts';
import { finishOpenUndos } from './undo-work.ts';

describe('an undo that a crash interrupted', () => {
  /** The row that `undo` writes before its first step. */
  async function interrupted(work: ScratchWork): Promise<void> {
    await accepted(work);
    const { store } = work.context;
    const landing = lastLanded(store.database);
    if (landing === undefined) throw new Error('nothing landed');
    const { id, worker, landed, onto } = landing;
    insertUndo(store.database, { id: 'open', landing: id, worker, kind: 'take_back', branch: 'main', landed, onto, created_ms: 1 });
  }
  const outcomes = (work: ScratchWork) => work.context.store.database.prepare('SELECT phase, outcome FROM undos').all();

  test('is finished by the next supervisor', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await finishOpenUndos(work.context);
    expect([await subjects(work), work.context.store.worker('adam').status]).toEqual(['Begin', 'needs_review']);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
  });

  test('is over if the worker has another task by now and main has not moved', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    work.context.store.changeWorker('adam', {
      kind: 'status',
      summary: 'task',
      change: (worker) => Object.assign(worker, { status: 'working' }),
    });
    await finishOpenUndos(work.context);
    expect([await subjects(work), work.context.store.worker('adam').status]).toEqual(['One\nBegin', 'working']);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'failed' }]);
    expect(work.said.at(-1)).toContain('Could not finish undoing the accept of adam: adam cannot take');
  });

  test('waits for its worker if main has moved already, and is finished once that is idle', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await work.repo.run(['reset', '--quiet', '--keep', 'HEAD~1']);
    const to = (status: 'working' | 'idle') =>
      work.context.store.changeWorker('adam', { kind: 'status', summary: status, change: (worker) => Object.assign(worker, { status }) });
    to('working');
    await finishOpenUndos(work.context);
    expect(outcomes(work)).toEqual([{ phase: 'moved', outcome: null }]);
    to('idle');
    expect(await undo(work)).toMatchObject({ outcome: 'undone', status: 'needs_review' });
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
  });

  test('ends with main as before if its worker is gone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await interrupted(work);
    await work.repo.run(['reset', '--quiet', '--keep', 'HEAD~1']);
    work.context.store.commit({
      worker: null,
      kind: 'nuked',
      summary: 'gone',
      state: (draft) => {
        delete draft.workers.adam;
      },
    });
    await finishOpenUndos(work.context);
    expect(outcomes(work)).toEqual([{ phase: 'settled', outcome: 'done' }]);
    expect(await undo(work)).toMatchObject({ outcome: 'already_undone', status: null });
  });
});
