import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { readStateFile } from './state-file.ts';

test('a state file cannot move a worker to another folder, branch or session', () => {
  const moved = aWorker({ worktree_path: '/home/someone', branch: 'main', session_id: 'llmc-baker' });
  using scratch = scratchStore();
  writeFileSync(scratch.layout.state, JSON.stringify({ ...aState(moved), revision: 1_000 }));
  expect(scratch.open().worker('adam')).toMatchObject({
    worktree_path: scratch.layout.worktree('adam'),
    branch: 'llmc/adam',
    session_id: 'llmc-adam',
  });
});

test.each([
  ['a name that leaves the root', { name: '../../home' }],
  ['a name that is an option', { name: '--force' }],
  ['a conversation that is an option', { conversation_id: '--dangerously-skip-permissions' }],
  ['a conversation that leads elsewhere', { conversation_id: '../../secret' }],
])('a state file with %s is broken', (_, changes) => {
  using scratch = scratchStore();
  const worker = { ...aWorker(), ...changes };
  writeFileSync(scratch.layout.state, JSON.stringify({ ...aState(), workers: { [worker.name]: worker } }));
  expect(readStateFile(scratch.layout.state).kind).toBe('broken');
});
