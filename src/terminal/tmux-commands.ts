import type { Command } from '../base/command.ts';

/** Every tmux command as data. Targets are exact, because plain `-t e` also matches a session `e2` (tmux 3.3a). */

/** Keeps the server alive when the last worker's session ends; otherwise a new session right after it could fail. */
export const SENTINEL = 'llmc-sentinel';

export interface PaneSize {
  readonly width: number;
  readonly height: number;
}

/** No tmux version escapes a tab. A window name or a title could contain one, so these fields are last. */
const SEPARATOR = '\t';
/** The marks of an agent's pane, and of any other pane in a worker's session: a person may split the window, or open another one. */
export const AGENT_MARK = 'agent';
const OTHER_MARK = 'other';
const MARK = '@llmc_mark';
const BELLS = '@llmc_bells';
export const PANE_FIELDS = [
  'session_name',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_in_mode',
  'pane_width',
  'pane_height',
  'session_attached',
  'window_activity',
  'cursor_x',
  'cursor_y',
  BELLS,
  'pane_current_command',
  MARK,
  'window_name',
  'pane_title',
] as const;

// `-f /dev/null`: the user's tmux configuration must not change how a worker behaves.
export function tmux(socket: string, ...args: readonly string[]): Command {
  return { file: 'tmux', args: ['-u', '-f', '/dev/null', '-S', socket, ...args], env: { TMUX: undefined, TMUX_PANE: undefined } };
}

/** Always succeeds, because tmux would show the error of a failed hook over a person's pane. The path comes from the environment, so that the shell expands nothing in it. */
const LOG_DEATH = `run-shell -b 'umask 077; { echo > "$LLMC_DEATHS"; } 2>/dev/null || :'`;

/** Counts the bells of a window. tmux has only a flag, which stays set until a person selects the window. No shell runs, so a program that rings without end costs little. */
const COUNT_BELL = `set-option -w -F ${BELLS} "#{e|+|:0#{${BELLS}},1}"`;

export const tmuxVersion = (): Command => ({ file: 'tmux', args: ['-V'] });

/**
 * Starts the server with a bare session. `-e` values or a real command would stay in the server's argv, which every user's `ps` shows.
 * `deaths`: a file that the server writes to whenever the program of a pane has ended.
 */
export function startServer(socket: string, deaths?: string): Command {
  return tmux(
    socket,
    ...['start-server', ';', 'set-option', '-g', 'exit-empty', 'off', ';'],
    ...['set-option', '-g', 'remain-on-exit', 'on', ';', 'set-option', '-g', 'history-limit', '20000', ';'],
    ...['set-option', '-g', 'default-terminal', 'screen-256color', ';', 'set-option', '-g', 'window-size', 'latest', ';'],
    ...[
      'set-option',
      '-g',
      'mouse',
      'on',
      ';',
      'set-option',
      '-g',
      'escape-time',
      '10',
      ';',
      'set-option',
      '-g',
      'focus-events',
      'off',
      ';',
    ],
    ...['set-hook', '-g', 'alert-bell', COUNT_BELL, ';'],
    ...(deaths === undefined
      ? []
      : ['set-environment', '-g', 'LLMC_DEATHS', word(deaths), ';', 'set-hook', '-g', 'pane-died', LOG_DEATH, ';']),
    ...['new-session', '-d', '-s', SENTINEL, '-x', '20', '-y', '5', 'sleep 2147483647'],
  );
}

export const hasServer = (socket: string): Command => tmux(socket, 'has-session', '-t', `=${SENTINEL}`);

/** Escapes a final semicolon: tmux ends a command at any word that ends in a semicolon without a backslash. */
const word = (text: string): string => text.replace(/;$/, '\\;');

/** Escapes formats: tmux expands them in a start directory, so `c#Shop` would become another path. */
const literal = (text: string): string => word(text.replaceAll('#', '##'));

/**
 * `window`: the name of its first window, if it needs one. The first pane gets the mark of the agent, and the session the mark that
 * tmux shows for any pane without one of its own.
 */
export function newSession(
  socket: string,
  session: string,
  cwd: string,
  size: PaneSize,
  argv: readonly string[],
  window?: string,
): Command {
  const place = ['-x', `${size.width}`, '-y', `${size.height}`, '-c', literal(cwd), ...(window === undefined ? [] : ['-n', window])];
  const marked = [
    ';',
    'set-option',
    '-p',
    '-t',
    `=${session}:`,
    MARK,
    word(window ?? AGENT_MARK),
    ';',
    'set-option',
    '-t',
    `=${session}:`,
    MARK,
    OTHER_MARK,
  ];
  const made = ['new-session', '-d', '-s', session, ...place, '--', ...argv.map(word), ...marked];
  // tmux 3.2a ignores -x and -y with window-size latest: it opens 80×23, the size of the client that asks.
  return tmux(socket, ...made, ';', ...setSize(`=${session}:`, size));
}

/** `llmc-adam` is the visible pane of a session; `%7` is one pane, in any session. */
function toTarget(place: string): string {
  return place.startsWith('%') ? place : `=${place}:`;
}

/** Sets llmc's mark on a window; it outlives the supervisor. Part of the command that creates the window, so no window is ever without it. */
function mark(target: string, text: string): readonly string[] {
  return [';', 'set-option', '-w', '-t', target, MARK, word(text)];
}

/** Opens another window in a worker's session; a person who attaches sees the new one. */
export function newWindow(socket: string, session: string, window: NewWindow): Command {
  const { name, cwd, argv } = window;
  const made = ['new-window', '-t', `=${session}:`, '-n', name, '-c', literal(cwd), '--', ...argv.map(word)];
  return tmux(socket, ...made, ...mark(`=${session}:`, window.mark));
}

