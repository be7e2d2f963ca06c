const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * The first Ctrl+C, or a closed terminal, aborts; the second one leaves at once. Whoever
 * must not leave things behind even then listens to the process's own exit.
 */
export function interrupt(): AbortSignal {
  const controller = new AbortController();
  for (const [name, status] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(status);
      controller.abort();
    });
  }
  return controller.signal;
}
