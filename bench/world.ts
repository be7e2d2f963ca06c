import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const program = join(import.meta.dirname, '../bin/llmc.cjs');

/** A source repository with some history, and a home directory of its own. */
export function makeWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-bench-')));
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, GIT_CONFIG_NOSYSTEM: '1', TERM: 'xterm-256color' };
  const source = join(folder, 'source');
  const root = join(folder, 'root');

  const run = (file: string, args: readonly string[], cwd: string = folder): string => {
    const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`, { cause: error });
    return stdout.trim();
  };
  const git = (cwd: string, ...args: string[]): string => run('git', args, cwd);
  const llmc = (...args: string[]): string => run(process.execPath, [program, ...args, '--root', root]);

  mkdirSync(source);
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = Bench\n\temail = bench@example.com\n');
  git(source, 'init', '--quiet', '--initial-branch=main');
  for (let index = 0; index < 200; index += 1) writeFileSync(join(source, `file-${index}.txt`), `line ${index}\n`.repeat(20));
  git(source, 'add', '.');
  git(source, 'commit', '--quiet', '--message', 'Two hundred files');

  const init = (): string => {
    const said = run(process.execPath, [program, 'init', '--source', source, '--target', root, '--agent', 'demo']);
    // A benchmark has no terminal that would show a person.
    const config = join(root, 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('[defaults]', '[defaults]\nallow_agents_to_decide = true'));
    return said;
  };
  const dispose = (): void => {
    if (existsSync(join(root, 'state.json'))) spawnSync(process.execPath, [program, 'down', '--force', '--root', root], { env });
    rmSync(folder, { recursive: true, force: true });
  };

  return { folder, source, root, env, run, git, init, llmc, [Symbol.dispose]: dispose };
}

export type World = ReturnType<typeof makeWorld>;

/** Reads times from the database of a root. */
export function openTimes(root: string): Disposable & { readonly of: (sql: string) => readonly number[] } {
  const database = new DatabaseSync(join(root, 'llmc.db'), { readOnly: true });
  const of = (sql: string) => {
    const rows = database.prepare(sql).all();
    return rows.map((row) => Number(row.at_ms));
  };
  return { of, [Symbol.dispose]: () => database.close() };
}
