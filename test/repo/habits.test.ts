import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

/** `file:line` of each match. */
function places(files: string, pattern: RegExp, exclude: readonly string[] = []): string[] {
  return globSync(files, { cwd: repository, exclude: [...exclude, 'test/repo/habits.test.ts'] }).flatMap((file) => {
    const lines = readFileSync(join(repository, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : []));
  });
}

test('decisions read no clock, no randomness and no environment', () => {
  const impure = /\b(?:Date\.now|Math\.random|setTimeout|setInterval|performance\.now|randomUUID)\(|\bnew Date\(\)|\bprocess\.(?!execPath)/;
  const outside = ['**/*.test.ts', 'src/agents/demo/tui/**'];
  const decisions = [
    'src/{recovery,agents}/**/*.ts',
    'src/supervisor/**/{decide-*,assess*,polling,reported,reports,mass-death,*-rules,delivery-step}.ts',
  ];
  expect(decisions.flatMap((files) => places(files, impure, outside))).toEqual([]);
});

test('no sentence of llmc is compared: reasons are unions', () => {
  // These read what other programs (agents, git, tmux) and people wrote.
  const others = ['**/*.test.ts', 'src/{agents,git,config,terminal}/**'];
  const sentence = /(?:[=!]==|\b(?:startsWith|endsWith|includes|has|indexOf)\() ?['"`][^'"`]*\w \w+ \w/;
  expect(places('src/**/*.ts', sentence, others)).toEqual([]);
});

test('no cast or comment silences the compiler', () => {
  expect(places('{src,test,bench,scripts}/**/*.ts', /\bas unknown as\b|\bas any\b|@ts-(?:ignore|expect-error|nocheck)/)).toEqual([]);
});

test('no module is mocked', () => {
  expect(places('{src,test}/**/*.ts', /\bvi\.(?:mock|doMock|hoisted|stubGlobal)\b/)).toEqual([]);
});

test('tests wait for a condition, not for time', () => {
  expect(places('{src,test}/**/*.test.ts', /from 'node:timers\/promises'|new Promise\(.*setTimeout|\bsleep\(/)).toEqual([]);
});
