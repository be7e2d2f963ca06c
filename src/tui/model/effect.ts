import type { Draft, SentDraft } from '../../store/tables/drafts.ts';
import { questionKey, workerKey } from './item.ts';
import type { TaskLike, TaskPart } from './task-like.ts';

/** The work that was on the screen when a person decided. */
export interface SeenWork {
  readonly head: string;
  readonly diff: string;
  readonly message: string;
  /** The findings of the proof that was shown, if a conflict was resolved. */
  readonly proof: string | null;
  /** The diff has every change: also those of white space, and those of long files. */
  readonly isWhole: boolean;
}

/** Whether a person who saw one has seen the other: a rebase onto a newer main makes another commit of the same work. */
export function showsSameWork(one: SeenWork, other: SeenWork): boolean {
  // A person may have edited the message: the commit is the same, and another one would land.
  if (one.message !== other.message) return false;
  return one.head === other.head || (one.isWhole && other.isWhole && one.diff === other.diff && one.proof === other.proof);
}

/** What a text in the editor is for. */
export type Edited =
  | { readonly kind: 'task' }
  | { readonly kind: 'queued'; readonly number: number }
  | { readonly kind: 'held'; readonly worker: string; readonly id: string }
  /** The commit message of this worker; `instead` is that of the agent. */
  | { readonly kind: 'commit'; readonly worker: string; readonly work: string | null; readonly now: string; readonly instead: string };

/** What the view asks to be done in a root. Its outcome comes back as an event with the same effect. */
export type Begun = Effect & { readonly root: string };

/** What is to be done; without a root, in the one that the keys act in. */
export type Effect = Deed & { readonly root?: string };

type Deed =
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'mouse'; readonly isOn: boolean }
  | { readonly kind: 'attach'; readonly worker: string }
  | { readonly kind: 'accept'; readonly worker: string; readonly seen: SeenWork }
  | { readonly kind: 'mark-seen'; readonly worker: string; readonly seen: SeenWork }
  | {
      readonly kind: 'reject';
      readonly worker: string;
      readonly work: string | null;
      readonly feedback: string;
      readonly notes: readonly Note[];
      /** What the person typed of the feedback. */
      readonly words: string;
      /** The comments that the notes were made of. */
      readonly drafts: readonly SentDraft[];
    }
  | {
      readonly kind: 'draft';
      readonly worker: string;
      /** The work that it is about; undefined if the view does not know. */
      readonly work: string | null | undefined;
      readonly id: string;
      /** Null deletes the draft. */
      readonly draft: Draft | null;
    }
  | { readonly kind: 'dismiss'; readonly worker: string }
  | { readonly kind: 'message'; readonly worker: string; readonly text: string }
  /** `dialog`: the one that was on the screen. Another one is not answered by it. */
  | { readonly kind: 'answer'; readonly worker: string; readonly choice: string; readonly dialog: string | null }
  | { readonly kind: 'decide'; readonly run: string; readonly number: number; readonly option: string; readonly text: string | undefined }
  | { readonly kind: 'task'; readonly text: string; readonly like?: TaskLike }
  /** For tasks that wait without an idle worker. */
  | { readonly kind: 'add-worker'; readonly name: string; readonly like: TaskLike }
  /** Takes tasks out of the queue again; their text comes back into the task line. */
  | { readonly kind: 'take-back'; readonly numbers: readonly number[]; readonly text: string; readonly like: TaskLike }
  | { readonly kind: 'list-agents'; readonly part: TaskPart }
  | { readonly kind: 'edit'; readonly edited: Edited; readonly text: string }
  | { readonly kind: 'plan-undo'; readonly worker: string | undefined }
  | { readonly kind: 'undo'; readonly worker: string; readonly landing: string }
  | { readonly kind: 'list-queue' }
  | { readonly kind: 'cancel-task'; readonly number: number }
  | { readonly kind: 'move-task'; readonly number: number; readonly before: number | 'last' }
  | { readonly kind: 'edit-task'; readonly number: number; readonly text: string }
  | { readonly kind: 'cancel-message'; readonly worker: string; readonly id: string }
  | { readonly kind: 'edit-message'; readonly worker: string; readonly id: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: string }
  /** The command line up to the cursor. */
  | { readonly kind: 'complete'; readonly line: string }
  /** Starts the supervisor of the root. */
  | { readonly kind: 'start-root' }
  /** Reads which roots there are besides those that are known. */
  | { readonly kind: 'list-roots'; readonly known: readonly string[] };

/** A remark as the `reject` operation takes it. */
export interface Note {
  readonly at: string;
  readonly text: string;
}

/** What an effect is busy with: a second one on the same waits for the first. Undefined: any number at once. */
export function nameSubject(effect: Begun): string | undefined {
  const { root } = effect;
  switch (effect.kind) {
    case 'accept':
    case 'reject':
    case 'dismiss':
    case 'answer':
      return workerKey(root, effect.worker);
    case 'decide':
      return questionKey(root, effect.run, effect.number);
    case 'plan-undo':
    case 'undo':
      return `undo:${root}`;
    case 'cancel-task':
    case 'move-task':
    case 'edit-task':
      return `task:${effect.number}${root}`;
    case 'cancel-message':
    case 'edit-message':
      return `message:${effect.id}${root}`;
    case 'start-root':
      return `start:${root}`;
    default:
      return undefined;
  }
}

/** What is said while it lasts; undefined for what is over at once. */
export function describeEffect(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'accept':
      return `${effect.worker}: landing`;
    case 'reject':
      return `${effect.worker}: sending the feedback`;
    case 'message':
      return `${effect.worker}: sending the message`;
    case 'answer':
      return `${effect.worker}: answering`;
    case 'dismiss':
      return `${effect.worker}: dismissing`;
    case 'add-worker':
      return `adding ${effect.name}`;
    case 'decide':
      return `${effect.run}#${effect.number}: answering`;
    case 'plan-undo':
    case 'undo':
      return 'undo';
    case 'command':
      return `llmc ${effect.line}`;
    case 'start-root':
      return 'starting the supervisor';
    default:
      return undefined;
  }
}
