import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemProcesses } from '../../src/system/processes/processes.ts';

const INSTALL_TIMEOUT_MS = 300_000;
const STALE_MS = 3_600_000;

export interface NpmProgram {
  /** The name for people. */
  readonly title: string;
  /** The name of its folder in the cache. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Packages of the same version that it loads. */
  readonly plugins?: readonly string[];
  /** Possible paths of the program under `node_modules`; platforms differ. */
  readonly places: readonly string[];
  /** The folder that keeps it; a cache in the home directory by default. */
  readonly cache?: string;
}

/**
 * The path of a real agent CLI, installed from npm on first use into a cache outside the repository.
 * Fails if CI is set and it cannot be installed; elsewhere returns undefined with a warning, and the caller skips its tests.
 */
export async function installedFromNpm(program: NpmProgram): Promise<string | undefined> {
  const { title, version } = program;
  try {
    return await install(program);
  } catch (error) {
    if (process.env['CI']) throw new Error(`${title} ${version} could not be installed for the tests`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\n*** SKIPPED: the tests against the real ${title} ${version}, because it could not be installed: ${reason}\n\n`);
    return undefined;
  }
}

async function install(program: NpmProgram): Promise<string> {
  const cache = program.cache ?? join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'llmc-test');
  const folder = `${program.name}-${program.version}`;
  const target = join(cache, folder);
  const present = await programIn(target, program);
  if (present !== undefined) return present;
  await mkdir(cache, { recursive: true });
  await removeStale(cache);
  const draft = await mkdtemp(join(cache, `${folder}.tmp-`));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}\n');
    // Scripts stay off: the platform package holds the program itself; a post-install step only links it.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const packages = [program.package, ...(program.plugins ?? [])].map((name) => `${name}@${program.version}`);
    // What a plugin expects beside it, such as the vitest of this repository, is found further up.
    if (program.plugins !== undefined) options.push('--legacy-peer-deps');
    const { outcome, stderr } = await systemProcesses.run(
      {
        file: 'npm',
        args: ['install', '--prefix', draft, ...options, ...packages],
        cwd: draft,
        env: { npm_config_local_prefix: undefined, npm_config_prefix: undefined },
      },
      { timeoutMs: INSTALL_TIMEOUT_MS },
    );
    if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`npm install: ${stderr.trim() || outcome.kind}`);
    if ((await programIn(draft, program)) === undefined) throw new Error('npm installed the package without a program for this platform');
    // Two processes may install at once: each works in a separate folder, and the first rename wins.
    await rename(draft, target).catch(async (error: unknown) => {
      if ((await programIn(target, program)) === undefined) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const path = await programIn(target, program);
  if (path === undefined) throw new Error(`no program in ${target}`);
  return path;
}

async function programIn(folder: string, { places }: NpmProgram): Promise<string | undefined> {
  for (const place of places) {
    const path = join(folder, 'node_modules', place);
    if (await exists(path)) return path;
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A killed installation leaves hundreds of megabytes behind. */
async function removeStale(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.includes('.tmp-')) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}
