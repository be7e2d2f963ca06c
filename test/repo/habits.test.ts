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
    'src/workflow/{definition,next}/**/*.ts',
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

test('text reaches a terminal through src/cli/output.ts alone, where control characters are made visible', () => {
  const programs = ['**/*.{test,fixture}.ts', 'src/agents/demo/tui/**'];
  const unchecked = /process\.std(?:out|err)\.(?:write|end)\b|\bconsole\.(?!anthropic)|\bstdio: .*'inherit'|\bfs\.writeSync\([12]/;
  const allowed = ['src/cli/output.ts', 'src/system/processes/interactive.ts', 'src/system/agent-network/main.ts'];
  expect(places('src/**/*.ts', unchecked, [...programs, ...allowed])).toEqual([]);
  // `jsonText` escapes what JSON.stringify leaves in: C1 codes and bidirectional overrides.
  expect(places('src/{cli,cli/logs,cli/owner,cli/text,cli/verbs}/*.ts', /JSON\.stringify/, programs)).toEqual([]);
  expect(places('src/store/log.ts', /JSON\.stringify/)).toEqual([]);
});

test('an exported name has one definition, except in the contract that every agent fulfils', () => {
  const definition = /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
  const places = new Map<string, Set<string>>();
  for (const file of globSync('src/**/*.ts', {
    cwd: repository,
    exclude: ['**/*.{test,fixture}.ts', '**/samples.ts', 'src/agents/demo/tui/**'],
  })) {
    const home = /^src\/agents\/\w+\//.test(file) ? 'src/agents' : file;
    for (const [, name = ''] of readFileSync(join(repository, file), 'utf8').matchAll(definition))
      places.set(name, (places.get(name) ?? new Set()).add(home));
  }
  expect(places.size).toBeGreaterThan(1_000);
  expect([...places].filter(([, homes]) => homes.size > 1).map(([name, homes]) => `${name}: ${[...homes].join(', ')}`)).toEqual([]);
});

test('a function is named by what it does: none ends in "Of"', () => {
  const named = /^(?:export )?(?:async )?function \w+Of\b|^(?:export )?const \w+Of = (?:async )?[(<]/;
  // A key of the workflow file, and a question.
  const exceptions = ['src/workflow/definition/schema-parts.ts', 'src/workflow/mirror/status-file.ts'];
  expect(places('src/**/*.ts', named, ['**/*.test.ts', 'src/agents/demo/tui/**', ...exceptions])).toEqual([]);
});
