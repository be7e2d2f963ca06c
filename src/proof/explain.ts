import { z } from 'zod';

/** Names a line that is missing (`Dropped`) or that came back (`Restored`) on purpose. */
const explanationSchema = z.object({ kind: z.enum(['dropped', 'restored']), value: z.string().max(10_000) });
export type Explanation = z.infer<typeof explanationSchema>;

/** More would be a program's output, not a person's or an agent's reasons. */
const MOST = 1_000;

/** Reads trailers, one per line: `Dropped: src/a.ts: const x = 1;`. Ignores lines of another form. */
export function parseExplanations(trailers: string): readonly Explanation[] {
  return trailers
    .split('\n')
    .slice(0, MOST)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      const parsed = explanationSchema.safeParse({ kind: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1).trim() });
      return parsed.success ? [parsed.data] : [];
    });
}

/** Fewer characters before the three dots could name any line. */
const SHORTEST_BEGINNING = 8;

/** True if a trailer names this line of this file: by its whole text, or by its beginning and three dots. Spaces do not count. */
export function isExplained(kind: Explanation['kind'], path: string, text: string, explanations: readonly Explanation[]): boolean {
  const line = inSingleSpaces(text);
  return explanations.some((explanation) => {
    if (explanation.kind !== kind || !explanation.value.startsWith(`${path}: `)) return false;
    const named = inSingleSpaces(explanation.value.slice(path.length + 2));
    const beginning = named.endsWith('...') ? named.slice(0, -3).trimEnd() : undefined;
    return named === line || (beginning !== undefined && beginning.length >= SHORTEST_BEGINNING && line.startsWith(beginning));
  });
}

const inSingleSpaces = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');
