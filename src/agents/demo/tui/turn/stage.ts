import type { Answer, Dialog } from '../dialog.ts';
import type { AskedFile } from '../results/asked-files.ts';
import type { MisbehaviourSpec } from '../scenario/step.ts';
import type { RunCommand } from './shell.ts';

/** The effects of a turn. */
export interface Stage {
  readonly cwd: string;
  readonly words: Readonly<Record<string, string>>;
  /** The files that the task asks for. */
  readonly files: readonly AskedFile[];
  /** The task in a few words. */
  readonly gist: string;
  readonly run: RunCommand;
  /** How many verdicts asked for changes in this conversation. */
  remarksGiven(): number;
  remarked(): void;
  now(): number;
  say(text: string): void;
  /** Shows a running tool; the returned function shows its result. */
  tool(name: string, title: string): (output: string) => void;
  /** Opens a dialog. Rejects if the turn is interrupted. */
  ask(dialog: Dialog, tool: string | null): Promise<Answer>;
  allows(tool: string): boolean;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  misbehave(what: MisbehaviourSpec | 'as ordered', signal: AbortSignal): Promise<void>;
  answered(step: number, answer: string): void;
  done(steps: number): void;
}
