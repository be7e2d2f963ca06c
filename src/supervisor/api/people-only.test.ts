import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { layoutOf } from '../../store/layout.ts';
import { aConfig } from '../../workers/samples.ts';
import { admit, DECISIONS } from './people-only.ts';

const layout = layoutOf('/nowhere');
const config = aConfig();
const strict = { layout, config: async () => config };
const lenient = { layout, config: async () => ({ ...config, defaults: { ...config.defaults, allowAgentsToDecide: true } }) };
const broken = { layout, config: () => Promise.reject(new Error('not TOML')) };

const call = (name: string, pid: number | undefined, args: unknown = { worker: 'adam' }) => ({
  ...{ name, args, say: () => undefined, signal: new AbortController().signal },
  provenPid: async () => pid,
});

/** A child of this process, which stands for the supervisor. */
function child() {
  const started = spawn('sleep', ['600'], { stdio: 'ignore' });
  return { pid: started.pid, [Symbol.dispose]: () => void started.kill('SIGKILL') };
}

/** A process beside this one. */
const person = process.ppid;

test.each([...DECISIONS, 'handOver', 'rescuePrune'])('%s is for a person, and for no caller that is unknown or inside', async (name) => {
  using inside = child();
  expect(await admit(strict, call(name, person))).toEqual({ worker: 'adam' });
  await expect(admit(strict, call(name, undefined))).rejects.toMatchObject({ code: 'INSIDE_WORKER', message: /cannot verify/ });
  await expect(admit(strict, call(name, inside.pid))).rejects.toMatchObject({ code: 'INSIDE_WORKER', message: /session of a worker/ });
  await expect(admit(broken, call(name, undefined)), 'a broken config.toml permits nothing').rejects.toMatchObject({
    code: 'INSIDE_WORKER',
  });
  expect(await admit(lenient, call(name, undefined))).toEqual({ worker: 'adam' });
});

test('a review counts only for a person', async () => {
  expect(await admit(strict, call('review', person))).toEqual({ worker: 'adam' });
  expect(await admit(strict, call('review', undefined, { worker: 'adam', byAgent: false }))).toEqual({ worker: 'adam', byAgent: true });
  expect(await admit(lenient, call('review', undefined))).toEqual({ worker: 'adam' });
  expect(await admit(strict, call('review', undefined, 'garbage'))).toBe('garbage');
});

test('a task of an agent is marked as such', async () => {
  expect(await admit(strict, call('queueAdd', person))).toEqual({ worker: 'adam' });
  expect(await admit(strict, call('queueAdd', undefined))).toEqual({ worker: 'adam', byAgent: true });
});

test('a message names the worker that sends it, and says nothing about a person', async () => {
  using inside = child();
  expect(await admit(strict, call('send', person, { run: 'swarm-1' }))).toEqual({ run: 'swarm-1' });
  for (const context of [strict, lenient])
    expect(await admit(context, call('send', inside.pid, { run: 'swarm-1', from: 'boss' }))).toEqual({ run: 'swarm-1', from: 'unknown' });
});

test('a caller that only reads is not asked who it is', async () => {
  const asked = { ...call('status', undefined), provenPid: () => Promise.reject(new Error('asked')) };
  expect(await admit(strict, asked)).toEqual({ worker: 'adam' });
});
