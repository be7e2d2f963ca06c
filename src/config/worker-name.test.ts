import { describe, expect, test } from 'vitest';
import { LlmcError } from '../base/error.ts';
import { parseWorkerName } from './worker-name.ts';

describe('worker names', () => {
  test.each(['a', 'adam', 'baker-2', 'x--', 'constructor', 'a'.repeat(32)])('%s is a name', (name) => {
    expect(parseWorkerName(name)).toBe(name);
  });

  test.each([
    '',
    '../x',
    'a b',
    'Adam',
    '2nd',
    '-x',
    'ä',
    'a\n',
    'a/b',
    'a.b',
    'a'.repeat(33),
    'a'.repeat(100),
    '__proto__',
    'llmc',
    'sentinel',
  ])('%j is refused with a hint', (name) => {
    const refusal = refused(name);
    expect(refusal.code).toBe('INVALID_ARGUMENT');
    expect(refusal.hint).toContain('adam');
  });

  test('a very long name is not repeated in full', () => {
    expect(refused('x'.repeat(5_000)).message.length).toBeLessThan(250);
  });
});

function refused(name: string): LlmcError {
  try {
    parseWorkerName(name);
  } catch (error) {
    if (error instanceof LlmcError) return error;
  }
  throw new Error(`${name} was not refused`);
}
