import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { stateSchema } from '../../src/store/state.ts';
import { reaches, tasksGiven } from '../support/agent-side.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
const undone = z.object({ outcome: z.string(), kind: z.string(), commit: z.string(), conversation: z.string().nullable() });

const recordOf = (world: World, name: string) =>
  stateSchema.parse(JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8'))).workers[name];
const subjects = (world: World) => world.git('log', '--format=%s', 'main');

test('accepted work is taken back, changed in the same conversation, reviewed and accepted again', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.ok('start', '--prompt', 'Write a poem about rivers', '--wait', '--timeout', '90s');
  const before = recordOf(world, 'adam');
  await world.ok('accept', 'adam', '--yes');
  world.write('mine.txt', 'not committed\n', world.source);

  expect(await world.ok('undo', '--dry-run')).toContain(
    '"Write a poem about rivers", the last accept of adam, would be taken back from main',
  );
  expect(await subjects(world)).toBe('Write a poem about rivers\nBegin');
  const said = await world.ok('undo');
  expect(said).toContain('was taken back from main.\nadam has its work back and is still in its conversation: llmc review adam');
  expect(await subjects(world)).toBe('Begin');
  expect(await world.git('status', '--porcelain')).toBe('?? mine.txt');
  expect(recordOf(world, 'adam')).toMatchObject({
    status: 'needs_review',
    commit_sha: before?.commit_sha,
    current_prompt: 'Write a poem about rivers',
    conversation_id: before?.conversation_id,
    incarnation: before?.incarnation,
  });
  expect(await world.ok('undo')).toContain('was already taken back from main. Nothing was changed.');

  expect(await world.ok('review', 'adam')).toContain('Write a poem about rivers');
  await world.ok('reject', '--worker', 'adam', 'Please mention the sea');
  await reaches(world, 'adam', 'needs_review');
  expect(recordOf(world, 'adam')).toMatchObject({ conversation_id: before?.conversation_id });
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(await subjects(world)).toBe('Write a poem about rivers\nBegin');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain('Please mention the sea');
  expect(await world.ok('why', 'adam', '--full')).toContain('was taken back from main');
});

test('an agent that is in another conversation by now is brought back into that of the work', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.ok('start', '--prompt', 'Write a poem about rivers', '--wait', '--timeout', '90s');
  const before = recordOf(world, 'adam');
  await world.ok('accept', 'adam', '--yes');
  await world.ok('reset', 'adam', '--yes');
  expect(recordOf(world, 'adam')?.conversation_id).not.toBe(before?.conversation_id);
  expect(await world.json(undone, 'undo', 'adam')).toMatchObject({ outcome: 'undone', conversation: 'resumed' });
  expect(recordOf(world, 'adam')).toMatchObject({ status: 'needs_review', conversation_id: before?.conversation_id });
  await world.ok('reject', '--worker', 'adam', 'Please mention the sea');
  await reaches(world, 'adam', 'needs_review');
  expect(recordOf(world, 'adam')).toMatchObject({ conversation_id: before?.conversation_id });
  expect(tasksGiven(world, 'adam')[0]).toBe('Write a poem about rivers');
});

test('when main has gone on, undo refuses and --revert lands the opposite', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  await world.ok('start', '--worker', 'baker', '--prompt', 'Write a song', '--wait', '--timeout', '90s');
  await world.ok('accept', 'adam', '--yes');
  await world.ok('accept', 'baker', '--yes');
  expect(await world.refused(['undo', 'adam'])).toMatchObject({
    code: 'UNDO_REFUSED',
    hint: expect.stringContaining('undo adam --revert'),
  });
  expect(await world.ok('undo', 'adam', '--revert')).toMatch(
    /^Commit \w{12} on main reverts \w{12} "Write a poem", the last accept of adam\.$/m,
  );
  expect(await subjects(world)).toBe('Revert "Write a poem"\nWrite a song\nWrite a poem\nBegin');
  expect(await world.git('ls-files')).toContain('llmc-demo/baker.md');
  expect(await world.git('ls-files')).not.toContain('llmc-demo/adam.md');
});

test('on a terminal, undo names the commit and the worker and asks; inside a worker, it is refused', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using outside = await scratchTmux();
  await world.ok('start', '--prompt', 'Write a poem', '--wait', '--timeout', '90s');
  await world.ok('accept', 'adam', '--yes');
  const inside = await world.run(['undo', '--yes'], { env: { LLMC_WORKER: 'adam' } });
  expect(inside.stderr).toContain('INSIDE_WORKER: "llmc undo" is for a person only');

  const answered = async (name: string, key: string) => {
    const pane = await outside.start({ name, argv: [process.execPath, COMMAND, 'undo'], cwd: world.dir, env: world.env });
    await pane.waitFor('the question', ({ lines }) => lines.some((line) => line.includes('[y/N]')));
    await pane.keys(key, 'Enter');
    const { status } = await pane.exit();
    return { status, text: (await pane.history()).replaceAll(/\s+/g, ' ') };
  };
  const kept = await answered('no', 'n');
  expect(kept).toMatchObject({
    status: 2,
    text: expect.stringMatching(/^Take \w{12} "Write a poem", the last accept of adam, back from main\?/),
  });
  expect(await subjects(world)).toBe('Write a poem\nBegin');
  expect(await answered('yes', 'y')).toMatchObject({ status: 0 });
  expect(await subjects(world)).toBe('Begin');
});
