import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './scratch.ts';

const repository = join(import.meta.dirname, '../..');

/** A run of its own over one small file, with only our reporter. */
function closingLines(body: string, env: Readonly<Record<string, string>> = {}) {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.path, 'sample.test.ts'), body);
  const args = ['run', '--globals', '--root', scratch.path, '--reporter', join(repository, 'test/repo/closing-line.ts')];
  const { status, stdout } = spawnSync(join(repository, 'node_modules/.bin/vitest'), args, {
    cwd: scratch.path,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: scratch.path, NO_COLOR: '1', ...env },
  });
  return {
    status,
    lines: stdout
      .trim()
      .replace(/\d+ s$/, '… s')
      .split('\n'),
  };
}

test('a good run ends in one line', () => {
  expect(closingLines(`test('one', () => expect(1).toBe(1));`)).toEqual({
    status: 0,
    lines: ['PASSED: 1 passed, 0 failed, 0 skipped, 1 files, … s'],
  });
});

test('a failure is named in the last lines, which a cut log still shows', () => {
  const { status, lines } = closingLines(`test('one', () => expect(1).toBe(2));`);
  expect({ status, lines: lines.slice(-2) }).toEqual({
    status: 1,
    lines: [
      'failed: sample.test.ts > one: expected 1 to be 2 // Object.is equality',
      'FAILED: 0 passed, 1 failed, 0 skipped, 1 files, … s',
    ],
  });
});

test('an error outside of a test is a failure too', () => {
  const { status, lines } = closingLines(`test('one', () => void Promise.reject(new Error('nobody caught it')));`);
  expect({ status, last: lines.at(-1) }).toEqual({
    status: 1,
    last: 'FAILED (1 errors outside the tests): 1 passed, 0 failed, 0 skipped, 1 files, … s',
  });
});

test('a skipped test is named, and with CI set it fails the run', () => {
  const body = `test('one', () => {}); test.skip('the hole', () => {});`;
  expect(closingLines(body)).toEqual({
    status: 0,
    lines: ['skipped: sample.test.ts > the hole', 'PASSED: 1 passed, 0 failed, 1 skipped, 1 files, … s'],
  });
  expect(closingLines(body, { CI: 'true' })).toEqual({
    status: 1,
    lines: [
      'skipped: sample.test.ts > the hole',
      'FAILED (with CI set, a skipped test is a failure): 1 passed, 0 failed, 1 skipped, 1 files, … s',
    ],
  });
});

test('a test that says what the machine cannot do is named with that, and does not fail the run', () => {
  const body = `test('one', () => {}); test('the wall', ({ skip }) => skip('no user namespaces here'));`;
  expect(closingLines(body, { CI: 'true' })).toEqual({
    status: 0,
    lines: ['skipped: sample.test.ts > the wall: no user namespaces here', 'PASSED: 1 passed, 0 failed, 1 skipped, 1 files, … s'],
  });
});
