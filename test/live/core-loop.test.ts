import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

const TASKS = { adam: 'Write down that apples are red', baker: 'Write down that bread is warm', carol: 'Write down that carrots crunch' };

const review = z.object({
  worker: z.string(),
  base: z.string(),
  head: z.string(),
  message: z.string(),
  stat: z.string(),
  diff: z.string(),
});
const accepted = z.object({ worker: z.string(), branch: z.string(), commit: z.string(), subject: z.string(), how: z.string() });

test('three tasks side by side: each is reviewed and lands as one clean commit, and its agent keeps running', async () => {
  await using world = await llmcWorld({ stage: 'root' });
  expect((await world.status()).workers).toEqual([]);
  for (const name of Object.keys(TASKS)) await world.ok('add', name);
  expect((await world.status()).workers.map(({ status }) => status)).toEqual(['offline', 'offline', 'offline']);

  expect(await world.comeUp()).toMatch(/adam: ready\n.*baker: ready\n.*carol: ready/);
  const up = await world.status();
  expect(up).toMatchObject({ root: world.root, source: world.source, branch: 'main', supervisor: { running: true } });
  expect(up.workers.map(({ status }) => status)).toEqual(['idle', 'idle', 'idle']);
  const before = await livesOf();

  await Promise.all(Object.entries(TASKS).map(([name, task]) => world.ok('start', name, task)));
  const given = await world.status();
  expect(given.workers.map(({ current_prompt }) => current_prompt)).toEqual(Object.values(TASKS));
  expect(given.workers.every(({ delivery }) => delivery !== null && ['acked', 'done'].includes(delivery.state))).toBe(true);
  expect(await world.ok('wait', '--any', '--for', 'needs_review', '--timeout', '90s')).toMatch(/^(?:adam|baker|carol) has work to review/);
  const ready = await world.json(
    z.array(z.object({ name: z.string(), status: z.string() })),
    'wait',
    ...Object.keys(TASKS),
    '--timeout',
    '90s',
  );
  expect(ready).toEqual(Object.keys(TASKS).map((name) => ({ name, status: 'needs_review' })));

  const begun = await world.git('rev-parse', 'main');
  expect(await world.git('rev-list', '--count', 'main')).toBe('1');
  const shown = await world.json(review, 'review', 'adam');
  expect(shown).toMatchObject({ worker: 'adam', base: begun, head: (await world.worker('adam')).commit_sha });
  expect(shown.diff).toMatch(new RegExp(`^\\+- [\\d-]+: ${TASKS.adam}$`, 'm'));
  expect(await world.ok('review', 'adam')).toContain(shown.diff.trim());
  const stat = await world.ok('review', 'adam', '--stat');
  expect(stat).toMatch(/llmc-demo\/adam\.md \| +1 \+/);
  expect(stat).not.toContain('diff --git');

  // An accept without a name means the worker reviewed last.
  const landed = await world.json(accepted, 'accept');
  expect(landed).toMatchObject({ worker: 'adam', branch: 'main', subject: TASKS.adam });
  expect(await world.git('log', '--format=%H %P', `${begun}..main`)).toBe(`${landed.commit} ${begun}`);
  const message = await world.git('log', '-1', '--format=%B', 'main');
  expect(message).toContain(TASKS.adam);
  expect(message).not.toMatch(/co-authored-by|generated with|🤖/i);
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASKS.adam);

  const idle = await world.worker('adam');
  expect(idle).toMatchObject({ status: 'idle', current_prompt: null, commit_sha: null, attention: null, crash_count: 0 });
  expect(await world.gitIn(world.worktree('adam'), 'log', '-1', '--format=%H %D')).toContain(`${landed.commit} HEAD -> llmc/adam`);
  expect(await world.gitIn(world.worktree('adam'), 'status', '--porcelain')).toBe('');

  // llmc rebases pending reviews onto the new main.
  for (const name of ['baker', 'carol']) {
    const onMain = async () => (await world.gitIn(world.worktree(name), 'merge-base', 'HEAD', landed.commit)) === landed.commit;
    await until(`${name} to stand on the new main`, onMain);
  }
  // One that has nothing to land does not keep the others from it, and a script learns of it.
  const several = await world.run(['accept', 'baker', 'adam', 'carol']);
  expect(several).toMatchObject({
    status: 2,
    stdout: expect.stringMatching(/^baker: landed .*\ncarol: landed .*\nadam: not landed: .*\n[\s\S]*2 landed, 1 left\.\n$/),
  });
  expect((await world.git('log', '--reverse', '--format=%s', `${begun}..main`)).split('\n')).toEqual(Object.values(TASKS));
  expect(await world.git('log', '--merges', '--format=%H', 'main')).toBe('');
  expect(await world.git('status', '--porcelain')).toBe('');

  const after = await world.status();
  expect(after.workers.map(({ status }) => status)).toEqual(['idle', 'idle', 'idle']);
  expect(await livesOf()).toEqual(before);

  // The second task of a worker begins with an empty conversation in the same process.
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write down that air is thin', '--wait');
  const recorded = z.object({ event: z.string().transform((text) => JSON.parse(text)) });
  const events = world.rows(recorded, "SELECT event FROM events WHERE worker = 'adam' ORDER BY seq");
  const cleared = events.findIndex(({ event }) => event.kind === 'session_started' && event.source === 'clear');
  const prompts = events.flatMap(({ event }, index) => (event.kind === 'prompt_accepted' ? [{ index, text: event.text }] : []));
  expect(prompts).toMatchObject([{ text: expect.stringContaining(TASKS.adam) }, { text: expect.stringContaining('air is thin') }]);
  expect(prompts.map(({ index }) => index > cleared)).toEqual([false, true]);
  expect(await livesOf()).toEqual(before);

  await world.ok('down');
  expect((await world.status()).workers.map(({ status }) => status)).toEqual(['offline', 'offline', 'offline']);

  /** Process and incarnation of each agent. */
  async function livesOf() {
    const state = z
      .object({ workers: z.record(z.string(), z.object({ incarnation: z.int() })) })
      .parse(JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8')));
    return await Promise.all(
      Object.keys(TASKS).map(async (name) => ({ name, pid: await world.panePid(name), incarnation: state.workers[name]?.incarnation })),
    );
  }
});
