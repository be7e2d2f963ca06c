import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Canary, findCanary, hasPassed, keepCanary, readCanaries } from './canaries.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'llmc-canaries-'));
  file = join(folder, 'canaries.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const canary = (changes: Partial<Canary> = {}): Omit<Canary, 'host'> => ({
  adapter: 'claude',
  version: '2.2.0',
  llmc: '0.1.0',
  channel: 'typing',
  at_unix: 1,
  checks: [{ name: 'ready', verdict: 'passed', evidence: 'seen', took_ms: 5 }],
  ...changes,
});
const key = { adapter: 'claude', version: '2.2.0', llmc: '0.1.0', channel: 'typing' } as const;

describe('what canaries found', () => {
  test('is found again for the same version, llmc, way and machine only', () => {
    keepCanary(file, canary(), 'here');
    const kept = readCanaries(file);
    expect(findCanary(kept, key, 'here')).toEqual({ ...canary(), host: 'here' });
    expect(findCanary(kept, key, 'elsewhere')).toBeUndefined();
    expect(findCanary(kept, { ...key, version: '2.2.1' }, 'here')).toBeUndefined();
    expect(findCanary(kept, { ...key, llmc: '0.2.0' }, 'here')).toBeUndefined();
    expect(findCanary(kept, { ...key, channel: 'auto' }, 'here')).toBeUndefined();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is replaced by a newer try, and no other machine loses its own', () => {
    keepCanary(file, canary(), 'elsewhere');
    keepCanary(file, canary(), 'here');
    keepCanary(file, canary({ at_unix: 9 }), 'here');
    expect(readCanaries(file).map(({ host, at_unix }) => [host, at_unix])).toEqual([
      ['here', 9],
      ['elsewhere', 1],
    ]);
  });

  test('does not grow for ever', () => {
    for (let patch = 0; patch < 60; patch += 1) keepCanary(file, canary({ version: `1.0.${patch}` }), 'here');
    expect(readCanaries(file).length).toBe(50);
    expect(readCanaries(file)[0]?.version).toBe('1.0.59');
  });

  test.each(['', '{', '[]', '{"canaries":[{"adapter":1}]}', '{"canaries":null}', '\0'])('%j holds none, and is written over', (garbage) => {
    writeFileSync(file, garbage);
    expect(readCanaries(file)).toEqual([]);
    keepCanary(file, canary(), 'here');
    expect(readCanaries(file)).toHaveLength(1);
  });

  test('nothing there holds none', () => {
    expect(readCanaries(file)).toEqual([]);
  });

  test('has passed when every check has', () => {
    const passed = { name: 'a', verdict: 'passed', evidence: '', took_ms: 0 } as const;
    const verdict = (...checks: Canary['checks']) => hasPassed({ ...canary({ checks }), host: 'here' });
    expect(verdict(passed, passed)).toBe(true);
    expect(verdict(passed, { ...passed, verdict: 'failed' })).toBe(false);
    expect(verdict(passed, { ...passed, verdict: 'not_tried' })).toBe(false);
  });
});
