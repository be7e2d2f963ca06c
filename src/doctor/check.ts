import type { Agent, Environment } from '../agents/agent.ts';
import type { LlmcError } from '../base/error.ts';
import type { Clock, Processes } from '../base/ports.ts';
import type { Config } from '../config/schema.ts';
import type { Repair } from '../recovery/records/repair-step.ts';
import type { Copy } from '../store/copies.ts';
import type { DatabaseRead } from '../store/database.ts';
import type { Canary, CanaryKey } from '../store/findings/canaries.ts';
import type { WrongPattern } from '../store/findings/wrong-patterns.ts';
import type { Misplaced } from '../store/places.ts';
import type { StateRead } from '../store/state-file.ts';
import type { StateSource } from '../store/state-record.ts';
import type { RecordedHeartbeat } from '../store/tables/heartbeat.ts';
import type { Access } from '../system/files/access.ts';

export type CheckLevel = 'ok' | 'warning' | 'failed';

export interface Finding {
  readonly level: CheckLevel;
  /** One line. */
  readonly message: string;
  /** What to type or do next. */
  readonly hint?: string;
  /** What `llmc doctor --repair` can do about it. */
  readonly repairs?: readonly Repair[];
  /** For `--json`: the same in parts. */
  readonly details?: unknown;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

export interface WorkflowFiles {
  readonly files: readonly {
    readonly file: string;
    readonly origin: 'root' | 'repository';
    readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
  }[];
  /** Why those of the repository could not be read. */
  readonly unread: string | undefined;
}

/** Everything a check may read. Checks change nothing: they return what would repair it. */
export interface DoctorContext {
  readonly root: string;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly nodeVersion: string;
  readonly home: string | undefined;
  readonly tmuxSocket: string;
  /** The program an adapter starts when the configuration names none; empty for the built-in agent, undefined if there is no such adapter. */
  readonly defaultCommand: (adapter: string) => string | undefined;
  /** Undefined if there is no such adapter. */
  readonly adapterOf: (adapter: string) => Pick<Agent, 'hookFiles' | 'login' | 'configFolder'> | undefined;
  readonly env: Environment;
  /** Versions of an adapter's CLI with recorded screens; undefined if llmc does not distinguish versions. */
  readonly recordedVersions: (adapter: string) => readonly string[] | undefined;
  /** The result of the canary for this version, on this machine and with this llmc. */
  readonly canaryOf: (key: Omit<CanaryKey, 'llmc'>) => Canary | undefined;
  /** The patterns of declared agents that the supervisor found out to be wrong. */
  readonly wrongPatterns: () => readonly WrongPattern[];
  /** The configuration in force: config.toml, or the last valid one while it is invalid. */
  readonly config: () => Promise<Config>;
  /** config.toml itself. Throws what `loadConfig` throws. */
  readonly loadConfig: () => Promise<Config>;
  /** The workflow files of the root and of its repository. */
  readonly workflows: () => Promise<WorkflowFiles>;
  readonly readState: () => StateRead;
  /** What a lost state.json can be restored from. */
  readonly stateSource: () => StateSource | undefined;
  /** The workers whose conflict the database knows as open; undefined if it cannot be read. */
  readonly resolving: () => ReadonlySet<string> | undefined;
  /** The runs that the database or their own files know; undefined if the database cannot be read. */
  readonly knownRuns: () => ReadonlySet<string> | undefined;
  /** Whether a supervisor runs for this root. */
  readonly isSupervised: () => Promise<boolean>;
  /** Why a supervisor that runs does not answer; undefined if it does, or if none runs. */
  readonly silence: () => Promise<LlmcError | undefined>;
  /** The last pass that a supervisor recorded; undefined also if the database cannot be read. */
  readonly lastHeartbeat: () => RecordedHeartbeat | undefined;
  readonly readDatabase: () => DatabaseRead;
  /** The newest copy that could take the place of the database. */
  readonly databaseCopy: () => Copy | undefined;
  /** Every path of the root that is not what llmc needs there. */
  readonly misplaced: () => readonly Misplaced[];
  readonly isWritable: (path: string) => boolean;
  /** Every path that llmc makes for its user alone. */
  readonly ownPaths: () => readonly string[];
  readonly accessTo: (path: string) => Access | undefined;
  readonly exists: (path: string) => Promise<boolean>;
  /** A plain file that agents or the user may have written; undefined without one. */
  readonly readText: (path: string) => string | undefined;
  /** The number in a file of the system; undefined where there is none. */
  readonly readNumber: (path: string) => number | undefined;
  readonly freeBytes: (path: string) => Promise<number>;
}

export interface Check {
  readonly name: string;
  run(context: DoctorContext): Promise<Finding>;
}

export const ok = (message: string): Finding => ({ level: 'ok', message });
export const warning = (message: string, hint?: string): Finding => ({ level: 'warning', message, ...(hint !== undefined && { hint }) });
export const failed = (message: string, hint?: string): Finding => ({ level: 'failed', message, ...(hint !== undefined && { hint }) });

/** The finding with what can be done about it. */
export const repairable = (finding: Finding, ...repairs: readonly Repair[]): Finding => ({ ...finding, repairs });
