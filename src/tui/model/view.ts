import type { Draft } from '../../store/tables/drafts.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { AgentChoice } from '../../workers/pool/offer-worker.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { Comment } from '../diff/comments/comment.ts';
import type { DiffView } from '../diff/diff-view.ts';
import type { Line, Size } from '../screen/line.ts';
import { EMPTY_FIELD, type TextField } from '../screen/text-field.ts';
import type { Choices } from './choices.ts';
import type { Begun, Effect, SeenWork } from './effect.ts';
import { type ListItem, type ListRow, listItemRows, listRowItems, type RootInView } from './item.ts';
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
export interface ShownPane {
  readonly of: string;
  readonly tab: Tab;
  readonly content: PaneContent;
  readonly top: number;
  /** It was scrolled to its end, and stays there. */
  readonly atEnd: boolean;
  /** When this content was first on the screen. */
  readonly shownAt: number | undefined;
}

/** What a text that a person types is for. `work`: the work that it is about, which may be over before the text is sent. */
export type TypingPurpose =
  | { readonly kind: 'task' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'command' }
  | { readonly kind: 'search' }
  /** In the pane. */
  | { readonly kind: 'find' }
  | { readonly kind: 'message'; readonly worker: string }
  | { readonly kind: 'answer'; readonly worker: string; readonly dialog: string | null }
  /** `comments`: how many go with the words. */
  | { readonly kind: 'reject'; readonly worker: string; readonly work: string | null; readonly comments: number }
  /** `saved`: the text as it is on the disk. */
  | {
      readonly kind: 'comment';
      readonly worker: string;
      readonly work: string | null;
      readonly at: string;
      readonly place: Comment;
      readonly saved: string;
    }
  | { readonly kind: 'decide'; readonly run: string; readonly number: number; readonly option: string }
  | { readonly kind: 'queued'; readonly number: number }
  | { readonly kind: 'held'; readonly worker: string; readonly id: string };

/** What Tab offers at a place of the command line, and which of it stands there. */
export interface Completion {
  /** Where the word begins that is completed. */
  readonly from: number;
  readonly offers: readonly string[];
  /** -1: only what all of them begin with. */
  readonly at: number;
}

