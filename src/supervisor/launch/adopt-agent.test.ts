import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { adoptAgent } from './adopt-agent.ts';

const SPARE = '[agents.spare]\nextends = "demo"\n[workers.adam]\nagent = "spare"\n';
const talking = aWorker({ conversation_id: 'c-1', conversation_used: true });

test('a changed agent in config.toml runs from the next launch on, in a new conversation', () => {
  using scratch = scratchStore(aState(talking));
  const store = scratch.open();
  const after = adoptAgent({ store }, aConfig(SPARE), 'adam');
  expect(after).toMatchObject({ agent: 'spare', conversation_id: null, conversation_used: false });
  expect(store.worker('adam')).toEqual(after);
});

test('an unchanged agent keeps its conversation', () => {
  using scratch = scratchStore(aState(talking));
  const { worktree_path: _, ...kept } = talking;
  expect(adoptAgent({ store: scratch.open() }, aConfig('[workers.adam]\nagent = "demo"\n'), 'adam')).toMatchObject(kept);
});
