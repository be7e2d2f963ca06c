import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PATIENT } from '../support/agent-world.ts';
import { llmcWorld } from '../support/world.ts';

const delivery = z.object({
  purpose: z.string(),
  state: z.string(),
  attempt: z.int(),
  ack_source: z.string().nullable(),
  text: z.string(),
});

test('rejected work comes back as a changed commit, and both rounds land as one', async () => {
  // The agent's record would acknowledge a prompt whose report is late.
  await using world = await llmcWorld({ workers: ['adam'], config: PATIENT });
  await world.ok('start', '--prompt', 'Write a poem about rivers', '--wait', '--timeout', '90s');
  const first = await world.worker('adam');
  const pid = await world.panePid('adam');

  expect(await world.ok('reject', 'Please mention the sea')).toContain('adam has the feedback');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  const second = await world.worker('adam');
  expect(second).toMatchObject({ status: 'needs_review', current_prompt: 'Write a poem about rivers', delivery: { state: 'done' } });
  expect(second.commit_sha).not.toBe(first.commit_sha);
  expect(await world.panePid('adam')).toBe(pid);
  const sent = world.rows(delivery, 'SELECT * FROM deliveries ORDER BY seq');
  expect(sent).toMatchObject([
    { purpose: 'task', state: 'done', attempt: 1, ack_source: 'hook' },
    { purpose: 'feedback', state: 'done', attempt: 1, ack_source: 'hook' },
  ]);
  expect(sent[1]?.text).toContain('Please mention the sea');
  expect(sent[1]?.text).toMatch(/^\+- .*: Write a poem about rivers$/m);

  await world.ok('accept');
  expect(await world.git('rev-list', '--count', 'main')).toBe('2');
  expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Write a poem about rivers');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('only the reviewed patch lands, even when the agent reviews its own work after changing it', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.ok('start', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  await world.ok('review', 'adam');
  const worktree = world.worktree('adam');
  world.write('unseen.txt', 'not for your eyes\n', worktree);
  await world.gitIn(worktree, 'add', 'unseen.txt');
  await world.gitIn(worktree, 'commit', '--quiet', '--amend', '--no-edit');

  const inside = await world.run(['review', 'adam'], { env: { LLMC_WORKER: 'adam' } });
  expect(inside).toMatchObject({ status: 0, stdout: expect.stringContaining('unseen.txt') });
  expect(inside.stderr).toContain('does not count as a review');
  expect((await world.refused(['accept', 'adam'])).code).toBe('PATCH_CHANGED');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');

  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(await world.git('show', 'main:unseen.txt')).toContain('not for your eyes');
});

test('remarks at a file and line and feedback from a file reach the agent; a turn that changes nothing comes back, and can be accepted', async () => {
  const scenario = `
turns:
  - when: Off by one
    steps: [{ say: I see nothing to change. }]
  - when: Off by two
    steps: [{ say: I see nothing to change here either. }]
  - when: More words
    steps: [{ edit: { path: a.txt, append: "more\\n" } }, { commit: More words }]
  - steps: [{ edit: { path: a.txt, content: "one\\n" } }, { commit: Begin a.txt }]
`;
  await using world = await llmcWorld({ workers: ['adam'], scenario });
  await world.ok('start', '--prompt', 'Begin', '--wait', '--timeout', '90s');
  await world.ok('reject', '--worker', 'adam', '--at', 'a.txt:1', 'Off by one');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  const { attention } = await world.worker('adam');
  expect(attention).toContain('without changing its commit');
  expect(attention).toContain('land it all the same: llmc accept adam');
  expect(await world.ok('status')).toContain('it says: I see nothing to change.');

  expect(await world.ok('message', 'adam', 'More words, please')).toContain('adam has the message');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  world.write('feedback.md', 'More words still.\n\nAnd "quotes" with $(dollars).\n', world.dir);
  await world.ok('reject', '--file', 'feedback.md');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect(readFileSync(join(world.worktree('adam'), 'a.txt'), 'utf8')).toBe('one\nmore\nmore\n');
  const texts = world.rows(delivery, "SELECT * FROM deliveries WHERE purpose = 'feedback' ORDER BY seq").map(({ text }) => text);
  expect(texts[0]).toContain('At a.txt:1: Off by one');
  expect(texts[1]).toContain('And "quotes" with $(dollars).');

  // A person who has changed their mind says so once.
  await world.ok('review', 'adam');
  await world.ok('reject', '--worker', 'adam', 'Off by two');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect((await world.worker('adam')).attention).toContain('without changing its commit');
  const unnamed = await world.refused(['accept'], { unanswered: true });
  expect(unnamed).toMatchObject({ code: 'WORK_NOT_REVIEWED', message: expect.stringContaining('unchanged after your feedback') });
  expect(await world.run(['accept', 'adam'], { unanswered: true })).toMatchObject({ status: 0, stdout: expect.stringContaining('Landed') });
  expect(readFileSync(join(world.source, 'a.txt'), 'utf8')).toBe('one\nmore\nmore\n');
});