/** Replaces the program in the window of this pane. */
export function respawnWindow(socket: string, pane: string, { cwd, argv, mark: text }: NewWindow): Command {
  const made = ['respawn-window', '-k', '-t', pane, '-c', literal(cwd), '--', ...argv.map(word)];
  return tmux(socket, ...made, ...mark(pane, text));
}

export interface NewWindow {
  readonly name: string;
  readonly mark: string;
  readonly cwd: string;
  readonly argv: readonly string[];
}

export const killSession = (socket: string, session: string): Command => tmux(socket, 'kill-session', '-t', `=${session}`);

export const killServer = (socket: string): Command => tmux(socket, 'kill-server');

export const serverPid = (socket: string): Command => tmux(socket, 'display-message', '-p', '#{pid}');

/** The arguments of a command, for a separate process or for the control client. */
export const LIST_PANES: readonly string[] = ['list-panes', '-a', '-F', PANE_FIELDS.map((field) => `#{${field}}`).join(SEPARATOR)];
export const capturePane = (place: string): readonly string[] => ['capture-pane', '-p', '-t', toTarget(place)];
/** With the sequences of the colours (-e). */
export const captureColors = (place: string): readonly string[] => ['capture-pane', '-p', '-e', '-t', toTarget(place)];

export const listPanes = (socket: string): Command => tmux(socket, ...LIST_PANES);

/** Starts a child that ends at once, so that tmux also collects the children that ended before. */
export const reapChildren = (socket: string): Command => tmux(socket, 'run-shell', 'true');

/** When each attached person last pressed a key. */
export const listClients = (socket: string): Command =>
  tmux(socket, 'list-clients', '-F', ['#{session_name}', '#{client_activity}'].join(SEPARATOR));

/** Captures a screen with so many of the lines that have scrolled away. */
export const captureWithHistory = (socket: string, place: string, scrolled: number): Command =>
  tmux(socket, 'capture-pane', '-p', '-S', `-${scrolled}`, '-t', toTarget(place));

/** Captures all screens in one round trip, separated by `marker` lines. */
export function captureAll(socket: string, places: readonly string[], marker: string): Command {
  return tmux(socket, ...places.flatMap((place) => captureUnder(place, marker)).slice(1));
}

export function listAndCapture(socket: string, places: readonly string[], marker: string): Command {
  return tmux(socket, ...LIST_PANES, ...places.flatMap((place) => captureUnder(place, marker)));
}

function captureUnder(place: string, marker: string): readonly string[] {
  return [';', 'display-message', '-p', `${marker}${place}`, ';', ...capturePane(place)];
}

export const loadBuffer = (socket: string, buffer: string, text: string): Command => ({
  ...tmux(socket, 'load-buffer', '-b', buffer, '-'),
  stdin: text,
});

/**
 * -p: bracketed, so that newlines do not submit; -d: delete the buffer afterwards; -r: keep newlines. A paste into a dead pane ends the
 * server of tmux 3.3a, with all agents (tmux/tmux#3830). tmux handles no exit between the question and the paste, which are one command.
 */
export function pasteBuffer(socket: string, place: string, buffer: string): Command {
  const target = toTarget(place);
  const paste = `paste-buffer -p -r -d -b ${quoted(buffer)} -t ${quoted(target)}`;
  return tmux(socket, 'if-shell', '-F', '-t', target, '#{pane_dead}', `delete-buffer -b ${quoted(buffer)}`, paste);
}

/** One word in a command that tmux parses. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const sendKeys = (socket: string, place: string, keys: readonly string[]): Command =>
  tmux(socket, 'send-keys', '-t', toTarget(place), ...keys.map(word));

export const leaveCopyMode = (socket: string, place: string): Command => tmux(socket, 'send-keys', '-t', toTarget(place), '-X', 'cancel');

export const resize = (socket: string, pane: string, size: PaneSize): Command => tmux(socket, ...setSize(pane, size));

/** Sets the size while no client is attached. tmux would keep a manual size also for attached clients, so the second command resets it. */
function setSize(target: string, { width, height }: PaneSize): readonly string[] {
  return ['resize-window', '-t', target, '-x', `${width}`, '-y', `${height}`, ';', 'set-option', '-w', '-u', '-t', target, 'window-size'];
}

export const attachSession = (socket: string, session: string): Command => tmux(socket, 'attach-session', '-t', `=${session}`);

/** The same with a note at the right end of the status line. */
export function attachWithNote(socket: string, session: string, note: string): Command {
  // tmux expands formats and times in it.
  const text = note.replaceAll('#', '##').replaceAll('%', '%%');
  return tmux(socket, 'set-option', '-t', toTarget(session), 'status-right', `${text} `, ';', 'attach-session', '-t', `=${session}`);
}

/** The key after which a client takes commands. */
export const prefixKey = (socket: string): Command => tmux(socket, 'display-message', '-p', '#{prefix}');

/** The same of the tmux that this process runs in, and what its keys do: `readOuterTmux` reads it. */
export const outerKeys = (): Command => ({
  file: 'tmux',
  args: ['display-message', '-p', '#{prefix} #{prefix2}', ';', 'list-keys', '-T', 'prefix'],
});

/** Prints the command that a pane was started with. */
export const startCommand = (socket: string, pane: string): Command =>
  tmux(socket, 'display-message', '-p', '-t', pane, '#{pane_start_command}');

export const displayMessage = (socket: string, text: string): Command => tmux(socket, 'display-message', '-d', '5000', literal(text));

export function splitFields(line: string): readonly string[] {
  return line.split(SEPARATOR);
}
