import { join, resolve, sep } from 'node:path';
import { findAgent } from '../agents/registry.ts';
import { describeError, LlmcError } from '../base/error.ts';
import type { Clock, Processes } from '../base/ports.ts';
import { commandLine } from '../base/shell-quote.ts';
import { type Hardened, initialConfig } from '../config/initial.ts';
import { parseConfig } from '../config/parse.ts';
import { trackingRef } from '../git/refs.ts';
import { openGit } from '../git/run.ts';
import { cloneRoot } from '../git/source/clone.ts';
import { OWN_IDENTITY, setIdentityCommands } from '../git/source/identity.ts';
import { setUpLfs, usesLfs } from '../git/source/lfs.ts';
import { inspectSource, type Source } from '../git/source/source.ts';
import { requireGit } from '../git/version.ts';
import { probeBubblewrap, sandboxHint } from '../sandbox/probe.ts';
import { probeUser, userProblem } from '../sandbox/probe-user.ts';
import { makeLayout } from '../store/layout.ts';
import { emptyState } from '../store/state.ts';
import { writeStateFile } from '../store/state-file.ts';
import { Store } from '../store/store.ts';
import {
  exists,
  isFreePlace,
  makeBeside,
  makeDirectory,
  makeParents,
  makePrivate,
  moveIntoPlace,
  removeTree,
  writePrivate,
} from '../system/files/files.ts';
import type { InitRequest, InitResult } from './init-request.ts';
import { missingProgram } from './missing-program.ts';
import { rebuildConfig } from './rebuild-config.ts';
import { lacksConfig, requireNoRemains } from './remains.ts';

