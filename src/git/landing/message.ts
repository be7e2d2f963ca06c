const UNTITLED = 'Untitled change';

/**
 * Lines that only say which tool typed the text:
 * - a `Co-Authored-By:` trailer, whoever it names,
 * - a line that begins with "Generated with", after any emoji, bullet or mark-up,
 * - a line that begins with the robot and goes on about who generated, created or wrote it, or holds nothing else.
 * A sentence that mentions such words further in ("the table is generated with protoc") stays.
 */
const ATTRIBUTION: readonly RegExp[] = [
  /^[\s>*_-]*co-authored-by\s*:/i,
  /^[^\p{L}\p{N}]*generated with\b/iu,
  /^\s*🤖[^\p{L}\p{N}]*((generated|created|written|made|authored|co-authored|assisted|powered|via)\b.*)?$/iu,
];

export function isAttribution(line: string): boolean {
  return ATTRIBUTION.some((rule) => rule.test(line));
}

/** Never ends up empty. */
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

/** One message for several commits: the first leads, the others follow in order, each once. */
export function composeMessage(messages: readonly string[]): string {
  const cleaned = messages.filter((message) => !isFixup(message)).map(stripAttribution);
  const told = [...new Set(cleaned)].filter((message) => message !== UNTITLED);
  return told.length === 0 ? UNTITLED : told.join('\n\n');
}

/** `git commit --fixup` says only which commit it belongs to. */
const isFixup = (message: string): boolean => /^(fixup|amend)! /.test(message) && !message.trim().includes('\n');
