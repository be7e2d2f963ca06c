import { describe, expect, test } from 'vitest';
import { scratchRepo } from '../../test/support/scratch-repo.ts';
import type { Processes } from '../base/ports.ts';
import { openGit } from './run.ts';
import { isAtLeast, MINIMUM_GIT, parseVersion, requireGit } from './version.ts';

const printing = (stdout: string): Processes => ({
  run: async (command) => ({ command, outcome: { kind: 'exited', status: 0 }, stdout, stderr: '', truncated: false }),
});

test.each([
  ['git version 2.39.5\n', 2, 39, '2.39.5'],
  ['git version 2.39.5 (Apple Git-154)\n', 2, 39, '2.39.5'],
  ['git version 2.47.1.windows.1\n', 2, 47, '2.47.1.windows.1'],
  ['git version 3.0.0-rc1\n', 3, 0, '3.0.0-rc1'],
])('reads %j', (text, major, minor, version) => {
  expect(parseVersion(text)).toEqual({ major, minor, text: version });
});

test('reads no version from anything else', () => {
  expect(parseVersion('hub version 2.14')).toBeUndefined();
});

describe('the minimum', () => {
  test.each([
    [2, 38, true],
    [2, 37, false],
    [1, 99, false],
    [3, 0, true],
  ])('%d.%d is new enough: %s', (major, minor, expected) => {
    expect(isAtLeast({ major, minor, text: '' }, MINIMUM_GIT)).toBe(expected);
  });

  test('an old git is refused with both versions named', async () => {
    await expect(requireGit(openGit(printing('git version 2.30.2\n')))).rejects.toMatchObject({
      code: 'GIT_TOO_OLD',
      message: expect.stringMatching(/2\.30\.2.*2\.38/),
    });
  });

  test('the git of this machine passes', async () => {
    await using repo = await scratchRepo();
    expect((await requireGit(repo.git)).major).toBeGreaterThanOrEqual(2);
  });
});
