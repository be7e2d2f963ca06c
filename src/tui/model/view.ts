import type { AsksReport } from '../../supervisor/report/asks-report.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { AgentChoice } from '../../workers/pool/offer-worker.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { DiffView } from '../diff/diff-view.ts';
import type { Line, Size } from '../screen/line.ts';
import { EMPTY_FIELD, type TextField } from '../screen/text-field.ts';
import type { Choices } from './choices.ts';
import type { Effect, SeenWork } from './effect.ts';
import { type Item, itemsOf, type ListedRun, type Row, rowsOf } from './item.ts';
import type { TaskLike } from './task-like.ts';

export const TABS = ['screen', 'diff', 'talk', 'why', 'log'] as const;
export type Tab = (typeof TABS)[number];

/** What the right side shows. */
export type PaneContent =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string; readonly hint: string | undefined }
  /** Lines that depend on the size and on the time, such as ages. */
  | {
      readonly kind: 'text';
      readonly make: (size: Size, now: number) => readonly Line[];
      /** Begins with its last page, as a log does. */
      readonly fromEnd?: boolean;
    }
  /** The work of a worker; `seen` is what a decision about it is about, if it is finished. */
  | { readonly kind: 'diff'; readonly diff: DiffView; readonly seen: SeenWork | undefined };

/** The content of one tab for one item, and how far it is scrolled. */
export interface Pane {
  readonly of: string;
  readonly tab: Tab;
  readonly content: PaneContent;
  readonly top: number;
  /** It was scrolled to its end, and stays there. */
  readonly atEnd: boolean;
  /** When this content was first on the screen. */
  readonly shownAt: number | undefined;
}

/** What a text that a person types is for. */
export type Asked =
  | { readonly kind: 'task' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'command' }
  | { readonly kind: 'search' }
  | { readonly kind: 'message'; readonly worker: string }
  | { readonly kind: 'answer'; readonly worker: string; readonly asked: AsksReport | null }
  /** `comments`: how many go with the words. */
  | { readonly kind: 'reject'; readonly worker: string; readonly comments: number }
  | { readonly kind: 'comment'; readonly at: string }
  | { readonly kind: 'decide'; readonly run: string; readonly number: number; readonly option: string }
  | { readonly kind: 'queued'; readonly number: number }
  | { readonly kind: 'held'; readonly worker: string; readonly id: string };

export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'typing'; readonly asked: Asked; readonly field: TextField }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'costs'; readonly top: number }
  | { readonly kind: 'output'; readonly title: string; readonly text: string; readonly top: number }
  /** A choice that is marked and not sent yet, below the whole question. */
  | {
      readonly kind: 'choice';
      readonly of: string;
      /** The question that the choice was marked for. */
      readonly asked: Choices;
      readonly marked: number;
      readonly since: number;
      readonly top: number;
    }
  /** Waits for y. */
  | {
      readonly kind: 'confirm';
      readonly question: string;
      readonly effect: Effect;
      /** What n does, if it does something. Any other key only leaves. */
      readonly no?: KeyEffect;
      /** What q means, where it leaves with a result of its own. */
      readonly q?: string;
      readonly below: Mode;
    }
  /** `at` counts the tasks, then the messages. */
  | {
      readonly kind: 'queue';
      readonly tasks: readonly TaskReport[] | undefined;
      readonly messages: readonly HeldMessage[];
      readonly at: number;
    };

interface KeyEffect {
  readonly does: string;
  readonly effect: Effect;
}

export const UNREAD_QUEUE: Mode = { kind: 'queue', tasks: undefined, messages: [], at: 0 };

/** A line about what happened; `hint` says what to type. */
export interface Notice {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly hint?: string | undefined;
}

/** An effect that is not over yet. */
export interface Running {
  readonly effect: Effect;
  /** What it said last. */
  readonly line: string | undefined;
  /** The work that is about to land. Its worker is busy, so the work cannot be loaded again. */
  readonly lands?: DiffView | undefined;
}

/** Everything the view knows. */
export interface View {
  readonly size: Size;
  readonly now: number;
  readonly report: StatusReport | undefined;
  readonly runs: readonly ListedRun[];
  /** Why the supervisor does not answer. */
  readonly lost: string | undefined;
  readonly filter: string;
  readonly selected: string | undefined;
  /** The view selected the item by itself; `shownAt` is when the item was first on the screen. Undefined: a person selected it. */
  readonly wentOn: { readonly shownAt: number | undefined } | undefined;
  readonly focus: 'list' | 'pane';
  readonly tab: Tab;
  readonly pane: Pane | undefined;
  readonly mode: Mode;
  /** What the task in the task line asks of its worker. */
  readonly like: TaskLike;
  /** The agents to choose from; undefined until a person wants to choose. */
  readonly choices: readonly AgentChoice[] | undefined;
  /** The text of the task line, kept while other things are typed. */
  readonly task: TextField;
  readonly notice: Notice | undefined;
  readonly running: readonly Running[];
  readonly mouse: boolean;
  /** When a person last pressed a key or used the mouse, or opened the view. */
  readonly touchedAt: number;
  /** The work that this view has reported as seen, by worker and commit, and when it may report it again: never, unless that failed. */
  readonly reported: ReadonlyMap<string, number>;
  /** The diffs that carry comments, by the item they belong to: they outlive a look at something else. */
  readonly commented: ReadonlyMap<string, DiffView>;
  readonly ignoresWhitespace: boolean;
  /** Why with everything it leans on. */
  readonly withEvidence: boolean;
  /** Counts the wishes to load the pane again. */
  readonly reloads: number;
}

export function emptyView(size: Size, now: number): View {
  return {
    ...{ size, now, report: undefined, runs: [], lost: undefined, filter: '', selected: undefined, wentOn: undefined },
    ...{
      focus: 'list',
      tab: 'screen',
      pane: undefined,
      mode: { kind: 'browse' },
      task: EMPTY_FIELD,
      like: {},
      choices: undefined,
      notice: undefined,
    },
    ...{
      touchedAt: now,
      running: [],
      mouse: true,
      reported: new Map(),
      commented: new Map(),
      ignoresWhitespace: false,
      withEvidence: false,
      reloads: 0,
    },
  };
}

let last: { readonly of: readonly [StatusReport, readonly ListedRun[], string]; readonly rows: readonly Row[] } | undefined;

/** The rows of the list. Remembers the last ones, because each event and each drawing needs them several times. */
export function rowsIn({ report, runs, filter }: View): readonly Row[] {
  if (report === undefined) return [];
  if (last?.of[0] !== report || last.of[1] !== runs || last.of[2] !== filter)
    last = { of: [report, runs, filter], rows: rowsOf(report, runs, filter) };
  return last.rows;
}

export function selectedIn(view: View): Item | undefined {
  return itemsOf(rowsIn(view)).find(({ key }) => key === view.selected);
}
