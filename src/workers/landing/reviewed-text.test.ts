import { describe, expect, test } from 'vitest';
import { reviewedText } from './reviewed-text.ts';

const BASE = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);

const fileOf = (name: string, line: string) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${line}\n`;
const textOf = (...files: readonly string[]) => reviewedText({ stat: ' stat\n', diff: files.join(''), base: BASE, head: HEAD });

describe('what was reviewed', () => {
  test('is told with its diff', () => {
    expect(textOf(fileOf('a', 'one'), fileOf('b', 'two'))).toBe(
      ` stat\n\n\`\`\`diff\n${fileOf('a', 'one')}${fileOf('b', 'two').trimEnd()}\n\`\`\``,
    );
  });

  test('leaves out whole files that do not fit, and says how to see them', () => {
    const text = textOf(fileOf('a', 'one'), fileOf('long', 'x'.repeat(17_000)), fileOf('c', 'three'));
    expect(text).toContain('+one');
    expect(text).toContain('+three');
    expect(text).not.toContain('xx');
    expect(text).toMatch(/\nToo long to stand here: 1 of 3 files\. All of it: git diff a{12} b{12}$/);
  });

  test('is the list of files alone when nothing fits, or nothing differs', () => {
    expect(textOf(fileOf('long', 'x'.repeat(17_000)))).toBe(
      ` stat\n\nToo long to stand here: 1 of 1 files. All of it: git diff ${'a'.repeat(12)} ${'b'.repeat(12)}`,
    );
    expect(textOf()).toBe(' stat');
  });

  test('counts bytes, not characters', () => {
    expect(textOf(fileOf('a', '漢'.repeat(6_000)))).toContain('Too long to stand here: 1 of 1');
  });

  test('cannot be left by a fence in the diff, and moves no cursor', () => {
    expect(textOf(fileOf('a.md', '````js'))).toMatch(/\n`{5}diff\n[\s\S]*\n`{5}$/);
    expect(textOf(fileOf('a', '\u001b[201~\tTab'))).toContain('\n+<U+001B>[201~    Tab\n');
  });
});
