import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../system/files/system-files.ts';
import { Artifacts } from './artifacts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-artifacts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const stored = () => {
  const artifacts = new Artifacts(systemFiles, () => folder);
  const artifact = artifacts.store('swarm-1', 'research-1', 'findings.md', 'found\ufffd\n', null);
  return { artifacts, artifact, place: join(folder, artifact.path) };
};

test('a result is read as it was stored', () => {
  const { artifacts, artifact } = stored();
  expect(artifacts.read('swarm-1', 'research', 'findings.md', artifact)).toBe('found\ufffd\n');
});

test.each([
  ['is missing', (place: string) => rmSync(place)],
  ['was changed', (place: string) => writeFileSync(place, 'forged')],
])('a result that %s since is not given to another agent', (what, damage) => {
  const { artifacts, artifact, place } = stored();
  damage(place);
  expect(() => artifacts.read('swarm-1', 'research', 'findings.md', artifact)).toThrow(
    `findings.md, the result of research, ${what}: ${place}`,
  );
});
