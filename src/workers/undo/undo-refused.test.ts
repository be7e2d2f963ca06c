import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accepted, REVIEWED, subjects, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';

describe('an accept that cannot be taken back', () => {
  const refusal = (work: ScratchWork) =>
    undo(work).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('main has gone on: refused, and --revert adds the opposite', async () => {
    await using work = await scratchWork({ worker: REVIEWED, repo: 'validate = ["test ! -e a.txt && test -e b.txt"]' });
    const { repo, context } = work;
    await repo.commit('One', { 'a.txt': 'one\n', 'b.txt': 'b\n' }, work.worktree);
    await acceptWork(
      { ...context, config: async () => ({ ...(await context.config()), repo: { ...(await context.config()).repo, validate: [] } }) },
      { worker: 'adam' },
    );
    await repo.run(['rm', '--quiet', 'b.txt']);
    await repo.commit('Later', { 'b.txt': 'b\nmore\n', 'c.txt': 'c\n' });
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', hint: 'Add a commit that reverts it: llmc undo adam --revert' });
    expect(await undo(work, { revert: true }).catch((error: unknown) => error)).toMatchObject({ code: 'UNDO_REFUSED', details: 'b.txt' });
    expect(await subjects(work)).toBe('Later\nOne\nBegin');
  });

  test('a revert is validated in a worktree of its own, lands once and leaves the worker alone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const { repo, context } = work;
    const { commit } = await accepted(work);
    await repo.commit('Later', { 'c.txt': 'c\n' });
    await repo.write('c.txt', 'edited\n');
    const config = await context.config();
    const validate = ['test ! -e a.txt && test -e c.txt && basename "$PWD" > ../../validated'];
    const validating = { ...work, context: { ...context, config: async () => ({ ...config, repo: { ...config.repo, validate } }) } };
    const undone = await undo(validating, { revert: true });
    expect(undone).toMatchObject({ outcome: 'undone', kind: 'revert', commit, status: 'idle', conversation: null });
    expect(await repo.read('validated', context.layout.root)).toBe('_undo\n');
    expect(await repo.run(['log', '-1', '--format=%H %B'])).toBe(`${undone.revert} Revert "One"\n\nThis reverts commit ${commit}.`);
    expect(await repo.run(['status', '--porcelain'])).toBe('M c.txt');
    expect(await repo.run(['branch', '--list', '--format=%(refname:short)'], context.layout.root)).not.toContain('_undo');
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'already_undone', revert: undone.revert });
    expect(await subjects(work)).toBe('Revert "One"\nLater\nOne\nBegin');
  });

  test('a revert whose validation fails does not land, and can be tried again', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    const config = await work.context.config();
    const failing = {
      ...work,
      context: { ...work.context, config: async () => ({ ...config, repo: { ...config.repo, validate: ['false'] } }) },
    };
    await expect(undo(failing, { revert: true })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await subjects(work)).toBe('One\nBegin');
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'undone' });
    expect(await subjects(work)).toBe('Revert "One"\nOne\nBegin');
  });

  test('the worker has another task: refused', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    work.context.store.changeWorker('adam', {
      kind: 'status',
      summary: 'task',
      change: (worker) => Object.assign(worker, { status: 'working' }),
    });
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', message: expect.stringContaining('adam cannot take') });
    expect(await subjects(work)).toBe('One\nBegin');
  });

  test('edits of the user in the same file stop it, and it works once they are gone', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await work.repo.write('a.txt', 'mine\n');
    expect(await refusal(work)).toMatchObject({
      code: 'UNDO_REFUSED',
      hint: `Commit or move your own changes in ${work.repo.path}, then: llmc undo adam`,
      details: 'a.txt',
    });
    expect([await work.repo.read('a.txt'), work.context.store.worker('adam').status]).toEqual(['mine\n', 'idle']);
    await work.repo.run(['checkout', '--quiet', '--', 'a.txt']);
    expect(await undo(work)).toMatchObject({ outcome: 'undone' });
  });

  test('a remote of the source has it: refused', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    const remote = join(work.repo.dir, 'upstream.git');
    await work.repo.run(['init', '--quiet', '--bare', remote], '/');
    await work.repo.run(['remote', 'add', 'upstream', remote]);
    await accepted(work);
    await work.repo.run(['push', '--quiet', 'upstream', 'main']);
    expect(await refusal(work)).toMatchObject({ code: 'UNDO_REFUSED', message: expect.stringContaining('upstream/main has') });
    expect(await undo(work, { revert: true })).toMatchObject({ outcome: 'undone', kind: 'revert' });
  });

  test('nothing was accepted yet', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    expect(await refusal(work)).toMatchObject({ code: 'NOTHING_TO_UNDO', message: 'no accept has landed yet' });
  });

  test('main was moved away from it by hand', async () => {
    await using work = await scratchWork({ worker: REVIEWED });
    await accepted(work);
    await work.repo.run(['reset', '--quiet', '--hard', 'HEAD~1']);
    expect(await refusal(work)).toMatchObject({ code: 'NOTHING_TO_UNDO' });
    await expect(undo(work, { revert: true })).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
  });
});
