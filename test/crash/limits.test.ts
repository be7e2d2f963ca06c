import { describe, expect, test } from 'vitest';
import { play, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

/** A usage limit stops the first turn: short, but long enough for a busy machine to notice it. */
const LIMITED = `turns: [{ steps: [{ fail: { type: rate_limit, message: Enough, resets_in: 8s } }, { edit: { path: sea.md, content: "Waves\\n" } }, { commit: The sea }] }]`;

describe('a supervisor killed around a usage limit', () => {
  const rows: readonly [Fault, readonly unknown[]][] = [
    // llmc may read the report of the prompt and that of the limit in one pass.
    ['limit:after-park', [expect.stringMatching(/submitted|acked/)]],
    ['limit:after-go-on', ['done', 'queued']],
  ];
  test.concurrent.for(rows)(
    'at %s: the account stays parked, and the worker gets one prompt to continue',
    async ([fault, deliveries], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      play(world, LIMITED);
      expect(await world.up(fault)).toMatchObject({ status: 0 });
      await world.llmc(['start', '--prompt', TASK]);
      await world.supervisorIsGone();
      expect(Object.keys(world.state().limits)).toEqual(['demo']);
      expect(world.rows('SELECT state FROM deliveries ORDER BY seq').map(({ state }) => state)).toEqual(deliveries);

      expect(await world.up()).toMatchObject({ status: 0 });
      await world.reaches('adam', 'needs_review');
      expect(world.rows('SELECT purpose, state FROM deliveries ORDER BY seq')).toEqual([
        { purpose: 'task', state: 'done' },
        { purpose: 'continue', state: 'done' },
      ]);
      expect(world.rows("SELECT seq FROM events WHERE name = 'prompt_submit'")).toHaveLength(2);
      expect(await world.repo.run(['log', '-1', '--format=%s'], world.worker('adam').worktree_path)).toBe('The sea');
    },
  );
});
