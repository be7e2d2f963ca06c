import type { Fact } from './fact.ts';
import type { Quirks } from './scenario/quirks.ts';
import type { Scenario } from './scenario/step.ts';
import type { RunCommand } from './turn/shell.ts';

/** The world as one session sees it. */
export interface SessionPorts {
  readonly cwd: string;
  readonly worker: string;
  readonly scenario: Scenario;
  readonly quirks: Quirks;
  readonly run: RunCommand;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  append(id: string, fact: Fact): void;
  /** Whether a tool may run without being asked about. */
  allows(tool: string): boolean;
  /** The screen has to be drawn again. */
  changed(): void;
  leave(status: number, id: string): void;
}
