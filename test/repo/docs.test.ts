import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERBS } from '../../src/cli/verbs.ts';
import { STATUSES } from '../../src/store/statuses.ts';

const repository = join(import.meta.dirname, '../..');
const program = join(repository, 'bin/llmc.cjs');

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function page(name: string): string {
  return readFileSync(join(repository, 'docs', name), 'utf8');
}

test('the generated pages are what the code gives: npm run docs', () => {
  expect(run('scripts/generate-docs.ts', '--check')).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('every command the program lists has its section', () => {
  const listed = [...run(program, 'help').stdout.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)].map(([, name = '']) => name);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter((name) => !page('cli.md').includes(`\n## llmc ${name}\n`))).toEqual([]);
});

test('help about help is the overview', () => {
  expect(run(program, 'help', 'help')).toEqual({ ...run(program, 'help'), status: 0, stderr: '' });
});

test('every status has its row', () => {
  expect(STATUSES.filter((status) => !page('statuses.md').includes(`\n| \`${status}\` | `))).toEqual([]);
});

test('the manual page has every command, and groff has nothing to say about it', ({ skip }) => {
  const file = join(repository, 'man/llmc.1');
  const text = readFileSync(file, 'utf8');
  expect(VERBS.filter(({ name }) => !text.includes(`\n.SS "llmc ${name}`))).toEqual([]);
  const groff = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8', file], { encoding: 'utf8' });
  skip(groff.error !== undefined, 'groff is not installed');
  expect({ status: groff.status, stderr: groff.stderr }).toEqual({ status: 0, stderr: '' });
});
