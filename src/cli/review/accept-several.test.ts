import { afterEach, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import type { AcceptResult } from '../../workers/landing/finish-landing.ts';
import { Input } from '../verb.ts';
import { acceptSeveral } from './accept-several.ts';

const LANDED = {
  landing: 'main',
  branch: 'main',
  commit: 'a'.repeat(40),
  subject: 'Add it',
  status: 'idle',
  run: null,
  formatted: null,
  after_accept: null,
} as const;
const landed = (worker: string): AcceptResult => ({ ...LANDED, worker, how: 'push' });

afterEach(() => {
  process.exitCode = undefined;
});

test('one refusal does not stop the others, and the exit status says that work is left', async () => {
  const said: string[] = [];
  const asked: string[] = [];
  const result = await acceptSeveral(
    new Input(['adam', 'baker', 'adam', 'carl'], {}),
    { say: (line) => void said.push(line) },
    async (worker) => {
      asked.push(worker);
      if (worker === 'baker') throw new LlmcError('WORK_NOT_REVIEWED', 'nobody has reviewed it', { hint: 'llmc review baker' });
      return landed(worker);
    },
  );
  expect(asked).toEqual(['adam', 'baker', 'carl']);
  expect(said).toEqual(['adam: landing (1 of 3)', 'baker: landing (2 of 3)', 'carl: landing (3 of 3)']);
  expect(result).toEqual({
    accepted: [landed('adam'), landed('carl')],
    left: [{ worker: 'baker', code: 'WORK_NOT_REVIEWED', message: 'nobody has reviewed it', hint: 'llmc review baker' }],
  });
  expect(process.exitCode).toBe(2);
});

test('the exit status is 0 if all of it landed', async () => {
  await acceptSeveral(new Input(['adam', 'baker'], {}), { say: () => undefined }, async (worker) => landed(worker));
  expect(process.exitCode).toBeUndefined();
});

test('a bug is not a refusal', async () => {
  const bug = new TypeError('no');
  const failing = acceptSeveral(new Input(['adam', 'baker'], {}), { say: () => undefined }, () => Promise.reject(bug));
  await expect(failing).rejects.toBe(bug);
});
