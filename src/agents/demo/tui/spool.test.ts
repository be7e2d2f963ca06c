import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSpool } from './spool.ts';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'llmc-spool-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

const stop = { name: 'stop', payload: { session_id: 'a', message: 'x' } };

describe('the spool', () => {
  test('gets one file per event, in the order of their names', () => {
    const write = createSpool({ LLMC_SPOOL: directory, LLMC_INCARNATION: '3' }, 42, () => 1_000);
    for (let count = 0; count < 11; count += 1) write({ name: 'stop', payload: { count } });
    const files = readdirSync(directory).sort();
    expect(files[0]).toBe('3~stop~1000-42-000001.json');
    expect(files.map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')).count)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('gets the seal of the agent as the first line of each event', () => {
    createSpool({ LLMC_SPOOL: directory, LLMC_SEAL: 'seal-of-demo' }, 42, () => 1_000)(stop);
    const [file = ''] = readdirSync(directory);
    expect(readFileSync(join(directory, file), 'utf8')).toBe(`seal-of-demo\n${JSON.stringify(stop.payload)}`);
  });

  test('that is missing does not disturb the agent', () => {
    expect(() => createSpool({ LLMC_SPOOL: join(directory, 'gone') }, 1, () => 0)(stop)).not.toThrow();
  });

  test('is not written to when llmc names none', () => {
    createSpool({}, 1, () => 0)(stop);
    createSpool({ LLMC_SPOOL: '' }, 1, () => 0)(stop);
    expect(readdirSync(directory)).toEqual([]);
  });
});
