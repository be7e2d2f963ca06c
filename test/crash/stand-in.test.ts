import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

/** One scenario stops at a usage limit of an hour; the other writes which agent did the work. */
const LIMITED = 'turns: [{ steps: [{ fail: { type: rate_limit, message: Enough, resets_in: 1h } }] }]';
const working = (who: string) => `turns: [{ steps: [{ edit: { path: who.md, append: "${who}\\n" } }, { commit: Done by ${who} }] }]`;

/** Adam's agent and its fallback have separate accounts. Baker shares the account of adam's agent, and reaches the limit first. */
async function parkedWorld(signal: AbortSignal): Promise<CrashWorld> {
  const world = await crashWorld([], signal);
  try {
    const scenario = (name: string, text: string): string => {
      const file = join(world.repo.dir, `${name}.yaml`);
      writeFileSync(file, text);
      return `args = ["--scenario", ${JSON.stringify(file)}]`;
    };
    const agent = (name: string, ...lines: readonly string[]) => [`[agents.${name}]`, ...lines];
    const lines = [
      ...agent('first', 'extends = "demo"', 'account = "one"', 'fallback = "second"', scenario('first', working('first'))),
      ...agent('second', 'extends = "demo"', 'account = "two"', scenario('second', working('second'))),
      ...agent('striker', 'extends = "demo"', 'account = "one"', scenario('striker', LIMITED)),
    ];
    appendFileSync(world.layout.config, `\n${lines.join('\n')}\n`);
    await world.must(['add', 'adam', '--agent', 'first']);
    await world.must(['add', 'baker', '--agent', 'striker']);
    expect(await world.up()).toMatchObject({ status: 0 });
    await world.must(['start', '--worker', 'baker', '--prompt', 'Reach the limit']);
    await until('the account to be parked', async () => Object.keys(world.state().limits).includes('one'));
    await world.must(['down']);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

describe('a supervisor killed while the fallback takes over from an agent that waits for its usage limit', () => {
  // The first two launches bring the workers up; the third one starts the stand-in.
  const rows: readonly Fault[] = [
    'stand-in:after-note',
    'launch:before-incarnation@3',
    'launch:after-incarnation@3',
    'launch:after-session@3',
    'stand-in:after-restart',
    'start:before-commit',
    'start:after-commit',
    'delivery:after-typed-row',
    'delivery:after-enter',
    'delivery:before-acked-row',
  ];
  // After the commit the steps are those of any start, where start.test.ts kills in each run; launches are killed in up.test.ts.
  const own = rowsOfThisRun(rows, (fault) => /^stand-in:|^launch:after-session/.test(fault));
  test.concurrent.for(own)('at %s: the fallback does the task once', async (fault, { signal }) => {
    await using world = await parkedWorld(signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    expect(await world.llmc(['start', '--prompt', TASK])).toMatchObject({ status: expect.any(Number) });
    await world.supervisorIsGone();
    const given = world.worker('adam').current_prompt !== null;

    expect(await world.up()).toMatchObject({ status: 0 });
    // A start that failed before the commit reported an error, so the person repeats it.
    if (!given) await world.must(['start', '--prompt', TASK]);
    await world.reaches('adam', 'needs_review');
    const { worktree_path, agent, stand_in } = world.worker('adam');
    expect(await world.repo.run(['log', '--format=%s', 'origin/main..'], worktree_path)).toBe('Done by second');
    expect([agent, stand_in]).toEqual(['second', 'second']);
    expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK)]);
    expect(world.rows("SELECT purpose, state FROM deliveries WHERE worker = 'adam'")).toEqual([{ purpose: 'task', state: 'done' }]);
  });
});
