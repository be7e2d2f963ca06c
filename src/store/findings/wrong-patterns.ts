import * as z from 'zod';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { readTextIfThere } from '../../system/files/files.ts';

const wrongSchema = z.object({
  /** The declared agent, and the pattern by its name and by its text: another text is another pattern. */
  agent: z.string(),
  pattern: z.string(),
  source: z.string(),
  /**
   * - `never_matched`: no line matched it while the agent waited for its first prompt
   * - `misses_text`: the screen showed a prompt that was typed, and the box did not hold it
   * - `always_busy`: it matched a screen that did not change, before the agent had any prompt
   */
  kind: z.enum(['never_matched', 'misses_text', 'always_busy']),
  worker: z.string(),
  at_ms: z.int(),
  /** What it was matched against: the last lines of the screen. */
  lines: z.array(z.string()),
  /** The beginning of the text that was typed, for `misses_text`. */
  typed: z.string().nullable(),
});

/** A pattern of a declared agent that is proven wrong. */
export type WrongPattern = z.infer<typeof wrongSchema>;

const MOST_KEPT = 20;

/** An unreadable file counts as empty: a pattern that is wrong is found out again. */
export function readWrongPatterns(path: string): readonly WrongPattern[] {
  try {
    return z.array(wrongSchema).parse(JSON.parse(readTextIfThere(path) ?? '[]'));
  } catch {
    return [];
  }
}

/** Newest first, one per pattern. Only the supervisor writes the file. */
export function keepWrongPattern(path: string, wrong: WrongPattern): void {
  const others = readWrongPatterns(path).filter(({ agent, pattern }) => agent !== wrong.agent || pattern !== wrong.pattern);
  atomicWrite(path, `${JSON.stringify([wrong, ...others].slice(0, MOST_KEPT), null, 2)}\n`);
}