/** Builds the root beside its final path and moves it there at the end, so that a failed init leaves nothing behind. */
export async function initRoot(
  request: InitRequest,
  ports: { processes: Processes; clock: Clock; say: (line: string) => void; signal: AbortSignal },
): Promise<InitResult> {
  const { processes, signal } = ports;
  const git = openGit({ run: (command, options) => processes.run(command, { signal, ...options }) });
  await requireGit(git);
  const target = resolve(request.target);
  requireNoRemains(makeLayout(target));
  if (lacksConfig(makeLayout(target))) {
    if (request.hardened !== true) return await rebuildConfig(git, target, request);
    throw new LlmcError('ROOT_EXISTS', `${target} has work in it and no config.toml: --hardened is for a new root`, {
      hint: `${commandLine('llmc', 'init', '--target', target)}, then add [sandbox] to its config.toml (docs/sandbox.md)`,
    });
  }
  requireFree(target);
  const { agent = 'claude' } = request;
  const source = await inspectSource(git, request.source ?? '.', request.branch);
  requireApart(target, source);
  // A new root declares no agents of its own yet.
  const { defaultCommand, loginVariables = [] } = findAgent(agent);
  const hardened = request.hardened === true ? await hardening(processes, target, defaultCommand, loginVariables) : undefined;
  const config = initialConfig({ source: source.path, branch: source.branch, agent, hardened });
  parseConfig(config, 'config.toml');

  const { building, takeBack } = beside(target);
  try {
    const clone = join(building, 'root');
    ports.say(`Cloning ${source.path} (branch ${source.branch})`);
    const { ownIdentity } = await cloneRoot(git, source, clone);
    const lfs = await usesLfs(git, clone, trackingRef(source.branch));
    if (lfs) {
      ports.say('Fetching git-lfs objects');
      await setUpLfs(git, source, clone);
    }
    fillRoot(clone, config, ports.clock);
    settle(clone, target);
    return {
      root: target,
      source: source.path,
      branch: source.branch,
      agent,
      lfs,
      sandbox: hardened?.kind ?? 'none',
      rebuilt: false,
      existing: false,
      warnings: [
        ...(hardened?.kind === 'user'
          ? ['agents with a user of their own have the network of the machine: only bubblewrap can take it away.']
          : []),
        ...missing(defaultCommand, agent),
        ...(ownIdentity ? [identityWarning(target)] : []),
      ],
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new LlmcError('CANCELLED', 'interrupted; nothing was created', { hint: 'llmc init', cause: error });
  } finally {
    removeTree(building);
    takeBack();
  }
}

/** The wall that this machine can make: bubblewrap, or as root a user of the agents' own. Refuses if it can make none. */
async function hardening(processes: Processes, root: string, program: string, environment: readonly string[]): Promise<Hardened> {
  const probe = await probeBubblewrap(processes);
  if (probe.kind === 'works') return { kind: 'bubblewrap', environment };
  const problem = probe.kind === 'missing' ? 'bubblewrap is not installed' : `bubblewrap cannot make a sandbox: ${probe.reason}`;
  const name = 'llmc-agent';
  const user = await probeUser(processes, { name, users: [name], root, program });
  if (user.kind === 'works') return { kind: 'user', environment };
  throw new LlmcError(
    'SANDBOX_FAILED',
    `no root was created, because this machine can make no wall: ${problem}; ${userProblem(name, user).problem}`,
    {
      hint: `${sandboxHint(probe)} Then: llmc init --hardened. Without a wall: llmc init`,
    },
  );
}

/** Returns warnings about missing programs. `init` does not need them, and the user can install them later. */
function missing(command: string, agent: string): readonly string[] {
  const where = { path: process.env.PATH, cwd: process.cwd() };
  // The built-in agent's command is a path, not a name.
  const program = command.includes('/') ? undefined : missingProgram(command, where);
  return [
    { problem: missingProgram('tmux', where), way: 'Install it' },
    { problem: program, way: `Install it, or set command under [agents.${agent}] in config.toml` },
  ].flatMap(({ problem, way }) => (problem === undefined ? [] : [`${problem}. ${way} before llmc up.`]));
}

function identityWarning(root: string): string {
  return `git has no name and address of yours, so workers commit as ${OWN_IDENTITY}. Set yours: ${setIdentityCommands(root)}`;
}

function fillRoot(root: string, config: string, clock: Clock): void {
  const layout = makeLayout(root);
  makePrivate(root);
  for (const directory of [layout.worktrees, layout.logs, layout.events, layout.run]) makeDirectory(directory);
  writePrivate(layout.config, config);
  writeStateFile(layout, emptyState());
  using _store = new Store(layout, clock);
}

/** Cloning takes long enough for another init to finish first. */
function settle(built: string, target: string): void {
  try {
    moveIntoPlace(built, target);
  } catch (error) {
    requireFree(target);
    throw error;
  }
}

function requireFree(target: string): void {
  if (isFreePlace(target)) return;
  if (exists(makeLayout(target).config)) {
    throw new LlmcError('ROOT_EXISTS', `${target} is an llmc root already`, { hint: commandLine('llmc', 'status', '--root', target) });
  }
  throw new LlmcError('ROOT_EXISTS', `${target} exists and is not empty`, { hint: 'Choose another directory with --target <dir>.' });
}

/** git would treat a root inside the source as part of it. */
function requireApart(target: string, source: Source): void {
  for (const place of [source.checkout, source.path, source.gitDir]) {
    if (place === undefined || !`${target}${sep}`.startsWith(`${place}${sep}`)) continue;
    throw new LlmcError('INVALID_ARGUMENT', `the root ${target} would be inside the source repository ${place}`, {
      hint: 'Choose another directory with --target <dir>.',
    });
  }
}

function beside(target: string): { building: string; takeBack: () => void } {
  try {
    const takeBack = makeParents(target);
    return { building: makeBeside(target), takeBack };
  } catch (error) {
    throw new LlmcError('PERMISSION_DENIED', `cannot create ${target}: ${describeError(error)}`, {
      hint: 'Choose another directory with --target <dir>.',
      cause: error,
    });
  }
}