export type Mode =
  | { readonly kind: 'browse' }
  /** Enter sends the text from `sendsFrom` on; the first one before asks for another. */
  | {
      readonly kind: 'typing';
      readonly asked: TypingPurpose;
      readonly field: TextField;
      readonly sendsFrom: number;
      readonly completion?: Completion;
    }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'costs'; readonly top: number }
  | { readonly kind: 'output'; readonly title: string; readonly text: string; readonly top: number }
  /** A choice that is marked and not sent yet, below the whole question. */
  | {
      readonly kind: 'choice';
      readonly of: string;
      /** The question that the choice was marked for. */
      readonly asked: Choices;
      /** The numbers of the marked answers; more than one only where several may be chosen. */
      readonly marked: readonly number[];
      readonly since: number;
      readonly top: number;
    }
  /** The list of roots. Undefined marks the row before them, all together. */
  | { readonly kind: 'roots'; readonly marked: string | undefined }
  /** Waits for y. */
  | {
      readonly kind: 'confirm';
      readonly question: string;
      readonly effect: Effect;
      /** The view asks by itself, and yes is what most people want. */
      readonly offer?: {
        readonly no: KeyEffect;
        /** What q means. */
        readonly leaves: string;
        /** When it was asked. */
        readonly since?: number;
      };
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
export interface ViewNotice {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly hint?: string | undefined;
}

/** An effect that is not over yet. */
export interface Running {
  readonly effect: Begun;
  /** What it said last. */
  readonly line: string | undefined;
  /** The work that is about to land. Its worker is busy, so the work cannot be loaded again. */
  readonly lands?: DiffView | undefined;
}

/** A draft of this view on its way to the disk. It counts more than what was read from there. */
export interface DraftOnItsWay {
  readonly root: string;
  readonly worker: string;
  readonly work: string | null | undefined;
  readonly id: string;
  /** Null: deleted or sent. */
  readonly draft: Draft | null;
  /** `landing`: on the disk, but it ends there if the work lands. */
  readonly state: 'saving' | 'failed' | 'landing' | 'saved';
  /** When it got into this state. */
  readonly since: number;
}

/** A task that is not sent: its text, and what it asks of its worker. */
export interface TaskLine {
  readonly field: TextField;
  readonly like: TaskLike;
}

/** Everything the view knows. */
export interface View {
  readonly size: Size;
  readonly now: number;
  /** All roots that the view knows of; it follows those that it shows. */
  readonly roots: readonly RootInView[];
  /** All roots are shown together, else one. */
  readonly isTogether: boolean;
  /** The root that is shown, or that of the selected item: the keys act in it. It stays the same while something is typed or asked. */
  readonly root: string;
  readonly filter: string;
  readonly selected: string | undefined;
  /** The view selected the item by itself; `shownAt` is when the item was first on the screen. Undefined: a person selected it. */
  readonly wentOn: { readonly shownAt: number | undefined } | undefined;
  readonly focus: 'list' | 'pane';
  /** The pane has the whole screen. */
  readonly zoomed: boolean;
  /** What is searched in a pane; `at` is the line of a text that was gone to last. */
  readonly found: { readonly of: string; readonly tab: Tab; readonly text: string; readonly at: number } | undefined;
  readonly tab: Tab;
  readonly pane: ShownPane | undefined;
  readonly mode: Mode;
  /** What the task in the task line asks of its worker. */
  readonly like: TaskLike;
  /** The agents to choose from; undefined until a person wants to choose. */
  readonly choices: readonly AgentChoice[] | undefined;
  /** The text of the task line, kept while other things are typed. */
  readonly task: TextField;
  /** The task lines of other roots. */
  readonly tasks: ReadonlyMap<string, TaskLine>;
  readonly notice: ViewNotice | undefined;
  readonly running: readonly Running[];
  readonly mouse: boolean;
  /** When a person last pressed a key or used the mouse, or opened the view. */
  readonly touchedAt: number;
  /** When a character was last typed that no field took, or the terminal came back from another program. */
  readonly typedAt: number;
  /** When a key last answered a question of yes or no, or sent a text. */
  readonly answeredAt: number;
  /** The work that this view has reported as seen, by worker and commit, and when it may report it again: never, unless that failed. */
  readonly reported: ReadonlyMap<string, number>;
  /** The diffs that carry comments, by the item they belong to: they outlive a look at something else. */
  readonly commented: ReadonlyMap<string, DiffView>;
  /** Begins the ids of the drafts of this view: two views must not replace each other's. */
  readonly id: string;
  /** How many drafts it has begun. */
  readonly begun: number;
  readonly drafts: ReadonlyMap<string, DraftOnItsWay>;
  /** What was typed in fields of comments that were left, by line: a person may take escape for the end of the typing. */
  readonly leftWords: ReadonlyMap<string, string>;
  readonly ignoresWhitespace: boolean;
  /** Why with everything it leans on. */
  readonly withEvidence: boolean;
  /** Counts the wishes to load the pane again. */
  readonly reloads: number;
}

/** A root of which nothing is known but its place and name. */
export type NamedRoot = Pick<RootInView, 'root' | 'name'>;

export function unreadRoot({ root, name }: NamedRoot): RootInView {
  return { root, name, report: undefined, runs: [], lost: undefined };
}

/** The view of the first of these roots, or of all together. `id` begins the ids of its drafts. */
export function emptyView(
  size: Size,
  now: number,
  roots: readonly NamedRoot[],
  { isTogether = false, id = 'view' }: { readonly isTogether?: boolean; readonly id?: string } = {},
): View {
  return {
    size,
    now,
    roots: roots.map(unreadRoot),
    isTogether,
    root: roots[0]?.root ?? '',
    tasks: new Map(),
    filter: '',
    selected: undefined,
    wentOn: undefined,

    focus: 'list',
    zoomed: false,
    found: undefined,
    tab: 'screen',
    pane: undefined,
    mode: { kind: 'browse' },
    task: EMPTY_FIELD,
    like: {},
    choices: undefined,
    notice: undefined,

    touchedAt: now,
    typedAt: Number.NEGATIVE_INFINITY,
    answeredAt: Number.NEGATIVE_INFINITY,
    running: [],
    mouse: true,
    reported: new Map(),
    commented: new Map(),
    id,
    begun: 0,
    drafts: new Map(),
    leftWords: new Map(),
    ignoresWhitespace: false,
    withEvidence: false,
    reloads: 0,
  };
}

/** The roots whose workers are in the list. */
export function shownRoots({ roots, isTogether, root }: View): readonly RootInView[] {
  return isTogether ? roots : roots.filter((each) => each.root === root);
}

/** The root that the keys act in. */
export function rootIn({ roots, root }: View): RootInView | undefined {
  return roots.find((each) => each.root === root);
}

/** What the root that the keys act in has reported. */
export function reportIn(view: View): StatusReport | undefined {
  return rootIn(view)?.report;
}

/** What a text about a root begins with, unless it is the only one that is shown. */
export function makeRootPrefix(view: View, root: string, then = ': '): string {
  const isOnly = root === view.root && shownRoots(view).length < 2;
  return isOnly ? '' : `${view.roots.find((each) => each.root === root)?.name ?? root}${then}`;
}

let last: { readonly of: readonly [readonly RootInView[], string]; readonly rows: readonly ListRow[] } | undefined;

/** The rows of the list. Remembers the last ones, because each event and each drawing needs them several times. */
export function rowsIn(view: View): readonly ListRow[] {
  const { filter } = view;
  const roots = shownRoots(view);
  const isSame = last !== undefined && last.of[1] === filter && isSameList(last.of[0], roots);
  if (last === undefined || !isSame) last = { of: [roots, filter], rows: listItemRows(roots, filter) };
  return last.rows;
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

export function selectedIn(view: View): ListItem | undefined {
  return listRowItems(rowsIn(view)).find(({ key }) => key === view.selected);
}

/** The work that a worker has now; undefined if the worker is not in the list. */
export function workIn(view: View, root: string, worker: string): string | null | undefined {
  const report = view.roots.find((each) => each.root === root)?.report;
  return report?.workers.find(({ name }) => name === worker)?.work_id;
}

/** Whether a text is about work that has made room for other work. */
export function isAboutOther(
  view: View,
  root: string,
  { worker, work }: { readonly worker: string; readonly work: string | null },
): boolean {
  const now = workIn(view, root, worker);
  return now !== undefined && now !== work;
}
