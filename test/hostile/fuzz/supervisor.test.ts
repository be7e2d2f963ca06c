import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reaches } from '../../support/agent-side.ts';
import { isFullRun } from '../../support/full-run.ts';
import { until } from '../../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../../support/world.ts';
import { hostileText, jsonText } from './input.ts';

const SEED = isFullRun ? undefined : 8;
const sample = <Value>(inputs: fc.Arbitrary<Value>, count: number): Value[] =>
  fc.sample(inputs, { numRuns: count, ...(SEED !== undefined && { seed: SEED }) });

describe('a running supervisor', () => {
  let world: World;
  let pid: number;

  beforeAll(async () => {
    world = await llmcWorld({ workers: ['adam', 'beside'] });
    pid = await world.supervisorPid();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const spool = (name: string) => join(world.root, 'events', 'adam', name);

  /** Sends bytes on the socket and returns what came back until the end. */
  async function send(bytes: string | Buffer): Promise<string> {
    const socket = connect(join(world.root, 'run', 'api.sock'));
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.write(bytes);
    await promise;
    return Buffer.concat(parts).toString('utf8');
  }

  async function stillServes(): Promise<void> {
    const { supervisor, workers } = await world.status();
    expect(supervisor).toMatchObject({ running: true, pid });
    expect(workers.map(({ name }) => name).toSorted()).toEqual(['adam', 'beside']);
  }

  test('answers hundreds of hostile lines with a mistake of the caller each', async () => {
    const requests = [
      { version: '0', name: 'status', args: {} },
      { version: '0.1.0', name: 'no-such', args: {} },
      { version: '0.1.0', name: '__proto__', args: { worker: 'adam' } },
      { version: '0.1.0', name: 'why', args: { worker: '../adam' } },
    ];
    for (const line of sample(jsonText(requests), 250)) {
      const reply = (await send(`${line.replaceAll('\n', ' ')}\n`)).trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(reply), line.slice(0, 200)).toHaveProperty('error.code');
    }
    await stillServes();
  });

  test('hangs up on a line of many megabytes, with the reason', async () => {
    expect(await send(Buffer.alloc(9 * 1024 * 1024, 'x'))).toContain('the request is longer than 8388608 bytes');
    await stillServes();
  });

  test('clears hundreds of hostile files from a spool', async () => {
    const events = fc.constantFrom('stop', 'session_start', 'prompt_submit', 'question', 'stop_failure', '__proto__', 'x');
    const payloads = [{ session_id: '--x', message: 'done', prompt: 'x', question: '?', choices: ['a'], tool: 'Bash', source: 'clear' }];
    for (const [index, [event, text]] of sample(fc.tuple(events, fc.oneof(jsonText(payloads), hostileText)), 250).entries()) {
      writeFileSync(spool(`.${index}`), text);
      renameSync(spool(`.${index}`), spool(`${index % 3}~${event}~${index}.json`));
    }
    execFileSync('mkfifo', [spool('1~stop~pipe.json')]);
    symlinkSync('/dev/zero', spool('1~stop~zero.json'));
    mkdirSync(spool('1~stop~folder.json'));
    writeFileSync(spool('.sparse'), '');
    truncateSync(spool('.sparse'), 10 * 1024 ** 3);
    renameSync(spool('.sparse'), spool('1~stop~sparse.json'));
    // What is not a plain file stays.
    await until('the files to be gone', async () => readdirSync(spool('')).length === 3);
    await stillServes();
  });

  test('still does a task for the other worker', async () => {
    await world.ok('start', '--worker', 'beside', '--prompt', 'Write down that you were here');
    await reaches(world, 'beside', 'needs_review');
    await stillServes();
  });

  test('survives a config.toml that is replaced by a pipe, and says so', async () => {
    const config = join(world.root, 'config.toml');
    const kept = readFileSync(config, 'utf8');
    renameSync(config, `${config}.kept`);
    execFileSync('mkfifo', [config]);
    // The last valid configuration stays in force, and everything says so.
    const { stdout, stderr } = await world.run(['start', '--worker', 'adam', '--prompt', 'x', '--timeout', '1s']);
    expect(stdout + stderr).toContain('config.toml');
    expect(await world.ok('status')).toContain('config.toml');
    renameSync(`${config}.kept`, config);
    expect(readFileSync(config, 'utf8')).toBe(kept);
    await stillServes();
  });

  test('keeps its files for its user, and takes the access of others away at the next start', async () => {
    const open = ['llmc.db', 'logs', 'logs/adam.log', 'run/lock'];
    const modes = () => open.map((name) => (lstatSync(join(world.root, name)).mode & 0o077).toString(8));
    expect(modes()).toEqual(open.map(() => '0'));
    await world.ok('down');
    for (const name of open) chmodSync(join(world.root, name), name === 'logs' ? 0o755 : 0o644);
    const checks = (await world.run(['doctor'])).stdout;
    expect(checks).toMatch(/other users may have access to .*llmc\.db/);
    await world.comeUp();
    pid = await world.supervisorPid();
    expect(modes()).toEqual(open.map(() => '0'));
    await stillServes();
  });
});
