import type { Input, KeyName } from '../../src/agents/demo/tui/screen/keys.ts';
import type { Command } from '../../src/base/command.ts';
import { AGENT_MARK, PANE_FIELDS, SENTINEL } from '../../src/terminal/tmux-commands.ts';
import type { NightAgent } from './night-agent.ts';

const KEYS: Readonly<Record<string, KeyName>> = {
  Enter: 'enter',
  Escape: 'escape',
  'C-c': 'ctrl-c',
  'C-u': 'ctrl-u',
  BSpace: 'backspace',
  Up: 'up',
  Down: 'down',
  Left: 'left',
  Right: 'right',
  End: 'end',
  Home: 'home',
};
const FIRST_PID = 4_000;

interface SimPane {
  readonly id: string;
  readonly session: string;
  readonly agent: NightAgent;
  readonly startCommand: string;
  readonly size: { readonly width: number; readonly height: number };
  ended: { readonly status: string; readonly signal: string; readonly screen: string } | undefined;
}

interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Start = (pid: number, launchFile: string, onExit: (status: number) => void) => NightAgent;

/** As much of tmux 3.3a as llmc uses, with demo agents as the only programs. */
export class NightTmux {
  readonly #start: Start;
  readonly #onDeath: () => void;
  readonly #panes = new Map<string, SimPane>();
  readonly #buffers = new Map<string, string>();
  #isUp = false;
  #pid = FIRST_PID;
  #numbers = 0;

  constructor(start: Start, onDeath: () => void) {
    this.#start = start;
    this.#onDeath = onDeath;
  }

  get living(): readonly NightAgent[] {
    return [...this.#panes.values()].flatMap(({ agent, ended }) => (ended === undefined ? agent : []));
  }

  kill(agent: NightAgent): void {
    agent.life.ended = true;
    this.#end(agent, { status: '', signal: '9' });
  }

  killServer(): void {
    for (const agent of this.living) agent.life.ended = true;
    this.#panes.clear();
    this.#isUp = false;
  }

  /** The next processes get the numbers of earlier ones. */
  reboot(): void {
    this.killServer();
    this.#pid = FIRST_PID;
    this.#numbers = 0;
  }

  run({ args, stdin }: Command): Answer {
    if (args[0] === '-V') return said('tmux 3.3a');
    const words = args.slice(args.indexOf('-S') + 2);
    const printed: string[] = [];
    for (const command of sequence(words)) {
      const answer = this.#perform(command, stdin);
      printed.push(answer.stdout);
      if (answer.status !== 0) return { ...answer, stdout: printed.join('') };
    }
    return said(printed.join(''));
  }

  #perform([name = '', ...args]: readonly string[], stdin = ''): Answer {
    if (name === 'start-server') this.#isUp = true;
    if (!this.#isUp) return failed('no server running on tmux.sock');
    const target = optionOf(args, '-t') ?? '';
    switch (name) {
      case 'new-session':
        return optionOf(args, '-s') === SENTINEL ? said('') : this.#open(args);
      case 'list-panes':
        return said([...this.#panes.values()].map((pane) => `${this.#row(pane)}\n`).join(''));
      case 'load-buffer':
        this.#buffers.set(optionOf(args, '-b') ?? '', stdin);
        return said('');
      case 'display-message':
        return this.#display(args, target);
      case 'kill-session':
        return this.#close(target);
      case 'capture-pane':
        return this.#at(target, (pane) => said(`${pane.ended?.screen ?? pane.agent.screen(pane.size)}\n`));
      // Only for a paste into a pane that may be dead: the last word is the paste.
      case 'if-shell':
        return this.#find(target)?.ended === undefined ? this.#perform((args.at(-1) ?? '').replaceAll("'", '').split(' ')) : said('');
      case 'paste-buffer':
        return this.#at(target, ({ agent }) =>
          this.#type(agent, [{ kind: 'paste', text: this.#buffers.get(optionOf(args, '-b') ?? '') ?? '' }]),
        );
      case 'send-keys':
        return this.#at(target, ({ agent }) => this.#type(agent, args.includes('-X') ? [] : args.slice(2).map(inputOf)));
      default:
        return said('');
    }
  }

  #type(agent: NightAgent, inputs: readonly Input[]): Answer {
    for (const input of inputs) agent.input(input);
    return said('');
  }

  #open(args: readonly string[]): Answer {
    const session = optionOf(args, '-s') ?? '';
    if (this.#find(`=${session}:`) !== undefined) return failed(`duplicate session: ${session}`);
    const argv = args.slice(args.indexOf('--') + 1);
    this.#pid += 1;
    this.#numbers += 1;
    const agent = this.#start(this.#pid, argv.at(-1) ?? '', (status) => this.#end(agent, { status: String(status), signal: '' }));
    const size = { width: Number(optionOf(args, '-x')), height: Number(optionOf(args, '-y')) };
    const id = `%${this.#numbers}`;
    this.#panes.set(id, { id, session, agent, startCommand: argv.join(' '), size, ended: undefined });
    return said('');
  }

  #end(agent: NightAgent, how: { readonly status: string; readonly signal: string }): void {
    const pane = [...this.#panes.values()].find((each) => each.agent === agent);
    if (pane !== undefined) pane.ended = { ...how, screen: pane.agent.screen(pane.size) };
    this.#onDeath();
  }

  #close(target: string): Answer {
    const pane = this.#find(`${target}:`);
    if (pane === undefined) return failed(`can't find session: ${target}`);
    pane.agent.life.ended = true;
    this.#panes.delete(pane.id);
    return said('');
  }

