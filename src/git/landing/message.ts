import { cutToFirstParagraph, isSaid, NOT_REVIEWED, type Reviewed, withoutRemarks } from './remarks.ts';
import { joinTrailers, splitTrailers } from './trailers.ts';

const UNTITLED = 'Untitled change';

/** Texts of lines to remove, with `*` for any text: `[repo] attribution`. */
export type Attribution = readonly string[];

/**
 * Lines that only say that a tool typed the text, whichever tool:
 * - a line that begins with "Generated with", after any emoji, bullet or mark-up,
 * - a line that begins with the robot emoji and continues with who generated, created or wrote it, or has nothing else.
 * A sentence that has these words further in ("the table is generated with protoc") stays.
 */
const BY_A_TOOL: readonly RegExp[] = [
  /^[^\p{L}\p{N}]*generated with\b/iu,
  /^\s*🤖[^\p{L}\p{N}]*((generated|created|written|made|authored|co-authored|assisted|powered|via)\b.*)?$/iu,
];

export function isAttribution(line: string, attribution: Attribution): boolean {
  // Mark-up before the text does not make it another line.
  const bare = line.replace(/^[\s>*_-]+/, '').trimEnd();
  return BY_A_TOOL.some((rule) => rule.test(line)) || attribution.some((wanted) => matches(bare, wanted));
}

/** Compares a whole line, without regard to case. `*` stands for any text. Takes time in proportion to the line: an agent chooses its length. */
function matches(line: string, wanted: string): boolean {
  const [first = '', ...rest] = wanted.toLowerCase().split('*');
  const text = line.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Removes attribution lines. The result is never empty. */
export function stripAttribution(message: string, attribution: Attribution): string {
  const kept = message
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !isAttribution(line, attribution))
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return kept === '' ? UNTITLED : kept;
}

/**
 * Joins the messages of several commits in order, each once, with the trailers of all of them at the end, where git finds them.
 * What a reviewer said is not part of it: a subject that repeats a remark makes room for that of another commit, or of the task.
 */
export function composeMessage(messages: readonly string[], attribution: Attribution, reviewed: Reviewed = NOT_REVIEWED): string {
  const told = messages
    .filter((message) => !isFixup(message))
    .map((message) => stripAttribution(withoutRemarks(message, reviewed.remarks), attribution));
  const distinct = [...new Set(told)].filter((message) => message !== UNTITLED);
  const [only, ...others] = distinct;
  if (only === undefined) return UNTITLED;
  const split = distinct
    .map(splitTrailers)
    .map(({ body, trailers }) => ({ trailers, body, isSaid: isSaid(cutToFirstParagraph(body), reviewed.remarks) }));
  if (others.length === 0 && split[0]?.isSaid !== true) return only;
  const first = split.find((each) => !each.isSaid);
  const rest = split.filter((each) => each !== first).map((each) => (each.isSaid ? withoutHead(each.body) : each.body));
  const subject = first?.body ?? reviewed.subject ?? cutToFirstParagraph(only);
  const bodies = [...new Set([subject, ...rest])].filter((body) => body !== '');
  return joinTrailers(
    bodies.join('\n\n'),
    split.flatMap(({ trailers }) => trailers),
  );
}

const withoutHead = (body: string): string => body.slice(cutToFirstParagraph(body).length).trim();

/** The message of `git commit --fixup` only names another commit. */
const isFixup = (message: string): boolean => /^(fixup|amend)! /.test(message) && !message.trim().includes('\n');
