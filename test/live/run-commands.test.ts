import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { llmcWorld, TYPED, type World } from '../support/world.ts';

const runSchema = z.object({
  id: z.string(),
  status: z.enum(['running', 'waiting', 'paused', 'done', 'failed', 'aborted']),
  stage: z.string().nullable(),
  degradation_level: z.string(),
  waiting_for: z.string().nullable(),
});
const viewSchema = runSchema.extend({
  questions: z.array(z.object({ number: z.int(), type: z.string(), options: z.array(z.string()) })),
  stages: z.array(z.object({ id: z.string(), state: z.string() })),
});

const PLAN = `name: plan
inputs: { task: { type: text }, tier: { one_of: [simple, complex], optional: true } }
roles: { writer: {} }
stages:
  - { id: write, role: writer, prompt: "Write about {{inputs.task}}." }
  - { id: approve, review: write, by: person }
`;
const BROKEN = PLAN.replace('role: writer,', 'role: wirter,').replace('by: person', 'by: nobody');
const FAILS = 'name: fails\nroles: { writer: {} }\nstages:\n  - { id: check, command: "false", on_failure: { unmet: abort } }\n';
const LASTS = 'name: lasts\nroles: { writer: {} }\nstages:\n  - { id: sleep, command: sleep 600 }\n';

function keep(world: World, texts: Readonly<Record<string, string>>): void {
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(world.root, 'workflows', `${name}.yaml`), text);
}

test('a person starts a run, is asked, decides, and reads about it', async () => {
  await using world = await llmcWorld({ workers: [], stage: 'root' });
  keep(world, { plan: PLAN });

  // No supervisor runs yet.
  const asked = await world.json(viewSchema, 'run', 'plan', '--input', 'task=clocks');
  expect(asked).toMatchObject({ id: 'plan-1', status: 'waiting', questions: [{ number: 1, type: 'approval' }] });
  expect(asked.stages).toMatchObject([
    { id: 'write', state: 'done' },
    { id: 'approve', state: 'asking' },
  ]);
  expect(await world.json(z.object({ runs: z.array(runSchema) }), 'runs')).toMatchObject({
    runs: [{ id: 'plan-1', waiting_for: 'approve: asks you (#1, approval): Approve the result of write?' }],
  });
  expect(await world.ok('decide')).toContain('    1 approve (recommended)  2 reject  3 abort\n');
  expect(await world.refused(['decide', 'plan-1', 'aprove'])).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: '"aprove" does not answer plan-1#1; did you mean "approve"?',
  });
  await world.ok('checkpoint', 'plan-1', '--note', 'before the answer');
  expect((await world.ok('checkpoint', 'plan-1', '--list')).split('\n')[0]).toMatch(
    /^plan-1\.v\d+ +manual .* 1 of 2 stages +before the answer$/,
  );
  expect(await world.ok('decide', 'plan-1#1', '1')).toBe('plan-1#1: approve. llmc show plan-1\n');
  expect(await world.ok('wait', 'plan-1', '--for', 'done', '--timeout', '1m')).toBe('plan-1 is done.\n');
  expect(await world.refused(['abort', 'plan-1'])).toMatchObject({ message: 'plan-1 is done: nothing more happens in it' });

  await world.ok('down');
  for (const words of [['runs'], ['show', 'plan-1'], ['why', 'plan-1'], ['report', 'plan-1'], ['logs', 'plan-1']])
    expect(await world.ok(...words), words.join(' ')).toContain(words[0] === 'logs' ? 'plan-1: run: approve: decided: approve' : 'plan-1');
});

test('a run that fails ends its command with 2, and Ctrl+C pauses a run and ends its command with 130', async () => {
  await using world = await llmcWorld({ workers: [], stage: 'root' });
  keep(world, { fails: FAILS, lasts: LASTS });
  const { status, stderr, stdout } = await world.run(['run', 'fails']);
  expect({ status, stdout }, stderr).toEqual({ status: 2, stdout: expect.stringContaining('fails-1 (fails): failed') });
  expect(await world.ok('report', 'fails-1')).toContain('a command of check failed');

  const program = join(import.meta.dirname, '../../bin/llmc.cjs');
  const following = spawn(TYPED, [process.execPath, program, 'run', 'lasts'], {
    detached: true,
    env: world.env,
    cwd: world.dir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(following.stderr)) if (line.startsWith('lasts-1 has begun')) break;
  following.stderr.resume();
  const ended = once(following, 'exit');
  process.kill(-(following.pid ?? 0), 'SIGINT');
  // The shell line does not end in its 30 seconds.
  await world.ok('pause', 'lasts-1', '--now');
  expect(await ended).toEqual([130, null]);
  expect(await world.json(viewSchema, 'show', 'lasts-1')).toMatchObject({ status: 'paused' });
  expect(await world.ok('show', 'lasts-1')).toContain('llmc resume lasts-1');
  expect(await world.refused(['resume', 'lasts-1', '--from', 'slep'])).toMatchObject({
    message: 'lasts-1 has no stage "slep"; did you mean "sleep"? Its stages are sleep',
    hint: 'llmc resume lasts-1 --from sleep --dry-run',
  });
  expect(await world.ok('resume', 'lasts-1', '--detach')).toBe('lasts-1 goes on: llmc show lasts-1 --watch\n');
  expect(await world.json(viewSchema, 'show', 'lasts-1')).toMatchObject({ status: 'running' });
  expect(await world.refused(['wait', 'lasts-1', '--timeout', '0s'])).toMatchObject({ status: 3, code: 'WAIT_TIMEOUT' });
  await world.ok('abort', 'lasts-1', '--reason', 'long enough');
  expect(await world.json(viewSchema, 'show', 'lasts-1')).toMatchObject({ status: 'aborted' });
});

test('nothing starts with a broken file or wrong inputs', async () => {
  await using world = await llmcWorld({ workers: [], stage: 'root' });
  keep(world, { plan: PLAN });
  writeFileSync(join(world.dir, 'broken.yaml'), BROKEN);
  const broken = await world.refused(['run', './broken.yaml', '--input', 'task=x']);
  expect(broken).toMatchObject({ status: 2, code: 'WORKFLOW_INVALID', message: './broken.yaml has 2 problems, so nothing was started' });
  expect(broken.details?.split('\n')).toEqual([
    expect.stringMatching(/^\.\/broken\.yaml:5:\d+: .*did you mean "writer"\?$/),
    expect.stringMatching(/^\.\/broken\.yaml:6:\d+: /),
  ]);
  expect(await world.refused(['run', 'plan', '--input', 'tier=smiple'])).toMatchObject({
    status: 2,
    code: 'INVALID_ARGUMENT',
    message: 'the input "task" is missing',
    details: 'the input "tier" cannot be "smiple"; did you mean "simple"?',
    hint: 'llmc run plan --input task=…',
  });
  expect(await world.refused(['run', 'paln'])).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  expect(await world.refused(['show', 'plan-1'])).toMatchObject({ code: 'RUN_NOT_FOUND' });
  expect((await world.status()).supervisor.running).toBe(false);
});
