import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { AgentChoice } from '../../workers/pool/offer-worker.ts';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import type { ShownWork } from '../diff/shown-work.ts';
import type { Pressed } from '../screen/key.ts';
import type { Size } from '../screen/line.ts';
import type { Edited, Effect, SeenWork } from './effect.ts';
import type { ListedRun } from './item.ts';
import type { TaskLike, TaskPart } from './task-like.ts';
import type { Mode, Notice, PaneContent, Tab, View } from './view.ts';

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
  | { readonly kind: 'status'; readonly report: StatusReport }
  | { readonly kind: 'runs'; readonly runs: readonly ListedRun[] }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'pane'; readonly of: string; readonly tab: Tab; readonly content: PaneContent }
  | { readonly kind: 'work'; readonly of: string; readonly shown: ShownWork; readonly seen: SeenWork | undefined }
  | { readonly kind: 'progress'; readonly effect: Effect; readonly line: string }
  | { readonly kind: 'done'; readonly effect: Effect; readonly notice?: Notice | undefined; readonly opens?: Mode | undefined }
  | {
      readonly kind: 'failed';
      readonly effect: Effect;
      readonly notice: Notice;
      /** The work has changed since it was shown. */
      readonly isOutdated: boolean;
      /** Only the wait is over: the prompt is recorded, and the agent gets it. */
      readonly isRecorded?: boolean;
    }
  | { readonly kind: 'queue'; readonly tasks: readonly TaskReport[]; readonly messages: readonly HeldMessage[] }
  | { readonly kind: 'agents'; readonly choices: readonly AgentChoice[]; readonly part: TaskPart }
  /** Tasks were taken out of the queue before a worker had them. */
  | { readonly kind: 'taken-back'; readonly text: string; readonly like: TaskLike }
  | { readonly kind: 'edited'; readonly edited: Edited; readonly text: string }
  | { readonly kind: 'resized'; readonly size: Size }
  /** The state is on the screen. */
  | { readonly kind: 'shown' }
  | { readonly kind: 'tick' };

export interface Updated {
  readonly view: View;
  readonly effects: readonly Effect[];
}

export const quiet = (view: View): Updated => ({ view, effects: [] });
