import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '../../src/agents/activity.ts';
import type { DialogStep, ScreenReading, Transcript } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/adapter.ts';
import type { AgentEvent } from '../../src/agents/events.ts';
import type { LaunchRequest } from '../../src/agents/launch.ts';
import { readSpool } from '../../src/store/spool.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { isAlive, type Pane, type ScratchTmux, until } from '../support/scratch-tmux.ts';
import { IsolatedClaude } from './isolated.ts';
import type { ScriptedApi } from './scripted-api.ts';

export interface LiveOptions {
  readonly program: string;
  readonly tmux: ScratchTmux;
  readonly api: ScriptedApi;
  readonly name: string;
  readonly request?: Partial<LaunchRequest>;
  readonly trusted?: readonly string[];
  readonly oauth?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly height?: number;
  /** Runs in the project's folder before the first start. */
  readonly before?: (project: string) => Promise<void>;
}

// Generous: the suite shares two cores with other programs.
const DEADLINE_MS = 90_000;
const SWALLOWED_MS = 5_000;

/** The real Claude Code, started by the adapter's own launch in a private tmux and observed only through the adapter. */
export class LiveClaude implements AsyncDisposable {
  readonly id: string;
  readonly isolated: IsolatedClaude;
  readonly #options: LiveOptions;
  #pane: Pane | undefined;
  #incarnation = 0;

  private constructor(options: LiveOptions, isolated: IsolatedClaude) {
    this.#options = options;
    this.isolated = isolated;
    this.id = randomUUID();
  }

  static async start(options: LiveOptions): Promise<LiveClaude> {
    const { api, name, trusted, oauth, env } = options;
    const isolated = await IsolatedClaude.create({
      baseUrl: api.urlFor(name),
      ...(trusted && { trusted }),
      ...(oauth && { oauth }),
      ...(env && { env }),
    });
    const live = new LiveClaude(options, isolated);
    await mkdir(live.spool, { recursive: true });
    await mkdir(live.scratch, { recursive: true });
    await options.before?.(isolated.project);
    await live.launch({ kind: 'fresh', id: live.id });
    return live;
  }

  get spool(): string {
    return join(this.isolated.home, 'events');
  }

  get scratch(): string {
    return join(this.isolated.home, 'scratch');
  }

