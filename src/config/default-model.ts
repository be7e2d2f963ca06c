/**
 * The model of a worker that names none. The model of `[defaults]` applies only to the default agent, because another
 * CLI does not know the name and would refuse it.
 */
export function defaultModel(family: string, defaultFamily: string, chosen: string | undefined): string {
  if (family === defaultFamily && chosen !== undefined) return chosen;
  return family === 'claude' ? 'opus' : '';
}