  #display(args: readonly string[], target: string): Answer {
    if (!args.includes('-p')) return said('');
    const text = args.at(-1) ?? '';
    if (text === '#{pid}') return said(`${FIRST_PID}\n`);
    return text === '#{pane_start_command}' ? this.#at(target, ({ startCommand }) => said(`${startCommand}\n`)) : said(`${text}\n`);
  }

  #at(target: string, work: (pane: SimPane) => Answer): Answer {
    const pane = this.#find(target);
    return pane === undefined ? failed(`can't find pane: ${target}`) : work(pane);
  }

  #find(target: string): SimPane | undefined {
    return this.#panes.get(target) ?? [...this.#panes.values()].find(({ session }) => target === `=${session}:`);
  }

  #row({ session, id, agent, ended, size }: SimPane): string {
    const fields: Readonly<Record<(typeof PANE_FIELDS)[number], string>> = {
      session_name: session,
      pane_id: id,
      pane_pid: String(agent.pid),
      pane_dead: ended === undefined ? '0' : '1',
      pane_dead_status: ended?.status ?? '',
      pane_dead_signal: ended?.signal ?? '',
      pane_in_mode: '0',
      pane_width: String(size.width),
      pane_height: String(size.height),
      session_attached: '0',

      window_activity: String(agent.wroteAt),
      cursor_x: '0',
      cursor_y: '0',
      '@llmc_bells': '',
      pane_current_command: 'node',
      '@llmc_mark': AGENT_MARK,
      window_name: 'sh',
      pane_title: 'demo agent',
    };
    return PANE_FIELDS.map((field) => fields[field]).join('\t');
  }
}

function sequence(words: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === ';') commands.push([]);
    else commands.at(-1)?.push(word.replace(/\\;$/, ';'));
  }
  return commands;
}

function optionOf(args: readonly string[], option: string): string | undefined {
  const index = args.indexOf(option);
  return index === -1 ? undefined : args[index + 1];
}

function inputOf(key: string): Input {
  const name = KEYS[key];
  return name === undefined ? { kind: 'text', text: key === 'Space' ? ' ' : key } : { kind: 'key', name };
}

const said = (stdout: string): Answer => ({ status: 0, stdout, stderr: '' });
const failed = (stderr: string): Answer => ({ status: 1, stdout: '', stderr });
