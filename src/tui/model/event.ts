import type { KeptDraft } from '../../store/tables/drafts.ts';
import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { AgentChoice } from '../../workers/pool/offer-worker.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { ShownWork } from '../diff/shown-work.ts';
import type { Pressed } from '../screen/key.ts';
import type { Size } from '../screen/line.ts';
import type { Begun, Edited, SeenWork } from './effect.ts';
import type { ListedRun } from './item.ts';
import type { TaskLike, TaskPart } from './task-like.ts';
import type { Mode, NamedRoot, PaneContent, Tab, View, ViewNotice } from './view.ts';

/** Where the mouse is. */
export type Hit =
  | { readonly kind: 'item'; readonly key: string }
  | { readonly kind: 'tab'; readonly tab: Tab }
  /** Relative to the content of the pane. */
  | { readonly kind: 'pane'; readonly column: number; readonly row: number }
  | { readonly kind: 'list' | 'task' | 'elsewhere' };

/** What changes the view. */
export type Event =
  | { readonly kind: 'pressed'; readonly pressed: Exclude<Pressed, { kind: 'mouse' }> }
  | { readonly kind: 'mouse'; readonly action: 'press' | 'wheel-up' | 'wheel-down'; readonly hit: Hit }
  | { readonly kind: 'status'; readonly root: string; readonly report: StatusReport }
  | { readonly kind: 'runs'; readonly root: string; readonly runs: readonly ListedRun[] }
  | { readonly kind: 'lost'; readonly root: string; readonly why: string }
  /** The root was removed. */
  | { readonly kind: 'gone'; readonly root: string }
  /** The roots that there are now. */
  | { readonly kind: 'known'; readonly roots: readonly NamedRoot[] }
  | { readonly kind: 'pane'; readonly of: string; readonly tab: Tab; readonly content: PaneContent }
  | {
      readonly kind: 'work';
      readonly of: string;
      readonly shown: ShownWork;
      readonly seen: SeenWork | undefined;
      readonly drafts?: readonly KeptDraft[];
    }
  | { readonly kind: 'progress'; readonly effect: Begun; readonly line: string }
  | {
      readonly kind: 'done';
      readonly effect: Begun;
      readonly notice?: ViewNotice | undefined;
      readonly opens?: Mode | undefined;
      /** Of a rejection: the drafts that stay, because another text of them was sent than they have now. */
      readonly changedDrafts?: readonly string[];
      /** Of a draft: its work is landing. */
      readonly isLanding?: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly effect: Begun;
      readonly notice: ViewNotice;
      /** The work has changed since it was shown. */
      readonly isOutdated: boolean;
      /** Only the wait is over: the prompt is recorded, and the agent gets it. */
      readonly isRecorded?: boolean;
      /** Trying again cannot help: the worker, its work or the root is gone. */
      readonly isFinal?: boolean;
    }
  | { readonly kind: 'queue'; readonly root: string; readonly tasks: readonly TaskReport[]; readonly messages: readonly HeldMessage[] }
  | { readonly kind: 'completed'; readonly root: string; readonly line: string; readonly offers: readonly string[] }
  | { readonly kind: 'agents'; readonly root: string; readonly choices: readonly AgentChoice[]; readonly part: TaskPart }
  /** Tasks were taken out of the queue before a worker had them. */
  | { readonly kind: 'taken-back'; readonly root: string; readonly text: string; readonly like: TaskLike }
  | { readonly kind: 'edited'; readonly root: string; readonly edited: Edited; readonly text: string }
  | { readonly kind: 'resized'; readonly size: Size }
  /** The state is on the screen. */
  | { readonly kind: 'shown' }
  | { readonly kind: 'tick' }
  /** The view ends without a key of the person: its terminal was closed, or a signal came. */
  | { readonly kind: 'closing' };

export interface Updated {
  readonly view: View;
  readonly effects: readonly Begun[];
}

export const quiet = (view: View): Updated => ({ view, effects: [] });
