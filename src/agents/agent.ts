import type { Instant } from '../base/ports.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Activity, OpenView } from './activity.ts';
import type { ConfigFolder } from './config-folder.ts';
import type { AgentEvent, SpoolEvent } from './events.ts';
import type { Launch, LaunchRequest } from './launch.ts';
import type { Login } from './login.ts';
import type { Protocol } from './protocol.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { ErrorText } from './screen-rules/error-text.ts';

/** The content of the agent's input box. */
export type InputBox =
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The box takes commands for a shell, not prompts. */
      readonly mode?: OpenView;
    }
  /** The CLI shows a placeholder such as `[Pasted text #1 +29 lines]` instead of the text. */
  | {
      readonly kind: 'folded';
      readonly text: string;
      /** Lines after the first, if the placeholder shows them. */
      readonly moreLines?: number;
      /** The box shows more than one placeholder; `alike`: all of them show the same size. */
      readonly further?: 'alike' | 'different';
      /** The box has other text too. */
      readonly beside?: true;
      /** The texts and, as the number of lines after the first, the placeholders in their order; only if there are several and all show their lines. */
      readonly pieces?: readonly (string | number)[];
    };

export interface ScreenReading {
  readonly activity: Activity;
  readonly confidence: number;
  readonly rule: string;
  readonly box: InputBox;
  /** `timing`: the silence of the program decided, not the text on its screen. */
  readonly source?: 'timing';
  /** The pattern of a declared agent that decided, or that should have matched and did not. */
  readonly pattern?: string;
}

/**
 * One step through a dialog. Keys are tmux key names. The supervisor captures the
 * screen again after each step, so it never confirms a dialog that it has not read.
 */
export interface DialogStep {
  /** True if these keys complete the answer: the screen then shows another dialog, or none. */
  readonly answers?: boolean;
  /** Pasted before the keys, for a free-text answer. */
  readonly text?: string;
  readonly keys: readonly string[];
  readonly why: string;
}

export interface SafeText {
  readonly text: string;
  /** The changes, as the delivery record lists them. */
  readonly changes: readonly string[];
  /** Why the input box would change the text. llmc then writes the text to a file and asks the agent to read it. */
  readonly needsFile?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The content of a CLI's status file. */
export interface LiveState {
  readonly activity: Activity;
  readonly conversationId: string | null;
}

/** A file in which a CLI keeps its activity; llmc finds it by the agent's environment and process id. */
export interface StatusFile {
  path(env: Environment, pid: number): string;
  read(text: string): LiveState | undefined;
}

/** The tokens and costs of a conversation so far. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** How much of the model's context window the conversation fills now. */
  readonly contextTokens: number;
  readonly contextWindow: number | null;
}

/** A prompt in the CLI's own file of a conversation. */
export interface RecordedPrompt {
  readonly text: string;
  readonly at: Instant;
  /** The CLI has taken it, but its conversation does not have it yet: an agent that is killed now and resumed does not know it. */
  readonly waiting?: true;
}

/** The CLI's own file of a conversation: evidence of prompts whose report got lost. */
export interface Transcript {
  /** Its path; undefined if llmc cannot find it. `list` returns the names in a directory, none if it does not exist. */
  path(env: Environment, worktree: string, conversationId: string, list: (directory: string) => readonly string[]): string | undefined;
  /** The folder with the conversations of this worktree alone, one file `<id>.jsonl` each; absent if the CLI keeps those of all folders together. */
  folder?(env: Environment, worktree: string): string;
  prompts(text: string): readonly RecordedPrompt[];
  /** Tokens and context, if the transcript has them. */
  usageReader?(): UsageReader;
}

/** Adds up the usage in a growing transcript; gets each line once, in order. */
export interface UsageReader {
  feed(lines: string): void;
  usage(): Usage | undefined;
}

/** A program that llmc observes by its process, its silence and its bell. */
export interface PlainAgent {
  /** It has probably finished when it has written nothing for this long. */
  readonly quietMs: number;
}

export interface DeclaredPatterns {
  /** The pattern as config.toml has it; '' if there is none of this name. */
  source(pattern: string): string;
  /** A pattern is not used any more. */
  readonly isReduced: boolean;
  /** Uses the pattern no more, until the user changes config.toml: it is proven wrong. */
  distrust(pattern: string): void;
}

