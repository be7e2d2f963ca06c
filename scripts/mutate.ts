import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedFromNpm } from '../test/support/install-from-npm.ts';
import { DECISIONS } from './decisions.ts';
import { readMutationReport } from './mutation-report.ts';

// Usage: node scripts/mutate.ts [file]...
// Changes the decisions one expression at a time and runs their tables: a change that no row notices survives.

const VERSION = '10.1.1';
const LEAST_PERCENT = 85;
const RUNNER = '@stryker-mutator/vitest-runner';
/** In node_modules, so that its runner finds the vitest of this repository; 176 packages that only this script needs. */
const CACHE = join(import.meta.dirname, '../node_modules/.cache');

const stryker = await installedFromNpm({
  title: 'Stryker',
  name: 'stryker',
  package: '@stryker-mutator/core',
  version: VERSION,
  plugins: [RUNNER],
  cache: CACHE,
  places: ['@stryker-mutator/core/bin/stryker.js'],
});
if (stryker !== undefined) process.exitCode = mutate(stryker);

function mutate(program: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-mutate-'));
  try {
    const fileName = join(folder, 'report.json');
    const config = join(folder, 'stryker.json');
    writeFileSync(config, JSON.stringify(settings(program, folder, fileName)));
    const { status } = spawnSync(process.execPath, [program, 'run', config], { stdio: 'inherit' });
    if (status !== 0) return 1;
    const { noticed, all, survivors } = readMutationReport(readFileSync(fileName, 'utf8'));
    for (const line of survivors) console.log(line);
    const percent = (100 * noticed) / all;
    const enough = percent >= LEAST_PERCENT;
    console.log(
      `${enough ? 'PASSED' : 'FAILED'}: ${noticed} of ${all} mutants were noticed, ${percent.toFixed(1)} %; at least ${LEAST_PERCENT} % are required`,
    );
    return enough ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function settings(program: string, folder: string, fileName: string) {
  const asked = process.argv.slice(2);
  return {
    mutate: asked.length > 0 ? asked : DECISIONS,
    testRunner: 'vitest',
    plugins: [join(program, '../../../vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'scripts/mutation-tests.config.ts', related: false },
    // Strings are names of a union, which the compiler checks, and sentences for people.
    mutator: { excludedMutations: ['StringLiteral'] },
    // Stryker would read tsconfig.json with the API of TypeScript, which version 7 does not have.
    tsconfigFile: 'none.json',
    coverageAnalysis: 'perTest',
    timeoutMS: 60_000,
    concurrency: 2,
    tempDirName: join(folder, 'copy'),
    ignorePatterns: ['dist', 'docs', 'coverage', 'test/fixtures'],
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName },
    allowConsoleColors: false,
    warnings: { slow: false },
  };
}
