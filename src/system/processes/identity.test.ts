import { closeSync, existsSync, linkSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { challenge } from './identity.ts';
import { meetChallenge } from './meet-challenge.ts';

test('a process proves its id by a file that it has opened', () => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, 'callers');
  {
    using asked = challenge(folder);
    using proof = meetChallenge(asked.path);
    expect(asked.isMetBy(proof.claim)).toBe(true);
    expect(asked.isMetBy({ pid: process.ppid, fd: proof.claim.fd }), 'the id of another process').toBe(false);
    expect(asked.isMetBy({ pid: process.pid, fd: proof.claim.fd + 1_000 }), 'a file that is not open').toBe(false);
    expect(asked.isMetBy({ pid: 2 ** 22 + 1, fd: 0 }), 'no process').toBe(false);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('the file of one challenge does not meet another', () => {
  using scratch = scratchFolder();
  using one = challenge(scratch.path);
  using other = challenge(scratch.path);
  using proof = meetChallenge(one.path);
  expect(other.isMetBy(proof.claim)).toBe(false);
});

test('a file that was open before does not meet a challenge by taking its name', () => {
  using scratch = scratchFolder();
  const own = join(scratch.path, 'log');
  const fd = openSync(own, 'w');
  using asked = challenge(scratch.path);
  linkSync(own, `${asked.path}-new`);
  expect(asked.isMetBy({ pid: process.pid, fd })).toBe(false);
  closeSync(fd);
  expect(existsSync(asked.path)).toBe(true);
});
