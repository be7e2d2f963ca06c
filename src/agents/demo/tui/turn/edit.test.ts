import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyChange, editFile } from './edit.ts';

const append = { how: 'append', text: 'new\n' } as const;
const replace = { how: 'replace', old: 'a', new: '$&b' } as const;

describe('an edit', () => {
  test.for([
    ['writes', 'old', { how: 'content', text: 'x' }, false, 'x'],
    ['appends', 'old\n', append, false, 'old\nnew\n'],
    ['begins a new line', 'old', append, false, 'old\nnew\n'],
    ['creates by appending', undefined, append, false, 'new\n'],
    ['replaces once, to the letter', 'a a', replace, false, '$&b a'],
    ['done again does not append twice', 'new\n', append, true, 'new\n'],
    ['that was not done before appends again', 'new\n', append, false, 'new\nnew\n'],
    ['done again does not replace twice', '$&b', { ...replace, old: 'z' }, true, '$&b'],
  ] as const)('%s', ([, before, change, again, content]) => {
    expect(applyChange(before, change, again)).toEqual({ ok: true, content });
  });

  test('fails when there is nothing to replace', () => {
    expect(applyChange('x', replace, false)).toMatchObject({ ok: false });
  });

  test('stays inside the working directory', () => {
    const directory = mkdtempSync(join(tmpdir(), 'llmc-edit-'));
    try {
      expect(editFile(directory, 'deep/er/a.txt', append, false)).toMatchObject({ ok: true });
      expect(readFileSync(join(directory, 'deep/er/a.txt'), 'utf8')).toBe('new\n');
      for (const path of ['../a.txt', '/tmp/llmc-edit-outside', '.'])
        expect(editFile(directory, path, append, false)).toMatchObject({ ok: false });
      expect(existsSync(join(directory, '../a.txt'))).toBe(false);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
