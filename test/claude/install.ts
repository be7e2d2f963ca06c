import { access, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemProcesses } from '../../src/system/processes.ts';

const CLAUDE_VERSION = '2.1.325';

const PACKAGE = '@anthropic-ai/claude-code';
const INSTALL_TIMEOUT_MS = 300_000;
const STALE_MS = 3_600_000;

/**
 * The path of the real Claude Code, installed from npm on first use into a cache outside the repository.
 * With CI set it must be there; on a developer's machine without the registry the caller skips, loudly.
 */
export async function installedClaude(): Promise<string | undefined> {
  try {
    return await install();
  } catch (error) {
    if (process.env['CI']) throw new Error(`Claude Code ${CLAUDE_VERSION} could not be installed for the tests`, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `\n*** SKIPPED: the tests against the real Claude Code ${CLAUDE_VERSION}, because it could not be installed: ${reason}\n\n`,
    );
    return undefined;
  }
}

async function install(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'llmc-test');
  const target = join(cache, `claude-${CLAUDE_VERSION}`);
  const present = await binaryIn(target);
  if (present !== undefined) return present;
  await mkdir(cache, { recursive: true });
  await removeStale(cache);
  const draft = await mkdtemp(join(cache, `claude-${CLAUDE_VERSION}.tmp-`));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}\n');
    // Scripts stay off: the platform package holds the program itself; the post-install step only links it.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const { outcome, stderr } = await systemProcesses.run(
      {
        file: 'npm',
        args: ['install', '--prefix', draft, ...options, `${PACKAGE}@${CLAUDE_VERSION}`],
        cwd: draft,
        env: { npm_config_local_prefix: undefined, npm_config_prefix: undefined },
      },
      { timeoutMs: INSTALL_TIMEOUT_MS },
    );
    if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`npm install: ${stderr.trim() || outcome.kind}`);
    if ((await binaryIn(draft)) === undefined) throw new Error('npm installed the package without a program for this platform');
    // Two processes may install at once: each works in a folder of its own, and the first rename wins.
    await rename(draft, target).catch(async (error: unknown) => {
      if ((await binaryIn(target)) === undefined) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const program = await binaryIn(target);
  if (program === undefined) throw new Error(`no program in ${target}`);
  return program;
}

async function binaryIn(folder: string): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  for (const suffix of ['', '-musl']) {
    const path = join(folder, 'node_modules', `${PACKAGE}-${platform}${suffix}`, 'claude');
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

/** A killed installation leaves 350 MB behind. */
async function removeStale(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.includes('.tmp-')) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}
