import * as z from 'zod';

/** The text of one line, with `*` for any text. */
export const attribution = z
  .string()
  .max(200)
  .regex(/[\p{L}\p{N}]/u, { error: 'expected the text of a line, with * for any text' })
  .regex(/^[^\n\0]*$/, { error: 'expected one line' });

/**
 * How agent CLIs sign the commits they make. A person has an address that people write to, also the one that GitHub gives
 * (`1+name@users.noreply.github.com`).
 */
export const AGENT_CO_AUTHORS: string[] = [
  'Co-Authored-By:*<noreply@*>',
  'Co-Authored-By:*<no-reply@*>',
  'Co-Authored-By:*[bot]*',
  'Co-Authored-By:*<*+Copilot@users.noreply.github.com>',
  'Co-Authored-By:*<cursoragent@cursor.com>',
  'Co-Authored-By: Claude',
  'Co-Authored-By: Codex',
];
