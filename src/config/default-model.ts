/**
 * The model of a worker that names none. A model is a word of one CLI: that of `[defaults]` is meant for the default agent,
 * and another CLI would only refuse it.
 */
export function defaultModel(family: string, defaultFamily: string, chosen: string | undefined): string {
  if (family === defaultFamily && chosen !== undefined) return chosen;
  return family === 'claude' ? 'opus' : '';
}
