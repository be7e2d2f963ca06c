let signal: AbortSignal | undefined;

/** Aborted by the first Ctrl+C or SIGTERM, so that a command can stop in good order; the second one ends it at once. */
export function interruption(): AbortSignal {
  if (signal !== undefined) return signal;
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  signal = controller.signal;
  return signal;
}
