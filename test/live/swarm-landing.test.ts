import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

const DEV = 'swarm-1-developer';
const FILE = 'llmc-demo/page.md';
const status = z.object({
  workers: z.array(z.object({ name: z.string(), status: z.string(), run: z.object({ resting: z.boolean() }).nullable() })),
});
const outcome = z.object({ cause: z.string(), outcome: z.string().nullable() });

/** Its work, the work again after the reject, and the conflict. */
const DEVELOPER = `turns:
  - steps: [{ edit: { path: ${FILE}, content: "one\\ntwo by the agent\\nthree\\n" } }, { commit: Add a page }]
  - steps: [{ edit: { path: ${FILE}, content: "one\\ntwo by the agent, again\\nthree\\n" } }, { commit: Add a page }]
  - steps: [{ resolve: both }]
`;

test('a developer that rests at its landing is rejected, then meets a conflict, and lands once; its run takes its workers away', async () => {
  await using world = await llmcWorld({ stage: 'root', source: { files: { [FILE]: 'one\ntwo\nthree\n' } } });
  world.write(`scenarios/${DEV}.yaml`, DEVELOPER, world.dir);
  // One place: the developer rests while the reviewer works, and nobody wakes it for the landing.
  const args = JSON.stringify(['--scenario', world.scenarios]);
  appendFileSync(join(world.root, 'config.toml'), `\n[agents.demo]\nargs = ${args}\n[workflow]\nmax_agents = 1\n`);
  const { stdout } = await world.run(['run', 'swarm', '--input', 'task=Add a page', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'waiting', degradation_level: 'full' });
  const { workers } = await world.json(status, 'status');
  expect(workers).toContainEqual({ name: DEV, status: 'offline', run: { resting: true } });

  await world.ok('review', DEV);
  await world.ok('reject', '--worker', DEV, 'Again');
  await world.ok('wait', DEV, '--for', 'needs_review', '--timeout', '2m');
  world.write(FILE, 'one\ntwo by a person\nthree\n');
  await world.git('commit', '--quiet', '--all', '-m', 'Change the page on main');
  expect(await world.refused(['accept', DEV])).toMatchObject({ code: 'REBASE_CONFLICT' });
  await world.ok('wait', DEV, '--for', 'needs_review', '--timeout', '2m');
  expect(world.rows(outcome, 'SELECT cause, outcome FROM resolutions')).toEqual([{ cause: 'accept', outcome: 'resolved' }]);
  // "Both" of each of its two commits keeps a line that neither side has in the end: that needs a look.
  expect(await world.ok('review', DEV)).toContain('two by the agent');
  expect(await world.run(['accept', DEV], { unanswered: true })).toMatchObject({ status: 0 });
  await world.ok('wait', 'swarm-1', '--for', 'done', '--timeout', '1m');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Add a page\nChange the page on main\nBegin');
  await until('the workers to be removed', async () => (await world.status()).workers.length === 0, 240_000);
  expect(await world.gitIn(world.root, 'for-each-ref', '--format=%(refname)', 'refs/llmc/runs')).toBe('refs/llmc/runs/swarm-1/develop');
});
