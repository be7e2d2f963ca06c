import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withCommand } from './without-arguments.ts';

const root = mkdtempSync(join(tmpdir(), 'llmc-bare-'));
writeFileSync(join(root, 'config.toml'), '');
afterAll(() => rmSync(root, { recursive: true }));

test.each<[string, readonly string[], string, boolean, readonly string[]]>([
  ['opens the view', [], root, true, ['ui']],
  ['keeps the options', ['--root', root], root, true, ['ui', '--root', root]],
  ['shows help without a root', [], '/nowhere', true, ['help']],
  ['shows help without a terminal', [], root, false, ['help']],
  ['runs a command', ['status'], root, true, ['status']],
  ['answers --version', ['--version'], root, true, ['--version']],
  ['leaves --json to its error', ['--json'], root, false, ['--json']],
])('llmc alone %s', (_, argv, at, isTerminal, expected) => {
  expect(withCommand(argv, at, isTerminal)).toEqual(expected);
});
