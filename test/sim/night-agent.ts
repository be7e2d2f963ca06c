import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { appendFacts, conversationFile, readConversation, recall } from '../../src/agents/demo/tui/conversation.ts';
import { readOptions } from '../../src/agents/demo/tui/options.ts';
import { createQuirks } from '../../src/agents/demo/tui/scenario/quirks.ts';
import type { Scenario } from '../../src/agents/demo/tui/scenario/step.ts';
import type { Input } from '../../src/agents/demo/tui/screen/keys.ts';
import { layout } from '../../src/agents/demo/tui/screen/layout.ts';
import { Session } from '../../src/agents/demo/tui/session.ts';
import { createSpool } from '../../src/agents/demo/tui/spool.ts';
import type { ShellResult } from '../../src/agents/demo/tui/turn/shell.ts';
import type { Life, NightClock } from './night-clock.ts';

const START_MS = 400;
const PROGRAM_MS = 20;
/** The work of the launcher's script, without the agent that it becomes. */
const LAUNCH = `. "$1"; rm -f "$1"; shift; printf '%s\\0' "$@"; printf '\\0'; exec env -0`;

interface AgentMachine {
  readonly clock: NightClock;
  /** Whether the disk takes a file. */
  readonly hasSpace: () => boolean;
  readonly scenarioOf: (worker: string) => Scenario;
  /** Called when a file of this folder has changed. */
  readonly changed: (folder: string) => void;
}

/** The demo agent itself, on the clock of the night and in a simulated terminal. */
export class NightAgent {
  readonly pid: number;
  readonly life: Life = { ended: false };
  readonly worker: string;
  readonly #machine: AgentMachine;
  readonly #session: Session;
  #wroteAt: number;
  #inputs = 0;
  #drawn = false;

  constructor(machine: AgentMachine, pid: number, launchFile: string, onExit: (status: number) => void) {
    const { clock } = machine;
    this.#machine = machine;
    this.pid = pid;
    this.#wroteAt = clock.now();
    const [words = '', variables = ''] = execFileSync('sh', ['-c', LAUNCH, 'sh', launchFile], { encoding: 'utf8' }).split('\0\0');
    const env = Object.fromEntries(
      variables.split('\0').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const { conversation, worker } = readOptions(words.split('\0').slice(2), env);
    this.worker = worker;
    const id = conversation.id ?? randomUUID();
    const facts = readConversation(conversationFile(env, id));
    const sleep = (ms: number, signal?: AbortSignal) => clock.sleep(ms, this.life, signal);
    const cwd = env.PWD ?? '';
    this.#session = new Session(
      {
        cwd,
        worker,
        scenario: machine.scenarioOf(worker),
        sleep,
        now: () => clock.now(),
        newId: randomUUID,
        allows: () => true,
        record: () => undefined,
        quirks: createQuirks([], { sleep, later: (_, call) => call, crash: () => undefined }, this.#reporter(env)),
        run: async (argv) => {
          await sleep(PROGRAM_MS);
          return await clock.program(execute(argv, cwd, env), this.life);
        },
        append: (conversationId, facts) => {
          if (!this.life.ended) appendFacts(conversationFile(env, conversationId), facts);
        },
        changed: () => {
          this.#wroteAt = clock.now();
        },
        leave: (status) => {
          this.life.ended = true;
          onExit(status);
        },
      },
      id,
      facts && recall(facts),
    );
    void this.#begin(facts === undefined);
  }

  /** Seconds since the epoch, as tmux counts them. */
  get wroteAt(): number {
    return Math.floor((this.#session.state.busySince === null ? this.#wroteAt : this.#machine.clock.now()) / 1_000);
  }

  /** A little for each key, more during a turn. */
  get cpuMs(): number {
    const { busySince } = this.#session.state;
    return 3 * this.#inputs + (busySince === null ? 0 : Math.floor((this.#machine.clock.now() - busySince) / 50));
  }

  screen(size: { readonly width: number; readonly height: number }): string {
    if (!this.#drawn) return '';
    const { rows } = layout({ state: this.#session.state, header: [' ▲ llmc demo agent', ''], now: this.#machine.clock.now() }, size);
    return rows.map(({ text }) => text).join('\n');
  }

  input(given: Input): void {
    if (this.life.ended || !this.#drawn) return;
    this.#inputs += 1;
    this.#session.input(given);
  }

  stop(): void {
    this.#session.leave(143, 'other');
  }

  async #begin(isNew: boolean): Promise<void> {
    await this.#machine.clock.sleep(START_MS, this.life);
    this.#session.begin(isNew ? 'startup' : 'resume');
    this.#drawn = true;
    this.#wroteAt = this.#machine.clock.now();
    this.#session.ready();
  }

  /** The modification time of a report is the time of its event. */
  #reporter(env: Readonly<Record<string, string>>): ReturnType<typeof createSpool> {
    const { clock, hasSpace, changed } = this.#machine;
    const folder = env.LLMC_SPOOL ?? '';
    const write = createSpool(env, this.pid, () => clock.now());
    let count = 0;
    return (event) => {
      if (this.life.ended || !hasSpace()) return;
      write(event);
      count += 1;
      const name = `${env.LLMC_INCARNATION}~${event.name}~${clock.now()}-${this.pid}-${String(count).padStart(6, '0')}.json`;
      utimesSync(join(folder, name), clock.now() / 1_000, clock.now() / 1_000);
      changed(folder);
    };
  }
}

function execute(
  [file, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ShellResult> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env: { ...env } }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, output: stdout + stderr });
    });
  });
}
