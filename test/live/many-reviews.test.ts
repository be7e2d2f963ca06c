import { expect, test } from 'vitest';
import { z } from 'zod';
import { llmcWorld } from '../support/world.ts';

const all = z.object({
  accepted: z.array(z.object({ worker: z.string(), commit: z.string() })),
  left: z.array(z.object({ worker: z.string(), code: z.string(), hint: z.string().nullable() })),
});
const NAMES = ['w0', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9'];
/** It has waited longest. */
const CONFLICTING = 'w0';
const BY_HAND = ['w1', 'w2', 'w3'];

test('ten pending reviews, one of them in conflict: nine land without waiting for it, and main is linear', async () => {
  const translate = 'turns: [{ steps: [{ edit: { path: a.txt, replace: { old: one, new: eins } } }, { commit: Translate }] }]';
  await using world = await llmcWorld({
    workers: NAMES,
    source: { files: { 'a.txt': 'one\n' } },
    scenario: { [CONFLICTING]: translate },
  });
  world.set('repo', 'resolve_conflicts = false');
  await Promise.all(NAMES.map((name) => world.ok('start', '--worker', name, '--prompt', `Task of ${name}`)));
  await Promise.all(NAMES.map((name) => world.ok('wait', name, '--for', 'needs_review', '--timeout', '150s')));
  world.write('a.txt', 'uno\n');
  await world.git('commit', '--quiet', '--all', '-m', 'Mine');

  // Nobody has reviewed anything, and there is no terminal to ask.
  expect(await world.refused(['accept', 'w1'], { unanswered: true })).toMatchObject({
    code: 'WORK_NOT_REVIEWED',
    hint: expect.stringContaining('--yes'),
  });
  const refused = await world.run(['accept', '--all-clean', '--json'], { unanswered: true });
  const none = all.parse(JSON.parse(refused.stdout));
  expect([refused.status, none.accepted]).toEqual([2, []]);
  expect(Object.fromEntries(none.left.map(({ worker, code }) => [worker, code]))).toEqual(
    Object.fromEntries(NAMES.map((name) => [name, name === CONFLICTING ? 'REBASE_CONFLICT' : 'WORK_NOT_REVIEWED'])),
  );

  await Promise.all(BY_HAND.map((name) => world.ok('accept', name)));
  const many = await world.run(['accept', '--all-clean', '--json']);
  // A script must not take the conflicting work for landed.
  expect(many.status).toBe(2);
  const { accepted, left } = all.parse(JSON.parse(many.stdout));
  expect(accepted.map(({ worker }) => worker).toSorted()).toEqual(NAMES.slice(4));
  expect(left).toEqual([{ worker: CONFLICTING, code: 'REBASE_CONFLICT', hint: expect.stringContaining('llmc rebase w0') }]);
  expect(await world.worker(CONFLICTING)).toMatchObject({ status: 'needs_review', attention_kind: 'conflict' });
  expect(await world.git('rev-list', '--merges', '--count', 'main')).toBe('0');
  const subjects = (await world.git('log', '--format=%s', 'main')).split('\n');
  expect(subjects.toSorted()).toEqual(['Begin', 'Mine', ...NAMES.slice(1).map((name) => `Task of ${name}`)]);
});
