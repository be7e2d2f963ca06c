import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAgent } from './registry.ts';
import { compareVersions, nearestVersion, versionIn } from './versions.ts';

test.each([
  ['2.1.325 (Claude Code)', '2.1.325'],
  ['codex-cli 0.166.0', '0.166.0'],
  ['v1.2.3', '1.2.3'],
  ['tool 10.20.30-beta.4\nsecond line', '10.20.30-beta.4'],
  ['', undefined],
  ['Welcome! Please log in.', undefined],
  ['2.1', undefined],
  ['127.0.0.1 refused', undefined],
  ['x1.2.3', undefined],
])('the version in %j is %s', (text, version) => {
  expect(versionIn(text)).toBe(version);
});

test('versions sort by number, a pre-release before its release', () => {
  const ordered = ['0.9.30', '0.10.2', '2.1.99', '2.1.325', '2.2.0-beta.2', '2.2.0-beta.10', '2.2.0', '10.0.0'];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
});

test.each([
  ['2.1.325', '2.1.325'],
  ['2.1.400', '2.1.325'],
  ['9.0.0', '3.0.1'],
  ['2.1.0', '2.1.325'],
])('nearest to %s is %s', (version, nearest) => {
  expect(nearestVersion(version, ['3.0.1', '2.1.325'])).toBe(nearest);
});

test('without recorded versions there is no nearest one', () => {
  expect(nearestVersion('1.0.0', [])).toBeUndefined();
});

const SCREENS = join(import.meta.dirname, '../../test/fixtures/screens');

test.each(readdirSync(SCREENS))('the versions %s claims to know are those with recorded screens', (adapter) => {
  const folders = readdirSync(join(SCREENS, adapter));
  expect(folders).not.toEqual([]);
  expect(findAgent(adapter).recordedVersions?.toSorted(compareVersions)).toEqual(folders.toSorted(compareVersions));
});
