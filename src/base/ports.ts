import type { Command } from './command.ts';

/** Milliseconds since the Unix epoch. */
export type Instant = number;

export interface Clock {
  now(): Instant;
  /** Resolves after `ms`, or rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  id(): string;
}

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the process that leads the group of everything the program starts. */
  readonly onStart?: (pid: number) => void;
  /** Called when the program itself has exited. What it left running may still hold its output, and the result waits for that. */
  readonly onExit?: () => void;
  /** Called with each complete line of stdout and stderr, for progress on slow commands. */
  readonly onLine?: (line: string) => void;
  /** Leave `stdout` and `stderr` of the result empty: `onLine` has seen it all, and a test may print for hours. */
  readonly onlyLines?: boolean;
  /** `latin1` keeps every byte of the output as one character. */
  readonly encoding?: 'utf8' | 'latin1';
}

/**
 * How a process ended. A program that cannot start is also a value: the caller
 * turns a missing `tmux` into a message instead of a stack trace.
 */
export type ProcessOutcome =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signaled'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly reason: string; readonly missing: boolean; readonly cause?: Error };

export interface Finished {
  readonly command: Command;
  readonly outcome: ProcessOutcome;
  readonly stdout: string;
  readonly stderr: string;
  /** True when output passed the cap and was cut. */
  readonly truncated: boolean;
}

export interface Processes {
  run(command: Command, options?: RunOptions): Promise<Finished>;
}

/** A long-running program that llmc writes to and reads line by line. */
export interface LineProcess {
  send(lines: string): void;
  stop(): void;
}

export type StartLineProcess = (command: Command, onLine: (line: string) => void, onEnd: () => void) => LineProcess;

/** A connection that carries whole messages of text, in order. */
export interface MessageSocket {
  send(message: string): void;
  close(): void;
}

/** Connects to a unix socket. Calls no function after `end` or `close`. */
export type ConnectMessages = (
  path: string,
  on: { readonly open: () => void; readonly message: (text: string) => void; readonly end: (why: string) => void },
) => MessageSocket;

/** How far a file that another process appends to has been read. */
export interface ReadSoFar {
  readonly inode: bigint;
  readonly offset: number;
}

export interface Growth {
  /** Whole lines only; an unfinished line is read once it has ended. */
  readonly text: string;
  readonly now: ReadSoFar;
  /** The file was replaced or cut, so discard what was read before. */
  readonly fromStart: boolean;
  /** More whole lines are left for the next call. */
  readonly more: boolean;
}

/** The last lines of a file. */
export interface FileEnd {
  readonly text: string;
  /** The byte of the file that the text begins with. */
  readonly start: number;
  /** The size of the file when it was read. */
  readonly size: number;
}

/** A plain file in a folder. */
export interface FileEntry {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
}

export interface Listing {
  readonly files: readonly FileEntry[];
  /** Names of links, pipes and the like; not of folders. */
  readonly others: readonly string[];
  /** The folder has more entries than were read. */
  readonly more: boolean;
}

/** The files the supervisor reads and writes, each call finished when it returns. */
export interface Files {
  exists(path: string): boolean;
  /** Undefined when there is no such file. Throws for anything but a plain file, and for one that is far too large. */
  readText(path: string): string | undefined;
  /** In bytes; 0 when there is no such file. */
  size(path: string): number;
  /** Equal while no process writes the file. Undefined for a missing file, and for one written so recently that its next change could have the same stamp. */
  stamp(path: string): string | undefined;
  /** The text of a plain file that an agent may have written; undefined when it is missing, larger, not a plain file or cannot be read. */
  readForeign(path: string, mostBytes: number): string | undefined;
  /** The last whole lines of such a file, at most this many bytes of them, and none that began before `from`. */
  readEnd(path: string, mostBytes: number, from?: number): FileEnd | undefined;
  /** The size of a plain file. `absent` only if the system says so; `unknown` for anything else, such as a link or a folder without access. */
  plainSize(path: string): number | 'absent' | 'unknown';
  /** Names in a folder, at most this many, in no order; none when it is missing, a link, or cannot be read. */
  names(folder: string, most: number): readonly string[];
  /** The entries of a folder, at most this many, in no order; none when it is missing, a link, or cannot be read. */
  list(folder: string, most: number): Listing;
  /** The lines appended since `before`; undefined when there is no such plain file, or a far too large one. */
  readGrowth(path: string, before: ReadSoFar | undefined): Growth | undefined;
  /** Writes a file that only this user may read, and makes its folder. */
  writePrivate(path: string, content: string): void;
  /** Replaces a file so that a reader, or a machine that lost power, finds the old content or the new. */
  replace(path: string, content: string, options?: { readonly beforeRename?: () => void; readonly keepMode?: boolean }): void;
  append(path: string, content: string): void;
  copy(from: string, to: string): void;
  rename(from: string, to: string): void;
  makeFolder(path: string): void;
  /** Removes a file or a whole folder; does nothing when it is not there. */
  remove(path: string): void;
  /** Removes what is not a folder; does nothing when it is gone already, or is a folder. */
  unlink(path: string): void;
  /** Removes a socket whose server was killed, with the files the server kept beside it. */
  removeSocket(path: string): void;
}

export interface Signals {
  isAlive(pid: number): boolean;
  /** False when the process has ended or belongs to another user. */
  send(pid: number, signal: NodeJS.Signals): boolean;
  /** Kills every process that inherited all of these `NAME=value`, or that belongs to the session, and returns how many there were. */
  killStrays(variables: readonly string[], session?: number): number;
}

/**
 * Calls `onChange` with the name of what changed in a folder, or null where the system does not say. Throws when the system
 * has no watches left. A watch only saves time: poll as well.
 */
export type WatchFolder = (folder: string, onChange: (name: string | null) => void) => Disposable;

export interface Scheduler {
  /** Runs `work` after the events that are already waiting. */
  soon(work: () => void): void;
}

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Tells a process from a later one under the same number. */
  readonly started: string;
  /** `stopped` by a signal; `blocked`: waits for the disk or for memory and answers nothing. */
  readonly state: 'runs' | 'stopped' | 'blocked';
  /** Whether it reads the keys of its terminal. */
  readonly foreground: boolean;
  /** Processor time it has used so far. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** Everything the supervisor reaches outside its own process, apart from the database. */
export interface SystemPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly processes: Processes;
  readonly startLineProcess: StartLineProcess;
  /** Every process of the machine; none when the system does not say. */
  readonly listProcesses: () => Promise<readonly ProcessRow[]>;
  readonly signals: Signals;
  readonly files: Files;
  readonly watchFolder: WatchFolder;
  readonly connectMessages: ConnectMessages;
}
