import type { Instant } from '../base/ports.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Activity } from './activity.ts';
import type { AgentEvent, SpoolEvent } from './events.ts';
import type { Launch, LaunchRequest } from './launch.ts';
import type { Protocol } from './protocol.ts';
import type { Rehearsal } from './rehearsal.ts';

/** What stands in the agent's input box. */
export type InputBox =
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  /** The CLI shows a placeholder such as `[Pasted text #1 +29 lines]` in place of the text. */
  | {
      readonly kind: 'folded';
      readonly text: string /** Lines after the first, where the placeholder tells. */;
      readonly moreLines?: number;
    };

export interface ScreenReading {
  readonly activity: Activity;
  readonly confidence: number;
  readonly rule: string;
  readonly box: InputBox;
}

/**
 * One step through a dialog. Keys are tmux key names. The supervisor looks at the
 * screen again after each step, so nothing is ever confirmed unseen.
 */
export interface DialogStep {
  /** These keys settle the answer: what shows after them is another dialog, or none. */
  readonly answers?: boolean;
  /** Pasted before the keys, for a free answer. */
  readonly text?: string;
  readonly keys: readonly string[];
  readonly why: string;
}

export interface SafeText {
  readonly text: string;
  /** What was changed on the way, in words for the delivery's row. */
  readonly changes: readonly string[];
  /** Why the box would not keep these bytes: then the text goes into a file, and the agent is told to read it. */
  readonly needsFile?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a CLI says about itself in a file it keeps up to date. */
export interface LiveState {
  readonly activity: Activity;
  readonly conversationId: string | null;
}

/** A status file, found by the agent's own environment and process id. */
export interface StatusFile {
  path(env: Environment, pid: number): string;
  read(text: string): LiveState | undefined;
}

/** What a conversation has cost so far. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** What the conversation fills of the model's window right now. */
  readonly contextTokens: number;
  readonly contextWindow: number | null;
  /** In US dollars; the transcript does not know it. */
  readonly cost: number | null;
}

/** The CLI's own record of a conversation: a witness for prompts whose report got lost. */
export interface Transcript {
  /** Where it lies; undefined when it cannot be found. `list` names what a directory holds, nothing if it is not there. */
  path(env: Environment, worktree: string, conversationId: string, list: (directory: string) => readonly string[]): string | undefined;
  prompts(text: string): readonly { readonly text: string; readonly at: Instant }[];
  /** Tokens and context, where the record tells. */
  usageReader?(): UsageReader;
}

/** Adds up a record that grows: it is given each line once, in order. */
export interface UsageReader {
  feed(lines: string): void;
  usage(): Usage | undefined;
}

/** Everything llmc knows about one agent CLI. Implementations are pure: they describe, the supervisor does. */
export interface Agent {
  readonly name: string;
  /** The program started when the configuration names none. */
  readonly defaultCommand: string;
  /** Versions whose screens are recorded; absent where llmc brings the program itself, or the user wrote the rules. */
  readonly recordedVersions?: readonly string[];
  /** Arguments that make the program bring its own files up to date and end: run alone, before the first of many is launched. */
  readonly prepare?: readonly string[];
  launch(request: LaunchRequest): Launch;
  /** Why the CLI would refuse to start like this, in one sentence for the user. */
  launchProblem?(request: LaunchRequest, machine: { readonly isRoot: boolean; readonly env: Environment }): string | undefined;
  translate(event: SpoolEvent): AgentEvent;
  /** `now` turns a shown time of day, such as the end of a usage limit, into an instant. */
  classify(screen: Screen, now?: Instant): ScreenReading;
  /** The beginning of the id of the conversation it is in, where the CLI shows one: a new one may be reported only with its first prompt. */
  conversationOn?(screen: Screen): string | undefined;
  /** The next keys for a start-up dialog this agent may answer by itself; undefined when a person must. */
  startupStep(screen: Screen): DialogStep | undefined;
  /** The keys that pick `choice` (its number, its label or free text) in an open dialog. */
  answerStep(screen: Screen, choice: string): DialogStep | undefined;
  /** The keys that hand in answers already given, where a CLI asks once more; undefined on any other screen. */
  submitStep?(screen: Screen): DialogStep | undefined;
  /** Whether this prompt stands in the transcript part of the screen, as one the agent was given. */
  showsPrompt(screen: Screen, text: string): boolean;
  makeSafe(text: string): SafeText;
  /** Both sides of an acknowledgement pass through this before they are compared. */
  normalise(text: string): string;
  readonly statusFile?: StatusFile;
  readonly transcript?: Transcript;
  /** Where the CLI can be spoken to; typing is the way for every other. */
  readonly protocol?: Protocol;
  /** Where it can be tried out on a version nobody recorded. */
  readonly rehearsal?: Rehearsal;
  /** False: each launch begins a new conversation. */
  readonly resumes?: boolean;
  /** Nothing else tells whether it has a prompt: one whose Enter emptied the box is taken. */
  readonly boxIsWitness?: boolean;
  /** Empties the conversation; '' where only a new launch does. */
  readonly clearText: string;
  readonly exitText: string;
  readonly interruptKeys: readonly string[];
  /** Empties the input box of text that llmc itself put there. */
  readonly wipeKeys: readonly string[];
  /** Draws the whole screen anew and changes nothing else, where the CLI has such keys. */
  readonly redrawKeys?: readonly string[];
}
