import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aState, aWorker } from '../../workers/samples.ts';
import { Shell } from '../shell.ts';
import { statusText } from '../text/status-text.ts';
import { statusFromDisk } from './status-from-disk.ts';

function scratchRoot(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'llmc-status-'));
  writeFileSync(join(root, 'config.toml'), '[repo]\nsource = "/source"\nbranch = "main"\n');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const flags = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: true };
  const shell = new Shell({ ...flags, root, version: '0', declarations: [] }, () => Promise.reject(new Error('asked')));
  return { root, shell, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

const STATE = JSON.stringify(aState(aWorker()));
const display = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };

test.each([
  ['missing', {}, 1],
  ['damaged', { 'llmc.db': 'not a database '.repeat(1_000) }, 2],
])('a database that is %s is one problem, which names each command once', async (_, files, commands) => {
  using scratch = scratchRoot({ 'state.json': STATE, ...files });
  const report = await statusFromDisk(scratch.shell);
  expect(report.workers).toHaveLength(1);
  const lines = statusText(report, Date.now(), display).split('\n');
  const problems = lines.filter((line) => line.startsWith('! '));
  expect(problems).toEqual([expect.stringMatching(/llmc\.db: .*; undelivered prompts are not shown.*\. More: llmc doctor$/)]);
  expect(problems.join().match(/llmc (?:doctor|up)/g)).toHaveLength(commands);
});

test('a state.json that is missing is reported as missing', async () => {
  using scratch = scratchRoot({ 'state.json.bak': STATE });
  const { problems } = await statusFromDisk(scratch.shell);
  expect(problems).toContain(`${join(scratch.root, 'state.json')} is missing; this is its backup, which may be older`);
  expect(problems.join()).not.toContain('ENOENT');
});
