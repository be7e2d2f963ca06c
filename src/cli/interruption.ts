const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let signal: AbortSignal | undefined;
let first: string | undefined;

/**
 * A signal that the first Ctrl+C, SIGTERM or SIGHUP aborts, so that a command can clean up; the second one exits at once. Use a
 * listener for the `exit` event of the process to clean up even then.
 */
export function interruption(): AbortSignal {
  if (signal !== undefined) return signal;
  const controller = new AbortController();
  for (const [name, status] of Object.entries(STATUSES)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(status);
      first ??= name;
      controller.abort();
    });
  }
  signal = controller.signal;
  return signal;
}

/** The exit status of a command that the first signal ended; undefined before it. */
export function interruptedStatus(): number | undefined {
  return Object.entries(STATUSES).find(([name]) => name === first)?.[1];
}

/** Calls the listener at the first signal, if the command uses `interruption`: others end at once. */
export function whenInterrupted(listener: () => void): Disposable {
  signal?.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener('abort', listener) };
}

/** Whether the first signal was Ctrl+C: a person at the terminal. A closed terminal and a logout are not. */
export function wasCtrlC(): boolean {
  return first === 'SIGINT';
}

/** At Ctrl+C, prints what was cancelled and what continues. Ends the process, unless a caller of `interruption` does that itself. */
export function sayWhenInterrupted(words: string, say: (line: string) => void): Disposable {
  const onSignal = () => {
    if (ignoring > 0) return;
    // Start a new line: the terminal has just printed ^C.
    say(`\n${words}`);
    if (signal === undefined) process.exit(130);
  };
  process.on('SIGINT', onSignal);
  return { [Symbol.dispose]: () => void process.off('SIGINT', onSignal) };
}

let ignoring = 0;

/** Leaves Ctrl+C to a program in the same terminal, such as a pager, which gets it too. */
export function ignoreInterrupts(): Disposable {
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  ignoring += 1;
  return {
    [Symbol.dispose]() {
      process.off('SIGINT', ignore);
      ignoring -= 1;
    },
  };
}
