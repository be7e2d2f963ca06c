import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { switchAgent } from '../../workers/pool/switch-agent.ts';
import { aWatch } from '../samples.ts';
import { restartAgent } from './relaunch.ts';

const TALKING = { agent: 'demo', incarnation: 3, conversation_id: 'c-1', conversation_used: true } as const;

/** A file where a folder has to be. */
function occupy(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  // Also in the place of a worktree: llmc neither follows it nor removes it.
  symlinkSync('/dev/null', path);
}

describe('a replacement agent that cannot be started', () => {
  test.each<[string, (work: ScratchWork) => string]>([
    ['its worktree cannot be repaired', ({ worktree }) => worktree],
    ['its files cannot be written, and its new incarnation is recorded', ({ context }) => context.layout.scratch('adam')],
  ])('%s: the old agent and its conversation stay', async (_, place) => {
    await using work = await scratchWork({ repo: '[agents.spare]\nextends = "demo"', worker: TALKING });
    const { store } = work.context;
    const watch = aWatch({ incarnation: 3 });
    const context = { ...work.context, agents: { ...work.context.agents, restart: () => restartAgent(work.context, watch) } };
    occupy(place(work));
    await expect(switchAgent(context, await context.config(), 'adam', 'spare')).rejects.toThrow();
    const { agent, stand_in, conversation_id, conversation_used } = store.worker('adam');
    expect({ agent, stand_in, conversation_id, conversation_used }).toEqual({
      agent: 'demo',
      stand_in: null,
      conversation_id: 'c-1',
      conversation_used: true,
    });
    expect(watch.life.incarnation).toBe(3);
  });
});
