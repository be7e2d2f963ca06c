import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import { scratchFolder } from './scratch.ts';

/** A run of its own, beside all the others. */
const PATIENCE_MS = 60_000;
const repository = join(import.meta.dirname, '../..');

/** Reports its start, and its clean-up at exit; without a signal it would run for minutes. */
const ENDLESS = `
import { writeFileSync } from 'node:fs';
test('endless', async () => {
  process.once('exit', () => writeFileSync('cleaned', ''));
  writeFileSync('begun', '');
  await new Promise(() => undefined);
}, 300_000);`;

test.for(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a run ended by %s leaves no test behind that did not clean up',
  async (signal) => {
    using scratch = scratchFolder();
    const made = (name: string) => existsSync(join(scratch.path, name));
    writeFileSync(join(scratch.path, 'sample.test.ts'), ENDLESS);
    writeFileSync(
      join(scratch.path, 'vitest.config.ts'),
      `export default { test: { pool: 'forks', globals: true, setupFiles: ['${repository}/test/repo/end-with-the-run.ts'] } };`,
    );
    const run = spawn(join(repository, 'node_modules/.bin/vitest'), ['run', '--root', scratch.path], {
      cwd: scratch.path,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: scratch.path },
    });
    const ended = once(run, 'exit');
    try {
      await until('the test to begin', async () => made('begun'), PATIENCE_MS);
    } finally {
      run.kill(signal);
      await ended;
    }
    await until('the test to clean up', async () => made('cleaned'));
    expect(made('cleaned')).toBe(true);
  },
);