  get pane(): Pane {
    if (this.#pane === undefined) throw new Error('not launched');
    return this.#pane;
  }

  async launch(conversation: LaunchRequest['conversation']): Promise<void> {
    const { program, tmux, name, request, width = 100, height = 40 } = this.#options;
    this.#incarnation += 1;
    const plan = claudeAgent.launch({
      worker: name,
      root: this.isolated.home,
      worktree: this.isolated.project,
      repository: join(this.isolated.project, '.git'),
      spool: this.spool,
      scratch: this.scratch,
      incarnation: this.#incarnation,
      command: program,
      args: [],
      model: '',
      rolePrompt: '',
      skipPermissions: true,
      allowedTools: [],
      ...request,
      conversation,
    });
    for (const [file, content] of Object.entries(plan.files)) await writeFile(join(this.scratch, file), content, { mode: 0o600 });
    const session = `${name}-${this.#incarnation}`;
    // The pane's own process must be Claude Code: `exec` by env, and TMUX like in every pane.
    const env = { ...this.isolated.env, ...plan.env, TMUX: `${tmux.socket},1,0` };
    this.#pane = await tmux.start({ name: session, argv: plan.argv, cwd: this.isolated.project, env, width, height });
  }

  async reading(): Promise<ScreenReading> {
    return claudeAgent.classify(await this.pane.screen(), Date.now());
  }

  /** Every report that the hooks have dropped so far, oldest first. */
  events(): readonly AgentEvent[] {
    return readSpool(systemFiles, this.spool, this.#options.name).read.flatMap(({ event }) =>
      event === undefined ? [] : [claudeAgent.translate(event)],
    );
  }

  transcript(): string {
    const path = claudeAgent.transcript?.path(this.isolated.env, this.isolated.project, this.id, () => []) ?? '';
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  prompts(): ReturnType<Transcript['prompts']> {
    return claudeAgent.transcript?.prompts(this.transcript()) ?? [];
  }

  async live(): Promise<Activity | undefined> {
    const path = claudeAgent.statusFile?.path(this.isolated.env, this.pane.pid) ?? '';
    const text = await readFile(path, 'utf8').catch(() => '');
    return claudeAgent.statusFile?.read(text)?.activity;
  }

  async waitForScreen(kind: Activity['kind'], also: (activity: Activity) => boolean = () => true): Promise<Activity> {
    const screen = await this.pane.waitFor(
      `the screen to say ${kind}`,
      (seen) => {
        const { activity } = claudeAgent.classify(seen, Date.now());
        return activity.kind === kind && also(activity);
      },
      DEADLINE_MS,
    );
    return claudeAgent.classify(screen, Date.now()).activity;
  }

  async waitForLive(kind: Activity['kind']): Promise<void> {
    await until(`the status file to say ${kind}`, async () => (await this.live())?.kind === kind, DEADLINE_MS);
  }

  /** The box appears before Claude Code reads input, so wait until the status file says idle. */
  async waitUntilReady(): Promise<void> {
    await this.waitForScreen('ready');
    await this.waitForLive('ready');
  }

  async waitForEvents<K extends AgentEvent['kind']>(kind: K, count = 1): Promise<readonly Extract<AgentEvent, { kind: K }>[]> {
    const found = () => this.events().filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);
    await until(`${count} × ${kind}`, async () => found().length >= count, DEADLINE_MS);
    return found();
  }

  /** Pastes, waits until the box shows something, and presses Enter as a separate key. */
  async send(text: string): Promise<void> {
    await this.pane.paste(text);
    await this.pane.waitFor(
      'the text to stand in the box',
      (screen) => /text|folded/.test(claudeAgent.classify(screen).box.kind),
      DEADLINE_MS,
    );
    await this.pane.keys('Enter');
  }

  /**
   * Answers a dialog step by step, with a new capture before each step, until `closed` holds. `stillMs`: a step needs a screen that
   * did not change for this long.
   */
  async follow(
    next: (screen: Screen) => DialogStep | undefined,
    closed: (reading: ScreenReading) => boolean,
    stillMs = 0,
  ): Promise<readonly DialogStep[]> {
    const steps: DialogStep[] = [];
    let last = { shown: '', at: 0 };
    let drawn = { shown: '', at: 0 };
    await until(
      'the dialog to close',
      async () => {
        const screen = await this.pane.screen();
        if (closed(claudeAgent.classify(screen))) return true;
        const shown = screen.lines.join('\n');
        if (shown !== drawn.shown) drawn = { shown, at: Date.now() };
        if (Date.now() - drawn.at < stillMs) return false;
        const step = next(screen);
        // The screen is the same as before the last step: the key has not arrived yet, or a dialog just drawn has swallowed it.
        if (step === undefined || (shown === last.shown && Date.now() - last.at < SWALLOWED_MS)) return false;
        last = { shown, at: Date.now() };
        steps.push(step);
        if (step.text !== undefined) await this.pane.paste(step.text);
        if (step.keys.length > 0) await this.pane.keys(...step.keys);
        return false;
      },
      DEADLINE_MS,
    ).catch((cause: unknown) => {
      throw new Error(`after ${steps.map(({ why }) => why).join(', ')}, the screen before the last step was:\n${last.shown}`, { cause });
    });
    return steps;
  }

  /** Waits for the program to end before its home is removed. Dispose of this before the tmux server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.tmux.tmux(['kill-session', '-t', `=${this.pane.name}`]).catch(() => '');
    const ends = (withinMs: number) => until('Claude Code to end', async () => !isAlive(this.pane.pid), withinMs);
    await ends(5_000).catch(async () => {
      trySignal(this.pane.pid, 'SIGKILL');
      await ends(DEADLINE_MS);
    });
    await this.isolated[Symbol.asyncDispose]();
  }
}
