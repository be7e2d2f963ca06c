const UNTITLED = 'Untitled change';

/**
 * Lines that only say which tool typed the text:
 * - a `Co-Authored-By:` trailer with any name,
 * - a line that begins with "Generated with", after any emoji, bullet or mark-up,
 * - a line that begins with the robot emoji and continues with who generated, created or wrote it, or has nothing else.
 * A sentence that has these words further in ("the table is generated with protoc") stays.
 */
const ATTRIBUTION: readonly RegExp[] = [
  /^[\s>*_-]*co-authored-by\s*:/i,
  /^[^\p{L}\p{N}]*generated with\b/iu,
  /^\s*🤖[^\p{L}\p{N}]*((generated|created|written|made|authored|co-authored|assisted|powered|via)\b.*)?$/iu,
];

export function isAttribution(line: string): boolean {
  return ATTRIBUTION.some((rule) => rule.test(line));
}

/** Removes attribution lines. The result is never empty. */
export function stripAttribution(message: string): string {
  const kept = message
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !isAttribution(line))
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return kept === '' ? UNTITLED : kept;
}

/** Joins the messages of several commits in order, each once. */
export function composeMessage(messages: readonly string[]): string {
  const cleaned = messages.filter((message) => !isFixup(message)).map(stripAttribution);
  const distinct = [...new Set(cleaned)].filter((message) => message !== UNTITLED);
  return distinct.length === 0 ? UNTITLED : distinct.join('\n\n');
}

/** The message of `git commit --fixup` only names another commit. */
const isFixup = (message: string): boolean => /^(fixup|amend)! /.test(message) && !message.trim().includes('\n');
