import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol } from '../../src/agents/codex/protocol/protocol.ts';
import type { LaunchRequest } from '../../src/agents/launch.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { until } from '../support/scratch-tmux.ts';
import { IsolatedCodex } from './isolated.ts';
import { LiveDialogue } from './live-dialogue.ts';
import type { ScriptedResponses } from './scripted-responses.ts';

export interface LiveOptions {
  readonly program: string;
  readonly api: ScriptedResponses;
  readonly name: string;
  readonly request?: Partial<LaunchRequest>;
  readonly provider?: string;
}

/** The real app-server, started with the adapter's own launch in a worktree like a worker's. */
export class LiveCodex implements AsyncDisposable {
  readonly isolated: IsolatedCodex;
  readonly #options: LiveOptions;
  readonly #dialogues: LiveDialogue[] = [];
  #server: ChildProcess | undefined;

  private constructor(options: LiveOptions, isolated: IsolatedCodex) {
    this.#options = options;
    this.isolated = isolated;
  }

  static async start(options: LiveOptions): Promise<LiveCodex> {
    const { api, name, provider } = options;
    const isolated = await IsolatedCodex.create({ baseUrl: api.urlFor(name), ...(provider !== undefined && { provider }) });
    const live = new LiveCodex(options, isolated);
    await writeFile(join(isolated.home, '.gitconfig'), '[user]\n  name = Live Codex\n  email = codex@example.test\n');
    if (options.request?.worktree === undefined) await live.#makeWorktree();
    live.launch();
    return live;
  }

  async #makeWorktree(): Promise<void> {
    const { project, folder } = this.isolated;
    await this.git(project, 'init', '--quiet', '--initial-branch=main');
    await this.git(project, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
    await this.git(folder, 'clone', '--quiet', '--no-checkout', project, this.root);
    await this.git(this.root, 'worktree', 'add', '--quiet', '-b', 'llmc/adam', this.worktree);
  }

  get root(): string {
    return join(this.isolated.folder, 'root');
  }

  get worktree(): string {
    return this.#options.request?.worktree ?? join(this.root, '.worktrees', 'adam');
  }

  get socket(): string {
    return join(this.isolated.folder, 'codex.sock');
  }

  request(conversation: LaunchRequest['conversation']): LaunchRequest {
    return {
      worker: 'adam',
      root: this.root,
      worktree: this.worktree,
      repository: join(this.root, '.git'),
      spool: '',
      scratch: this.isolated.folder,
      incarnation: 1,
      command: this.#options.program,
      args: [],
      model: '',
      rolePrompt: '',
      skipPermissions: true,
      allowedTools: [],
      ...this.#options.request,
      conversation,
    };
  }

  launch(): void {
    rmSync(this.socket, { force: true });
    const [file, ...args] = protocol.server(this.request({ kind: 'fresh', id: '' }), this.socket).argv;
    this.#server = spawn(file, args, { env: this.isolated.env, cwd: this.worktree, stdio: 'ignore' });
  }

  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  /** Opens a separate connection, as a supervisor would. */
  async connect(conversation: LaunchRequest['conversation'] = { kind: 'fresh', id: '' }): Promise<LiveDialogue> {
    let found: LiveDialogue | undefined;
    await until('the server to accept connections', async () => {
      const dialogue = new LiveDialogue(this.socket, protocol.dialogue(this.request(conversation)));
      await dialogue.until('the connection to open or to end', () => dialogue.ended !== undefined || dialogue.messages.length > 0);
      if (dialogue.messages.length > 0) found = dialogue;
      return found !== undefined;
    });
    if (found === undefined) throw new Error('not connected');
    this.#dialogues.push(found);
    return found;
  }

  async git(at: string, ...args: readonly string[]): Promise<string> {
    const { outcome, stdout, stderr } = await systemProcesses.run({ file: 'git', args, cwd: at, env: { ...this.isolated.env } });
    if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const dialogue of this.#dialogues) dialogue.close();
    await this.kill();
    await this.isolated[Symbol.asyncDispose]();
  }
}
