import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RootHere } from './roots/root-here.ts';
import { withCommand } from './without-arguments.ts';

const root = mkdtempSync(join(tmpdir(), 'llmc-bare-'));
writeFileSync(join(root, 'config.toml'), '');
afterAll(() => rmSync(root, { recursive: true }));

const found: RootHere = { kind: 'found', root };
const nowhere: RootHere = { kind: 'named', root: '/nowhere' };
const missing: RootHere = { kind: 'missing', root: '/nowhere', repository: { gitDir: '/shop/.git', name: 'shop' } };
const outside: RootHere = { kind: 'outside', root: '/nowhere' };

test.each<[string, readonly string[], RootHere, boolean, readonly string[]]>([
  ['opens the view', [], found, true, ['ui']],
  ['keeps the options', ['--root', root], { kind: 'named', root }, true, ['ui', '--root', root]],
  ['shows help at a place without a root', [], nowhere, true, ['help']],
  ['offers a root in a repository that has none', [], missing, true, ['ui']],
  ['reports that the repository has no root, without a terminal', [], missing, false, ['status']],
  ['opens the view of all roots outside any repository', ['--no-color'], outside, true, ['ui', '--all', '--no-color']],
  ['shows help outside any repository without a terminal', [], outside, false, ['help']],
  ['shows help without a terminal', [], found, false, ['help']],
  ['runs a command', ['status'], missing, true, ['status']],
  ['answers --version', ['--version'], missing, true, ['--version']],
  ['leaves --json to its error', ['--json'], found, false, ['--json']],
])('llmc alone %s', (_, argv, at, isTerminal, expected) => {
  expect(withCommand(argv, at, isTerminal, () => true)).toEqual(expected);
});

test('llmc alone outside any repository says how to make the first root', () => {
  expect(withCommand([], outside, true, () => false)).toEqual(['roots']);
});
