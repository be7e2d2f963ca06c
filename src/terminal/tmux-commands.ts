import type { Command } from '../base/command.ts';

/** Every tmux call as data. Targets are exact: plain `-t e` would also match a session `e2` (tmux 3.3a). */

/** Keeps the server alive when the last worker's session ends; a new session right after could fail otherwise. */
export const SENTINEL = 'llmc-sentinel';

export interface PaneSize {
  readonly width: number;
  readonly height: number;
}

/** A tab survives every tmux version unescaped; a person's window name or a title could hold one, so they come last. */
const SEPARATOR = '\t';
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
  'pane_current_command',
  '@llmc_mark',
  'window_name',
  'pane_title',
] as const;

// `-f /dev/null`: the user's own tmux configuration must not change how a worker behaves.
export function tmux(socket: string, ...args: readonly string[]): Command {
  return { file: 'tmux', args: ['-u', '-f', '/dev/null', '-S', socket, ...args], env: { TMUX: undefined, TMUX_PANE: undefined } };
}

/** Ends well whatever happens: a person's pane would be covered by what a failed one says. The path is not in it, so that nothing in the path is obeyed. */
const TELL_DEATH = `run-shell -b '{ echo > "$LLMC_DEATHS"; } 2>/dev/null || :'`;

export const version = (): Command => ({ file: 'tmux', args: ['-V'] });

/**
 * Starts the server with a bare session. `-e` values or a real command here would stay in the server's argv for everyone's `ps`.
 * `deaths`: a file it writes to whenever it learns that the program of a pane has ended.
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
    ...(deaths === undefined
      ? []
      : ['set-environment', '-g', 'LLMC_DEATHS', word(deaths), ';', 'set-hook', '-g', 'pane-died', TELL_DEATH, ';']),
    ...['new-session', '-d', '-s', SENTINEL, '-x', '20', '-y', '5', 'sleep 2147483647'],
  );
}

export const hasServer = (socket: string): Command => tmux(socket, 'has-session', '-t', `=${SENTINEL}`);

/** As a word of its own: tmux ends a command at any word that ends in a semicolon, unless a backslash stands before it. */
const word = (text: string): string => text.replace(/;$/, '\\;');

/** tmux expands formats in a start directory, so `c#Shop` would become another place. */
const literal = (text: string): string => word(text.replaceAll('#', '##'));

/** `window`: the name of its first one, and what is written on it. */
export function newSession(
  socket: string,
  session: string,
  cwd: string,
  size: PaneSize,
  argv: readonly string[],
  window?: string,
): Command {
  const place = ['-x', `${size.width}`, '-y', `${size.height}`, '-c', literal(cwd), ...(window === undefined ? [] : ['-n', window])];
  const marked = window === undefined ? [] : mark(`=${session}:`, window);
  return tmux(socket, 'new-session', '-d', '-s', session, ...place, '--', ...argv.map(word), ...marked);
}

/** `llmc-adam`: what its session shows; `%7`: one pane, wherever it is. */
function targetOf(place: string): string {
  return place.startsWith('%') ? place : `=${place}:`;
}

/** Words of llmc's own on a window, which outlive the supervisor. In the same call that makes it: a window is never seen without. */
function mark(target: string, text: string): readonly string[] {
  return [';', 'set-option', '-w', '-t', target, '@llmc_mark', word(text)];
}

/** A further window in a worker's session. The new one is what a person sees who attaches. */
export function newWindow(socket: string, session: string, window: NewWindow): Command {
  const { name, cwd, argv } = window;
  const made = ['new-window', '-t', `=${session}:`, '-n', name, '-c', literal(cwd), '--', ...argv.map(word)];
  return tmux(socket, ...made, ...mark(`=${session}:`, window.mark));
}

/** Another program in the window of this pane. */
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

/** The words of a question, for a process of its own or for the lasting control client. */
export const LIST_PANES: readonly string[] = ['list-panes', '-a', '-F', PANE_FIELDS.map((field) => `#{${field}}`).join(SEPARATOR)];
export const capturePane = (place: string): readonly string[] => ['capture-pane', '-p', '-t', targetOf(place)];

export const listPanes = (socket: string): Command => tmux(socket, ...LIST_PANES);

/** Starts a child that ends at once, so that tmux collects those that ended before. */
export const nudge = (socket: string): Command => tmux(socket, 'run-shell', 'true');

/** When each attached person last pressed a key. */
export const listClients = (socket: string): Command =>
  tmux(socket, 'list-clients', '-F', ['#{session_name}', '#{client_activity}'].join(SEPARATOR));

/** All screens in one round trip; `marker` lines tell them apart. */
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

// -p: bracketed, so that newlines do not submit; -d: the buffer is gone afterwards; -r: newlines stay newlines.
export const pasteBuffer = (socket: string, place: string, buffer: string): Command =>
  tmux(socket, 'paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', targetOf(place));

export const sendKeys = (socket: string, place: string, keys: readonly string[]): Command =>
  tmux(socket, 'send-keys', '-t', targetOf(place), ...keys.map(word));

export const leaveCopyMode = (socket: string, session: string): Command => tmux(socket, 'send-keys', '-t', `=${session}:`, '-X', 'cancel');

/** The size for as long as nobody looks on. Given by hand it would stay, whoever attaches: the second command takes that back. */
export const resize = (socket: string, pane: string, { width, height }: PaneSize): Command =>
  tmux(
    socket,
    ...['resize-window', '-t', pane, '-x', `${width}`, '-y', `${height}`, ';'],
    ...['set-option', '-w', '-u', '-t', pane, 'window-size'],
  );

export const attach = (socket: string, session: string): Command => tmux(socket, 'attach-session', '-t', `=${session}`);

/** The words a pane was started with. */
export const startCommand = (socket: string, pane: string): Command =>
  tmux(socket, 'display-message', '-p', '-t', pane, '#{pane_start_command}');

export const displayMessage = (socket: string, text: string): Command => tmux(socket, 'display-message', '-d', '5000', literal(text));

export function splitFields(line: string): readonly string[] {
  return line.split(SEPARATOR);
}
