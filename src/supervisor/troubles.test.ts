import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { LlmcError } from '../base/error.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { Troubles } from './troubles.ts';

/** The troubles of adam, and the lines of the history. */
function recorded(worker = aWorker()) {
  const scratch = scratchStore(aState(worker));
  const store = scratch.open();
  const lines: string[] = [];
  store.onCommit(({ summary }) => lines.push(summary));
  return { store, lines, troubles: new Troubles({ store, say: () => undefined }), [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test('the same trouble is recorded once, and its end too', () => {
  using at = recorded();
  for (let pass = 0; pass < 3; pass += 1) at.troubles.record('adam', new LlmcError('GIT_FAILED', 'git failed', { hint: 'llmc doctor' }));
  expect(at.troubles.of('adam')).toEqual({ kind: 'trouble', message: 'git failed', hint: 'llmc doctor' });
  at.troubles.clear('adam');
  at.troubles.clear('adam');
  expect(at.lines).toEqual(['git failed. llmc doctor', 'this problem no longer occurs: git failed']);
});

test('a pass that failed as a whole is recorded without a worker', () => {
  using at = recorded();
  at.troubles.record(null, new Error('tmux went away'));
  expect(at.lines).toEqual(['tmux went away']);
});

test('an idle worker that could not be brought up keeps its trouble in the state; another attention stays', () => {
  using offline = recorded(aWorker({ status: 'offline', status_before_offline: 'idle' }));
  offline.troubles.record('adam', new Error('no program'));
  expect(offline.store.worker('adam').attention).toMatchObject({ kind: 'trouble', message: 'no program' });
  using reviewed = recorded(aWorker({ status: 'needs_review', attention: { kind: 'review', uncommitted: false } }));
  reviewed.troubles.record('adam', new Error('no program'));
  expect(reviewed.store.worker('adam').attention).toMatchObject({ kind: 'review' });
});

test('on a full disk the end of a trouble cannot be recorded, and neither is reported again in each pass', () => {
  using at = recorded();
  const said: string[] = [];
  const troubles = new Troubles({ store: at.store, say: (line) => said.push(line) });
  at.store.database.exec("CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'full'); END");
  for (let pass = 0; pass < 5; pass += 1) {
    troubles.record('adam', new Error('the disk is full'));
    expect(() => troubles.clear('adam')).toThrow('full');
    troubles.record('adam', new Error('the disk is full'));
  }
  expect(said).toHaveLength(1);
  at.store.database.exec('DROP TRIGGER full');
  troubles.clear('adam');
  expect(troubles.of('adam')).toBeUndefined();
  expect(at.lines).toEqual(['this problem no longer occurs: the disk is full']);
});

test('a pass that failed as a whole and works again is recorded as over, and its next failure as a new one', () => {
  using at = recorded();
  for (const _round of [1, 2]) {
    at.troubles.record(null, new Error('tmux went away'));
    at.troubles.clear(null);
  }
  const over = 'this problem no longer occurs: tmux went away';
  expect(at.lines).toEqual(['tmux went away', over, 'tmux went away', over]);
});
