import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './scratch.ts';

const repository = join(import.meta.dirname, '../..');

/** Who may import whom, as docs/architecture.md draws it. `biome.json` has to say the same. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  system: ['base'],
  config: ['base', 'system'],
  store: ['base', 'system', 'config'],
  terminal: ['base', 'system'],
  git: ['base', 'system'],
  agents: ['base'],
  recovery: ['base'],
  workers: ['base', 'system', 'config', 'store', 'terminal', 'git', 'agents', 'recovery'],
  supervisor: ['base', 'system', 'config', 'store', 'terminal', 'git', 'agents', 'recovery', 'workers'],
  doctor: ['base', 'system', 'config', 'store', 'terminal', 'git', 'agents'],
  cli: ['base', 'system', 'config', 'store', 'terminal', 'git', 'agents', 'recovery', 'workers', 'supervisor', 'doctor'],
};
const folders = Object.keys(ARROWS);

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
      if (!ARROWS[from]?.includes(to)) expected.push(`${file} ${specifier}`);
    }
  }
  expect(refused(imports)).toEqual(expected.sort());
});

test('the pure folders see only the pure files of their neighbours', () => {
  const imports = {
    'src/agents/claude/probe.ts': ['../../terminal/screen.ts', '../../terminal/tmux.ts', '../agent.ts'],
    'src/recovery/probe.ts': ['../agents/activity.ts', '../agents/agent.ts', '../agents/events.ts', '../agents/claude/agent.ts'],
  };
  expect(refused(imports)).toEqual([
    'src/agents/claude/probe.ts ../../terminal/tmux.ts',
    'src/recovery/probe.ts ../agents/claude/agent.ts',
  ]);
});

test('effects of Node are imported by src/system, by the demo program and by tests', () => {
  const effects = ['node:fs', 'node:fs/promises', 'node:child_process', 'node:net', 'node:sqlite', 'node:timers/promises', 'execa'];
  const files = [...folders.map((folder) => `src/${folder}/probe.ts`), 'src/agents/demo/tui/probe.ts', 'src/base/probe.test.ts'];
  const imports = Object.fromEntries(files.map((file) => [file, ['node:path', ...effects]]));
  const free = ['src/system/probe.ts', 'src/agents/demo/tui/probe.ts', 'src/base/probe.test.ts'];
  const exceptions = ['src/store/probe.ts node:sqlite', 'src/supervisor/probe.ts node:net'];
  const expected = files
    .filter((file) => !free.includes(file))
    .flatMap((file) => effects.map((effect) => `${file} ${effect}`))
    .filter((line) => !exceptions.includes(line));
  expect(refused(imports)).toEqual(expected.sort());
});
