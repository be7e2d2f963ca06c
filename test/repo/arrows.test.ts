import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDERS, overrides, PHASES } from '../../scripts/arrows.ts';
import { scratchFolder } from './scratch.ts';

const repository = join(import.meta.dirname, '../..');

const folders = Object.keys(FOLDERS);
const phases = Object.keys(PHASES);

/** Which of these imports (file → specifiers) Biome refuses, as `file specifier`. One run for all of them. */
function refused(imports: Readonly<Record<string, readonly string[]>>): string[] {
  using scratch = scratchFolder();
  cpSync(join(repository, 'biome.json'), join(scratch.path, 'biome.json'));
  for (const [file, specifiers] of Object.entries(imports)) {
    mkdirSync(dirname(join(scratch.path, file)), { recursive: true });
    writeFileSync(join(scratch.path, file), specifiers.map((specifier) => `import '${specifier}';\n`).join(''));
  }
  const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=none', '--reporter=json', '.'];
  const { stdout } = spawnSync(join(repository, 'node_modules/.bin/biome'), args, { cwd: scratch.path, encoding: 'utf8' });
  const report: { diagnostics: { location: { path: string; start: { line: number } } }[] } = JSON.parse(stdout);
  return report.diagnostics.map(({ location }) => `${location.path} ${imports[location.path]?.[location.start.line - 1]}`).sort();
}

test('biome.json holds the arrows of scripts/arrows.ts (npm run arrows writes them)', () => {
  const { overrides: written } = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8'));
  expect(written).toEqual(overrides());
});

test('no arrow of the supervisor leads back', () => {
  const visit = (phase: string, path: readonly string[]): string[] =>
    path.includes(phase) ? [[...path, phase].join(' → ')] : (PHASES[phase] ?? []).flatMap((next) => visit(next, [...path, phase]));
  expect(phases.flatMap((phase) => visit(phase, []))).toEqual([]);
});

test('every folder of the supervisor has its row', () => {
  const present = readdirSync(join(repository, 'src/supervisor'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(present.map(({ name }) => name).sort()).toEqual(phases.toSorted());
});

test('a phase of the supervisor imports those it names, none of the others and no file at the top', () => {
  const imports = Object.fromEntries(
    phases.map((from) => [
      `src/supervisor/${from}/probe.ts`,
      ['../loop.ts', ...phases.filter((to) => to !== from).map((to) => `../${to}/probe.ts`)],
    ]),
  );
  const expected = phases.flatMap((from) => [
    `src/supervisor/${from}/probe.ts ../loop.ts`,
    ...phases.filter((to) => to !== from && !PHASES[from]?.includes(to)).map((to) => `src/supervisor/${from}/probe.ts ../${to}/probe.ts`),
  ]);
  expect(refused(imports)).toEqual(expected.sort());
});

test('every folder of src has its row', () => {
  const present = readdirSync(join(repository, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders).toEqual(expect.arrayContaining(present.map(({ name }) => name)));
});

test('an import against an arrow is refused, also from a nested folder, and an import along one is not', () => {
  const pairs = folders.flatMap((from) => folders.filter((to) => to !== from).map((to) => ({ from, to })));
  const imports: Record<string, string[]> = {};
  const expected: string[] = [];
  for (const { from, to } of pairs) {
    for (const [file, up] of [
      [`src/${from}/probe.ts`, '..'],
      [`src/${from}/nested/probe.ts`, '../..'],
    ] as const) {
      const specifier = `${up}/${to}/probe.ts`;
      imports[file] = [...(imports[file] ?? []), specifier];
      if (!FOLDERS[from]?.imports.includes(to)) expected.push(`${file} ${specifier}`);
    }
  }
  expect(refused(imports)).toEqual(expected.sort());
});

test('where an arrow leads to single files only, the others are refused', () => {
  const imports = {
    'src/agents/claude/probe.ts': ['../../terminal/screen.ts', '../../terminal/tmux.ts', '../agent.ts'],
    'src/store/probe.ts': ['../agents/events.ts', '../agents/agent.ts'],
    'src/recovery/probe.ts': ['../agents/activity.ts', '../agents/agent.ts', '../agents/events.ts', '../agents/claude/agent.ts'],
  };
  expect(refused(imports)).toEqual([
    'src/agents/claude/probe.ts ../../terminal/tmux.ts',
    'src/recovery/probe.ts ../agents/claude/agent.ts',
    'src/store/probe.ts ../agents/agent.ts',
  ]);
});

test('effects of Node are imported by src/system, by the demo program and by tests, and the few that a folder needs by that folder', () => {
  const effects = [
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:child_process',
    'node:net',
    'node:http',
    'node:sqlite',
    'node:timers/promises',
  ];
  const granted: Readonly<Record<string, readonly string[]>> = {
    'src/system/probe.ts': effects,
    'src/agents/demo/tui/probe.ts': effects,
    'src/base/probe.test.ts': effects,
    'src/store/probe.ts': ['node:os', 'node:sqlite'],
    'src/supervisor/probe.ts': ['node:net'],
    'src/cli/probe.ts': ['node:fs', 'node:os'],
  };
  const probes = [...new Set([...folders.map((folder) => `src/${folder}/probe.ts`), ...Object.keys(granted)])];
  const imports = Object.fromEntries(probes.map((probe) => [probe, ['node:path', ...effects]]));
  const expected = probes.flatMap((probe) =>
    effects.filter((effect) => !granted[probe]?.includes(effect)).map((effect) => `${probe} ${effect}`),
  );
  expect(refused(imports)).toEqual(expected.sort());
});
