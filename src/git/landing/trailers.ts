/** A message in two parts: what a person reads, and the lines at its end that programs read. */
export interface Split {
  readonly body: string;
  readonly trailers: readonly string[];
}

const TRAILER = /^[A-Za-z0-9][A-Za-z0-9-]*[ \t]*:/;
const CONTINUATION = /^[ \t]+\S/;
/** git itself writes these, so a paragraph with one of them may have other lines too. */
const WRITTEN_BY_GIT = /^(Signed-off-by: |\(cherry picked from commit )/;
/** git takes such a paragraph for trailers if at least a quarter of its lines are. */
const SHARE = 4;

/** Splits off the trailers by the rules of `git interpret-trailers`: the last paragraph, which is not also the first. */
export function splitTrailers(message: string): Split {
  const at = message.lastIndexOf('\n\n');
  if (at === -1) return { body: message, trailers: [] };
  const lines = message.slice(at + 2).split('\n');
  return isTrailerBlock(lines)
    ? { body: message.slice(0, at).trimEnd(), trailers: withContinuations(lines) }
    : { body: message, trailers: [] };
}

/** Puts trailers below a text, each once. */
export function joinTrailers(body: string, trailers: readonly string[]): string {
  const distinct = [...new Set(trailers)];
  return distinct.length === 0 ? body : `${body}\n\n${distinct.join('\n')}`;
}

function isTrailerBlock(lines: readonly string[]): boolean {
  if (lines[0] === undefined || CONTINUATION.test(lines[0])) return false;
  const trailers = lines.filter((line) => TRAILER.test(line) || WRITTEN_BY_GIT.test(line));
  const others = lines.filter((line) => !trailers.includes(line) && !CONTINUATION.test(line));
  if (trailers.length === 0) return false;
  return others.length === 0 || (lines.some((line) => WRITTEN_BY_GIT.test(line)) && trailers.length * SHARE >= lines.length);
}

/** Keeps the further lines of a long trailer with its first one. */
function withContinuations(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const line of lines) {
    if (CONTINUATION.test(line) && whole.length > 0) whole.push(`${whole.pop()}\n${line}`);
    else whole.push(line);
  }
  return whole;
}
