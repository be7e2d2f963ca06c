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
  /** Called with each complete line of stdout and stderr, for progress on slow commands. */
  readonly onLine?: (line: string) => void;
}

/**
 * How a finished process ended. A program that could not be started is a value
 * too: a missing `tmux` is an answer the caller words, not a stack trace.
 */
export type Outcome =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signaled'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly reason: string; readonly missing: boolean };

export interface Finished {
  readonly command: Command;
  readonly outcome: Outcome;
  readonly stdout: string;
  readonly stderr: string;
  /** True when output passed the cap and was cut. */
  readonly truncated: boolean;
}

export interface Processes {
  run(command: Command, options?: RunOptions): Promise<Finished>;
}

/** A program that stays, written to and read line by line. */
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

/** Connects to a unix socket. Neither function is called after the other end, or `close`, has ended it. */
export type ConnectMessages = (
  path: string,
  on: { readonly open: () => void; readonly message: (text: string) => void; readonly end: (why: string) => void },
) => MessageSocket;
