import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** What a test names that runs real git, tmux or processes. */
const STARTS_PROGRAMS =
  /scratch-(?:repo|work|conflict|tmux|user)\.ts|(?:walled-test|small-disk)\.ts|node:child_process|\b(?:systemProcesses|startLineProcess|startDetached)\b/;

/** A file of `test/support`, as a test imports it. */
const SUPPORT = /test\/support\/[\w-]+\.ts/g;

/**
 * The tests in `src` that start programs, by themselves or through a file of `test/support`, as paths from the repository: the project
 * "integration"; all others are "unit".
 */
export function programTests(): string[] {
  return globSync('src/**/*.test.ts', { cwd: repository })
    .filter((file) => [file, ...(read(file).match(SUPPORT) ?? [])].some((each) => STARTS_PROGRAMS.test(read(each))))
    .sort();
}

const read = (file: string): string => readFileSync(join(repository, file), 'utf8');
