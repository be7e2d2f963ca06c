import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withUsersFiles } from './users-files.ts';

let at: string;
beforeAll(() => {
  at = mkdtempSync(join(tmpdir(), 'llmc-checkout-'));
  mkdirSync(join(at, 'tools'));
  for (const file of ['tools/clean.sh', 'tools/x.py', 'top.py', 'clean']) writeFileSync(join(at, file), '');
});
afterAll(() => rmSync(at, { recursive: true }));

test.each([
  ['./tools/clean.sh', 'AT/tools/clean.sh'],
  ['./tools/clean.sh %f', 'AT/tools/clean.sh %f'],
  ['tools/clean.sh', 'AT/tools/clean.sh'],
  ['python tools/x.py --flag', 'python AT/tools/x.py --flag'],
  ['python top.py', 'python AT/top.py'],
  ['sh -c "./tools/clean.sh | cat"', 'sh -c "AT/tools/clean.sh | cat"'],
  ['cat | ./tools/clean.sh', 'cat | AT/tools/clean.sh'],
  ['"$(git rev-parse --show-toplevel)/tools/clean.sh"', '"AT/tools/clean.sh"'],
  ['"$(git rev-parse --show-toplevel)"/tools/clean.sh', 'AT/tools/clean.sh'],
  ['$PWD/tools/clean.sh', 'AT/tools/clean.sh'],
  ['X=1 ./tools/clean.sh', 'X=1 AT/tools/clean.sh'],
  // What is not a file of the repository stays.
  ['git-lfs clean -- %f', 'git-lfs clean -- %f'],
  ['git-crypt smudge', 'git-crypt smudge'],
  ["sed -e 's/secret/X/g'", "sed -e 's/secret/X/g'"],
  ['/usr/local/bin/filter %f', '/usr/local/bin/filter %f'],
  ['~/bin/clean.sh', '~/bin/clean.sh'],
  ['nbstripout', 'nbstripout'],
])('%s becomes %s', (value, expected) => {
  const shown = withUsersFiles([{ key: 'filter.x.clean', value }], at).map((each) => each.value.replaceAll(at, 'AT'));
  expect(shown).toEqual([expected]);
});

test.each(['./tools/new.sh', 'tools/new.sh', 'python tools/new.py', '../outside.sh', 'sh -c "./tools/new.sh"'])(
  '%s, which only an agent can have, fails with the reason',
  (value) => {
    const [refused, required] = withUsersFiles([{ key: 'filter.x.clean', value }], at);
    expect(refused?.value).toMatch(/^printf .*filter\.x\.clean runs .* exit 1$/);
    expect(required).toEqual({ key: 'filter.x.required', value: 'true' });
    expect(withUsersFiles([{ key: 'merge.x.driver', value }], at)).toHaveLength(1);
  },
);

test('only settings that run a command are read', () => {
  const settings = [{ key: 'user.name', value: './tools/clean.sh' }];
  expect(withUsersFiles(settings, at)).toEqual(settings);
});
