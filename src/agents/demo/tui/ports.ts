import type { Fact } from './fact.ts';
import type { TaskRecord } from './record.ts';
import type { Quirks } from './scenario/quirks.ts';
import type { Scenario } from './scenario/step.ts';
import type { RunCommand } from './turn/shell.ts';

/** The ports of one session. */
export interface SessionPorts {
  readonly cwd: string;
  readonly worker: string;
  readonly scenario: Scenario;
  readonly quirks: Quirks;
  readonly run: RunCommand;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  append(id: string, facts: readonly Fact[]): void;
  /** Writes a line to the file of `--record`. */
  record(line: TaskRecord): void;
  /** Whether a tool may run without a permission dialog. */
  allows(tool: string): boolean;
  /** Requests a redraw of the screen. */
  changed(): void;
  leave(status: number, id: string): void;
}
