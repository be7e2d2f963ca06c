import { join } from 'node:path';
import type { Agent, Environment } from '../../agents/agent.ts';
import type { Launch, LaunchRequest } from '../../agents/launch.ts';
import type { Rehearsal } from '../../agents/rehearsal.ts';
import { fault } from '../../base/fault.ts';
import type { Clock, Processes, Random } from '../../base/ports.ts';
import { makeDirectory, makeTemporary, removeTree, writePrivate } from '../../system/files/files.ts';
import { startCaretaker } from '../../system/processes/caretaker.ts';
import { LAUNCHER_SCRIPT, launchFile } from '../../terminal/launcher.ts';
import { SERVER_WINDOW } from '../../terminal/panes.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { CLEAR_UP_SCRIPT, SOCKET } from './clear-up.ts';
import { type HeldApi, holdApi } from './held-api.ts';
import { bareEnvironment, barely } from './surroundings.ts';

const NAME = 'canary';
const AGENT_SOCKET = 'a.sock';
const SIZE = { width: 120, height: 40 };

/** A running agent with its own folder, home and tmux server. All of it is removed when the block or this process ends. */
export interface CanaryStage extends AsyncDisposable {
  readonly session: string;
  readonly terminal: Terminal;
  readonly api: HeldApi;
  readonly request: LaunchRequest;
  /** The environment of the agent. */
  readonly env: Environment;
  /** Where the agent's server listens, on the protocol channel. */
  readonly socket: string;
  /** The argv that starts another program in the session, as llmc would. */
  prepare(launch: Launch): readonly string[];
}

export interface Player {
  readonly agent: Agent;
  readonly rehearsal: Rehearsal;
  readonly command: string;
}

export interface StagePorts {
  readonly processes: Processes;
  readonly random: Random;
  readonly clock: Clock;
}

const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 100;

/** The channel that llmc uses for the agent. */
export type ChannelUsed = 'keyboard' | 'protocol';

export async function openStage(player: Player, channelUsed: ChannelUsed, prefix: string, ports: StagePorts): Promise<CanaryStage> {
  const folder = makeTemporary(prefix);
  const caretaker = startCaretaker(CLEAR_UP_SCRIPT, [folder]);
  fault('canary:after-folder');
  await using building = new AsyncDisposableStack();
  building.defer(async () => {
    // If a late child of the agent prevents the removal, the caretaker does it.
    if (await removed(folder, ports.clock)) caretaker.dismiss();
  });
  const api = building.use(await holdApi(player.rehearsal.api));
  const terminal = new Terminal(join(folder, SOCKET), barely(ports.processes));
  building.defer(() => terminal.shutDown());
  building.defer(() => terminal.close(NAME));

  const request = requestIn(folder, player.command, ports.random.id());
  const home = join(folder, 'home');
  const scene = player.rehearsal.scene({ home, worktree: request.worktree, apiUrl: api.url });
  const own = { HOME: home, TMPDIR: join(folder, 'tmp') };
  const surroundings = { ...bareEnvironment(), ...own, ...scene.env };
  for (const path of [own.TMPDIR, request.worktree, request.spool]) makeDirectory(path);
  for (const [path, content] of Object.entries(scene.files)) writePrivate(join(home, path), content);
  const prepare = (launch: Launch): readonly string[] => {
    const env = { ...surroundings, ...launch.env, LLMC_WORKER: NAME };
    const scripts = { ...launch.files, 'launch.sh': LAUNCHER_SCRIPT, environment: launchFile(env, request.worktree, launch.argv) };
    for (const [path, content] of Object.entries(scripts)) writePrivate(join(request.scratch, path), content);
    // Print an empty line first: tmux scrolls a dead pane by one line, which would hide the only line of a program that refuses to start.
    return ['sh', '-c', 'echo; exec sh "$@"', 'sh', join(request.scratch, 'launch.sh'), join(request.scratch, 'environment')];
  };
  const socket = join(folder, AGENT_SOCKET);
  const { protocol } = player.agent;
  const [launch, window] =
    channelUsed === 'protocol' && protocol !== undefined
      ? [protocol.server(request, socket), SERVER_WINDOW]
      : [player.agent.launch(request)];
  await terminal.open({ name: NAME, cwd: request.worktree, size: SIZE, argv: prepare(launch), ...(window !== undefined && { window }) });
  fault('canary:after-session');

  const stage = building.move();
  const env: Environment = { ...surroundings, ...launch.env };
  return { session: NAME, terminal, api, request, env, socket, prepare, [Symbol.asyncDispose]: () => stage.disposeAsync() };
}

/** The same request as for a worker, but without the user's configuration, so that no argument or key of the user reaches the canary. */
function requestIn(folder: string, command: string, id: string): LaunchRequest {
  return {
    repository: join(folder, 'project', '.git'),
    worker: NAME,
    root: folder,
    worktree: join(folder, 'project'),
    spool: join(folder, 'events'),
    scratch: join(folder, 'scratch'),
    command,
    args: [],
    model: '',
    rolePrompt: '',
    skipPermissions: true,
    allowedTools: [],
    incarnation: 1,
    conversation: { kind: 'fresh', id },
  };
}

async function removed(folder: string, clock: Clock): Promise<boolean> {
  for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
    try {
      removeTree(folder);
      return true;
    } catch {
      await clock.sleep(REMOVE_PAUSE_MS);
    }
  }
  return false;
}
