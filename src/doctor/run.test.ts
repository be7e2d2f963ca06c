import { describe, expect, test } from 'vitest';
import { LlmcError } from '../base/error.ts';
import type { RunOptions } from '../base/ports.ts';
import { type Check, ok, warning } from './check.ts';
import { machine } from './doubles.ts';
import { runDoctor } from './run.ts';

const check = (name: string, run: Check['run']): Check => ({ name, run });

describe('running the checks', () => {
  test('results keep the order of the list, also when a later check finishes first', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = check('slow', async () => gate.promise.then(() => warning('late', 'hurry')));
    const fast = check('fast', async () => {
      gate.resolve();
      return ok('at once');
    });
    expect(await runDoctor([slow, fast], machine())).toEqual([
      { name: 'slow', level: 'warning', message: 'late', hint: 'hurry' },
      { name: 'fast', level: 'ok', message: 'at once' },
    ]);
  });

  test('a file in the place of a folder stops a check, and the repair is named', async () => {
    const stopped = check('a', async () => {
      throw Object.assign(new Error("ENOTDIR: not a directory, mkdir '/root/run/git'"), { code: 'ENOTDIR' });
    });
    expect(await runDoctor([stopped], machine())).toMatchObject([{ level: 'warning', hint: 'llmc doctor --repair' }]);
  });

  test('a check that throws has failed, with the hint of the error', async () => {
    const thrown = check('a', async () => {
      throw new LlmcError('SOURCE_MISSING', 'the source is gone', { hint: 'Put it back.' });
    });
    const bug = check('b', () => {
      throw new TypeError('oops');
    });
    expect(await runDoctor([thrown, bug], machine())).toEqual([
      { name: 'a', level: 'failed', message: 'the source is gone', hint: 'Put it back.' },
      { name: 'b', level: 'failed', message: 'oops', hint: expect.stringContaining('--verbose') },
    ]);
  });

  test('a check that hangs fails when its time is over, and what it started is stopped', async () => {
    const time = Promise.withResolvers<void>();
    const started: (RunOptions | undefined)[] = [];
    const context = machine({
      clock: { now: () => 0, sleep: () => time.promise },
      processes: {
        run(_, options) {
          started.push(options);
          time.resolve();
          return new Promise(() => undefined);
        },
      },
    });
    const hanging = check('hanging', async ({ processes }) => {
      await processes.run({ file: 'x', args: [] });
      return ok('never');
    });
    expect(await runDoctor([hanging], context, 3_000)).toMatchObject([
      { name: 'hanging', level: 'failed', message: 'no answer within 3 s' },
    ]);
    expect(started[0]?.signal?.aborted).toBe(true);
  });
});
