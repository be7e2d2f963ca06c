const BEGIN = /^<{7,}(?: |$)/;
const MIDDLE = /^={7,}$/;
const END = /^>{7,}(?: |$)/;

/** What git writes at both ends of a conflict. The middle is left out: it underlines headings, too. */
export const isMarker = (line: string): boolean => BEGIN.test(line) || END.test(line);

/**
 * The lines, from 0, at which a conflict begins in the result: a begin, a middle and an end in this order. `surplus` are the lines
 * that the result has more often than the sides, so a marker that is text of a side does not count.
 */
export function conflictsLeft(result: readonly string[], surplus: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  let begin: number | undefined;
  let middle = false;
  for (const [at, text] of result.entries()) {
    const line = text.replace(/\r$/, '');
    if (surplus.has(at) && BEGIN.test(line)) {
      begin = at;
      middle = false;
    } else if (begin !== undefined && MIDDLE.test(line)) middle = true;
    else if (begin !== undefined && middle && surplus.has(at) && END.test(line)) {
      found.push(begin);
      begin = undefined;
    }
  }
  return found;
}
