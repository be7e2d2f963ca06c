import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** What a test names that runs real git, tmux or processes. */
const STARTS_PROGRAMS =
  /scratch-(?:repo|work|conflict|tmux|user)\.ts|(?:walled-test|small-disk)\.ts|node:child_process|\b(?:systemProcesses|startLineProcess|startDetached)\b/;

/** The tests in `src` that start programs, as paths from the repository: the project "integration"; all others are "unit". */
export function programTests(): string[] {
  return globSync('src/**/*.test.ts', { cwd: repository })
    .filter((file) => STARTS_PROGRAMS.test(readFileSync(join(repository, file), 'utf8')))
    .sort();
}