/** Everything llmc knows about one agent CLI. Implementations are pure: they describe, the supervisor acts. */
export interface Agent {
  readonly name: string;
  /** The program that llmc starts if the configuration names none. */
  readonly defaultCommand: string;
  /** Versions with recorded screens; absent for the built-in agent and for declared agents. */
  readonly recordedVersions?: readonly string[];
  /** Arguments that make the program update its own files and exit. llmc runs this once, before it launches the first agent. */
  readonly prepare?: readonly string[];
  /** Its processes damage files that they share when they start in the same moment, so llmc starts one after the other. */
  readonly startsAlone?: boolean;
  /** How the names of variables begin that the CLI sets for the commands it runs. */
  readonly sessionVariables?: readonly string[];
  /** It may report no messages: what it said is then only on its screen. */
  readonly saysOnScreen?: true;
  launch(request: LaunchRequest): Launch;
  /** Why the CLI would refuse this launch, as one sentence for the user. */
  launchProblem?(request: LaunchRequest, machine: { readonly isRoot: boolean; readonly env: Environment }): string | undefined;
  translate(event: SpoolEvent): AgentEvent;
  /** `now` converts a time of day on the screen, such as the end of a usage limit, to an instant. */
  classify(screen: Screen, now?: Instant): ScreenReading;
  /** The beginning of the conversation's id, if the CLI shows it. Some CLIs report a new id only with its first prompt. */
  conversationOn?(screen: Screen): string | undefined;
  /** The next keys for a start-up dialog that llmc may answer; undefined if a person must. */
  startupStep(screen: Screen): DialogStep | undefined;
  /** The keys that pick `choice` (its number, its label or free text) in an open dialog. */
  answerStep(screen: Screen, choice: string): DialogStep | undefined;
  /** The keys that submit the given answers, if the CLI asks for a confirmation; undefined on any other screen. */
  submitStep?(screen: Screen): DialogStep | undefined;
  /** Whether the conversation on the screen shows this prompt as sent. */
  showsPrompt(screen: Screen, text: string): boolean;
  makeSafe(text: string): SafeText;
  /** Applied to the prompt and to its acknowledgement before llmc compares them. */
  normalise(text: string): string;
  /** Files in the worker's scratch folder through which the CLI reports, the same at each launch. Absent: it reports without any. */
  readonly hookFiles?: Readonly<Record<string, string>>;
  /** Absent: it needs none, or llmc does not know. */
  readonly login?: Login;
  /** Absent: the user lists what a sandboxed agent may write. */
  readonly configFolder?: ConfigFolder;
  /** The hosts that the CLI itself needs: its API and its login. */
  readonly hosts?: readonly string[];
  /** Variables with which a user may log the CLI in, or lead it to another API. */
  readonly loginVariables?: readonly string[];
  readonly statusFile?: StatusFile;
  readonly transcript?: Transcript;
  /** The protocol channel, if the CLI has one; all others use the keyboard channel. */
  readonly protocol?: Protocol;
  /** How the canary runs it, if it can. */
  readonly rehearsal?: Rehearsal;
  /** False: each launch starts a new conversation. */
  readonly resumes?: boolean;
  /** Present if llmc has no pattern for its input box: it then checks what it types by the text on the whole screen. */
  readonly plain?: PlainAgent | undefined;
  /** For a declared agent, whose patterns a person wrote. */
  readonly patterns?: DeclaredPatterns;
  /** True if nothing else acknowledges a prompt: an input box that is empty after Enter then counts. */
  readonly boxIsEvidence?: boolean;
  /** The texts with which it refuses to start. */
  readonly refusals?: readonly ErrorText[];
  /** How the CLI shortens a conversation that is full: by its own command, or before the next prompt without one. Absent: it cannot. */
  readonly compaction?: { readonly kind: 'command'; readonly text: string } | { readonly kind: 'by_itself' };
  /** Clears the conversation; '' if only a new launch does. */
  readonly clearText: string;
  readonly exitText: string;
  readonly interruptKeys: readonly string[];
  /** Removes text that llmc itself put into the input box. */
  readonly wipeKeys: readonly string[];
  /** Redraws the whole screen and changes nothing else, if the CLI has such keys. */
  readonly redrawKeys?: readonly string[];
}
