import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const SCENARIO = `turns: [{ steps: [{ fail: { type: rate_limit, message: Enough, resets_in: 4s } }, { edit: { path: sea.md, content: "Waves\\n" } }, { commit: The sea }] }]`;

/** Every worker's first turn is stopped by a usage limit of four seconds. */
function limit(world: CrashWorld): void {
  const file = join(world.repo.dir, 'limited.yaml');
  writeFileSync(file, SCENARIO);
  appendFileSync(world.layout.config, `\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(file)}]\n`);
}

describe('a supervisor killed around a usage limit', () => {
  const rows: readonly [Fault, readonly unknown[]][] = [
    // Its report and that of the limit may be read in one go.
    ['limit:after-park', [expect.stringMatching(/submitted|acked/)]],
    ['limit:after-go-on', ['done', 'queued']],
  ];
  test.concurrent.for(rows)('at %s: the account rests, and the worker is told to go on once', async ([fault, deliveries], { signal }) => {
    await using world = await crashWorld(['adam'], signal);
    limit(world);
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
  });
});
