import { describe, expect, test } from 'vitest';
import { BOTH, type Conflicting, conflicting, MAIN } from '../../../test/support/scratch-conflict.ts';
import { updateResolution } from '../../store/tables/resolutions.ts';
import { listSaved, showSaved } from '../rescue-work.ts';
import { reviewWork } from '../review-work.ts';
import { attentionText } from '../status/attention-text.ts';
import { rebaseWork } from './rebase-work.ts';

/** The agent resolves the conflict to this text, and keeps to it when it is asked again. */
async function resolvedTo(text: string): Promise<Conflicting> {
  const work = await conflicting();
  await rebaseWork(work.context, { worker: 'adam' });
  await work.resolve(text, false);
  await work.turnEnds();
  return work;
}

const rescues = (work: Conflicting) => listSaved(work.context, { worker: 'adam' });

describe('the work from before a conflict is saved', () => {
  test.each([
    ['lost a line of main', 'worker\n'],
    ['left nothing of the work', MAIN],
  ])('when the result %s: once, before the agent is asked again, and named in the review and the status', async (_, text) => {
    await using work = await resolvedTo(text);
    const { context, head } = work;
    const [saved, ...others] = await rescues(work);
    expect(others).toEqual([]);
    expect(saved).toMatchObject({ parents: [head], reason: 'before its conflict was resolved', commits: 1, task: 'Write a.txt' });
    expect(work.row()).toMatchObject({ phase: 'asked', sent_back: 1, rescue: saved?.name });
    await work.turnEnds();
    const name = saved?.name ?? '';
    expect(await rescues(work)).toHaveLength(1);
    const { attention } = context.store.worker('adam');
    expect(attention).toMatchObject({ kind: 'resolved', rescue: name });
    expect(attention && attentionText('adam', attention)).toContain(`llmc rescue show ${name}`);
    expect((await reviewWork(context, { worker: 'adam' })).rescue).toBe(name);
    expect((await showSaved(context, name)).diff).toContain('+worker');
  });

  test('once, also if llmc is killed after the rescue and before its record', async () => {
    await using work = await resolvedTo(MAIN);
    const { context } = work;
    const [first] = await rescues(work);
    context.store.commit({
      worker: 'adam',
      kind: 'test',
      summary: 'as before the record',
      rows: (database) => updateResolution(database, work.row()?.id ?? '', { rescue: null, sent_back: 0, phase: 'asked' }),
    });
    await work.turnEnds();
    expect(await rescues(work)).toEqual([first]);
    expect(work.row()).toMatchObject({ rescue: first?.name });
  });

  test('and is not named any more once the lines are back', async () => {
    await using work = await resolvedTo('worker\n');
    await work.repo.commit('Bring it back', { 'a.txt': BOTH }, work.worktree);
    await work.turnEnds();
    expect(work.context.store.worker('adam').attention).toEqual({ kind: 'resolved', branch: 'main', lost: 0, uncommitted: false });
    expect((await reviewWork(work.context, { worker: 'adam' })).rescue).toBeNull();
  });

  test('but not when both sides are there', async () => {
    await using work = await resolvedTo(BOTH);
    expect(work.row()).toMatchObject({ outcome: 'resolved', rescue: null });
    expect(await rescues(work)).toEqual([]);
  });
});
