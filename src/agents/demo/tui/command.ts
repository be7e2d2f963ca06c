/** The meaning of a submitted text, before any work starts. */
export type Submission =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'compact' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'unknown'; readonly word: string };

/** Has the same traps as real CLIs: `!` runs a shell command, `/word` is never a prompt, `exit` and `quit` exit. */
export function readSubmission(text: string): Submission {
  const trimmed = text.trim();
  if (trimmed === 'exit' || trimmed === 'quit' || trimmed === '/exit' || trimmed === '/quit') return { kind: 'exit' };
  if (trimmed === '/clear') return { kind: 'clear' };
  if (trimmed === '/compact') return { kind: 'compact' };
  if (trimmed.startsWith('!')) return { kind: 'shell', command: trimmed.slice(1) };
  const word = /^\/[A-Za-z][\w-]*(?=\s|$)/.exec(trimmed)?.[0];
  return word === undefined ? { kind: 'prompt', text } : { kind: 'unknown', word };
}
