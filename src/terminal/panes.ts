import { AGENT_MARK, PANE_FIELDS, splitFields } from './tmux-commands.ts';

export interface Pane {
  readonly session: string;
  readonly window: string;
  /** The mark that llmc set on the window. */
  readonly mark: string;
  readonly id: string;
  readonly pid: number;
  /** A dead pane keeps its last frame (remain-on-exit), so check this before the screen. */
  readonly dead: boolean;
  readonly deadStatus: number | null;
  readonly deadSignal: string | null;
  /** In copy mode input does not reach the program. */
  readonly inMode: boolean;
  readonly width: number;
  readonly height: number;
  readonly attached: boolean;
  /** Seconds since the epoch: when its program last wrote anything. */
  readonly wroteAt: number;
  /** Column and row, from 0. */
  readonly cursor: { readonly x: number; readonly y: number };
  /** How often its program has rung the bell; 0 also on a tmux server without that hook. */
  readonly bells: number;
  readonly command: string;
  readonly title: string;
}

/**
 * The two windows of an agent on the protocol channel: its server, and the viewer for people. llmc finds them by their mark,
 * because a person may open windows of any name beside them.
 */
export const SERVER_WINDOW = 'server';
export const VIEWER_WINDOW = 'viewer';

const VIEWER_MARK = 'viewer:';

/** The mark of a viewer's window: the conversation that it shows. */
export const viewerMark = (conversation: string | null): string => `${VIEWER_MARK}${conversation ?? ''}`;

/**
 * The pane of the agent's own process, whatever a person has split or opened beside it. llmc marks it when it opens the session: a
 * session of the same name that someone opened by hand has no marks, and no pane of an agent.
 */
export function agentPane(panes: readonly Pane[], session: string): Pane | undefined {
  const marked = panes.filter((pane) => pane.session === session && (isServer(pane) || pane.mark === AGENT_MARK));
  return marked.toSorted((a, b) => parseNumber(a) - parseNumber(b))[0];
}

/** Whether a program runs in a session of this name that llmc did not open. */
export function isForeign(panes: readonly Pane[], session: string): boolean {
  const own = panes.filter((pane) => pane.session === session);
  return own.some(({ dead }) => !dead) && own.every(({ mark }) => mark === '');
}

const parseNumber = ({ id }: Pane): number => Number(id.slice(1));

export function viewerPane(panes: readonly Pane[], session: string): Pane | undefined {
  return panes.find((pane) => pane.session === session && isViewer(pane));
}

export function isServer({ mark }: Pane): boolean {
  return mark === SERVER_WINDOW;
}

function isViewer({ mark }: Pane): boolean {
  return mark.startsWith(VIEWER_MARK);
}

/** tmux accepts a title of a megabyte. */
const LONGEST_TITLE = 500;

export function parsePanes(output: string): readonly Pane[] {
  return output.split('\n').filter(Boolean).flatMap(parsePane);
}

function parsePane(line: string): readonly Pane[] {
  const fields = splitFields(line);
  if (fields.length < PANE_FIELDS.length) return [];
  const field = (name: (typeof PANE_FIELDS)[number]): string => fields[PANE_FIELDS.indexOf(name)] ?? '';
  const signal = field('pane_dead_signal');
  return [
    {
      session: field('session_name'),
      window: field('window_name'),
      mark: field('@llmc_mark'),
      id: field('pane_id'),
      pid: Number(field('pane_pid')),
      dead: field('pane_dead') === '1',
      deadStatus: field('pane_dead_status') === '' ? null : Number(field('pane_dead_status')),
      deadSignal: signal === '' || signal === '0' ? null : signal,
      inMode: field('pane_in_mode') !== '0' && field('pane_in_mode') !== '',
      width: Number(field('pane_width')),
      height: Number(field('pane_height')),
      attached: field('session_attached') !== '0',
      wroteAt: Number(field('window_activity')),
      cursor: { x: Number(field('cursor_x')), y: Number(field('cursor_y')) },
      bells: Number(field('@llmc_bells')),
      command: field('pane_current_command'),
      title: field('pane_title').slice(0, LONGEST_TITLE),
    },
  ];
}
