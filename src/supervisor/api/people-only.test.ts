import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TYPED } from '../../../test/support/world.ts';
import { makeLayout } from '../../store/layout.ts';
import { readKin } from '../../system/processes/lineage.ts';
import { aConfig } from '../../workers/samples.ts';
import { OPERATIONS } from './operations.ts';
import { admitRequest, REQUEST_RULES } from './people-only.ts';
import { CODE_LIFE_MS, makeCode, spendCode } from './person-code.ts';
import { QUERIES } from './queries.ts';

const layout = makeLayout('/nowhere');
const config = { ...aConfig(), people: { scripts: [TYPED] } };
const strict = { layout, config: async () => config };
const lenient = { layout, config: async () => ({ ...config, defaults: { ...config.defaults, allowAgentsToDecide: true } }) };
const broken = { layout, config: () => Promise.reject(new Error('not TOML')) };

const call = (name: string, pid: number | undefined, args: unknown = { worker: 'adam', into: 'adam' }, code?: string) => ({
  name,
  args,
  code,
  say: () => undefined,
  signal: new AbortController().signal,
  provenPid: async () => pid,
});

/** A child of this process, which stands for a supervisor; `typed`: below the script that config.toml names. */
async function child(how: 'typed' | 'plain') {
  const argv = how === 'typed' ? [TYPED, 'sh', '-c', 'echo $$; exec sleep 600'] : ['sh', '-c', 'echo $$; exec sleep 600'];
  const started = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const line = await new Promise<string>((resolve) => started.stdout.once('data', (data) => resolve(String(data))));
  return { pid: Number(line), [Symbol.dispose]: () => void process.kill(-(started.pid ?? 0), 'SIGKILL') };
}

const DECISIONS = Object.entries(REQUEST_RULES).flatMap(([name, rule]) => (rule === 'person' || typeof rule === 'object' ? [name] : []));
const ARGS = { worker: 'adam', into: 'adam' };

test('every request of the supervisor has a rule', () => {
  expect(Object.keys(REQUEST_RULES).toSorted()).toEqual([...Object.keys(OPERATIONS), ...Object.keys(QUERIES)].toSorted());
});

test('a decision is for a person who is shown to be one, and for no caller that is unknown, inside or without evidence', async () => {
  using person = await child('typed');
  using plain = await child('plain');
  for (const name of DECISIONS) {
    expect(await admitRequest(strict, call(name, person.pid), []), name).toEqual(ARGS);
    await expect(admitRequest(strict, call(name, undefined), [])).rejects.toMatchObject({
      code: 'PERSON_NOT_SHOWN',
      message: /cannot verify/,
    });
    await expect(admitRequest(strict, call(name, plain.pid), [])).rejects.toMatchObject({
      code: 'PERSON_NOT_SHOWN',
      message: /no terminal/,
    });
    await expect(admitRequest(strict, call(name, person.pid), [process.pid])).rejects.toMatchObject({
      code: 'INSIDE_WORKER',
      message: /session of a worker/,
    });
    await expect(admitRequest(broken, call(name, person.pid), []), 'a broken config.toml names no script').rejects.toMatchObject({
      code: 'PERSON_NOT_SHOWN',
    });
    expect(await admitRequest(lenient, call(name, undefined), [])).toEqual(ARGS);
  }
});

test('a rescue that is restored as a branch decides nothing', async () => {
  expect(await admitRequest(strict, call('rescueRestore', undefined, { name: 'x' }), [])).toEqual({ name: 'x' });
});

test('a review counts only for a person', async () => {
  using person = await child('typed');
  using plain = await child('plain');
  expect(await admitRequest(strict, call('review', person.pid), [])).toEqual(ARGS);
  expect(await admitRequest(strict, call('review', undefined, { worker: 'adam', byAgent: false }), [])).toEqual({
    worker: 'adam',
    byAgent: true,
  });
  expect(await admitRequest(strict, call('review', plain.pid), [])).toEqual({ ...ARGS, byAgent: true });
  expect(await admitRequest(lenient, call('review', undefined), [])).toEqual(ARGS);
  expect(await admitRequest(strict, call('review', undefined, 'garbage'), [])).toBe('garbage');
});

test('a task of an agent is marked as such, and one of a script is not', async () => {
  using plain = await child('plain');
  expect(await admitRequest(strict, call('queueAdd', plain.pid), [])).toEqual(ARGS);
  expect(await admitRequest(strict, call('queueAdd', undefined), [])).toEqual({ ...ARGS, byAgent: true });
  expect(await admitRequest(strict, call('queueAdd', plain.pid), [process.pid])).toEqual({ ...ARGS, byAgent: true });
});

test('a message names the worker that sends it, and says nothing about a person', async () => {
  using person = await child('typed');
  expect(await admitRequest(strict, call('send', person.pid, { run: 'swarm-1' }), [])).toEqual({ run: 'swarm-1' });
  for (const context of [strict, lenient])
    expect(await admitRequest(context, call('send', person.pid, { run: 'swarm-1', from: 'boss' }), [process.pid])).toEqual({
      run: 'swarm-1',
      from: 'unknown',
    });
});

test('a caller that only reads is not asked who it is', async () => {
  const asked = { ...call('status', undefined), provenPid: () => Promise.reject(new Error('asked')) };
  expect(await admitRequest(strict, asked, [])).toEqual(ARGS);
});

test('a code permits one process to decide, until it is too old', async () => {
  const root = mkdtempSync(join(tmpdir(), 'llmc-code-'));
  using _ = { [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
  const here = { ...strict, layout: makeLayout(root) };
  using plain = await child('plain');
  using other = await child('plain');
  const code = makeCode(here.layout.run, Date.now());
  expect(code).toMatch(/^[2-9a-z]{4}-[2-9a-z]{4}$/);
  expect(await admitRequest(here, call('accept', plain.pid, ARGS, code), [])).toEqual(ARGS);
  // One command may ask twice.
  expect(await admitRequest(here, call('accept', plain.pid, ARGS, code.toUpperCase()), [])).toEqual(ARGS);
  const refused = { code: 'PERSON_NOT_SHOWN', message: /the code is not valid/ };
  await expect(admitRequest(here, call('accept', other.pid, ARGS, code), [])).rejects.toMatchObject(refused);
  await expect(admitRequest(here, call('accept', other.pid, ARGS, 'aaaa-aaaa'), [])).rejects.toMatchObject(refused);
  await expect(admitRequest(here, call('accept', other.pid, ARGS, '../../x'), [])).rejects.toMatchObject(refused);
  const later = makeCode(here.layout.run, Date.now());
  expect(spendCode(here.layout.run, later, `${readKin(process.pid)?.pid}`, Date.now() + CODE_LIFE_MS + 1_000)).toBe(false);
});
