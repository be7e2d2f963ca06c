/** What a reviewer said about the work, and where: `file:line`. */
export interface Remark {
  readonly at: string | null;
  readonly text: string;
}

/** A shorter line, such as "Typo", can be a line of any message. */
const SHORTEST = 12;

const LONGEST = 100;

/** A message of one line that names the review alone, such as "Address the review comments". It is about the way, not about the change. */
const ABOUT_REVIEW =
  /^(?:\w+(?:\([^)]*\))?!?: )?(?:address|apply|incorporate|implement|handle|resolve|fix|respond to)\w* (?:the |all |my |your )*(?:code[- ])?review(?:er)?(?:'s)?(?: (?:comments?|feedback|remarks?|suggestions?|notes?|findings?))?\.?$/i;

/** Whether a message is about the review alone, or only repeats what was said there: of several commits, others say what changed. */
export function isAboutReview(message: string, remarks: readonly Remark[]): boolean {
  const text = message.trim();
  return (text.length <= LONGEST && ABOUT_REVIEW.test(text)) || linesOf(remarks).has(bare(text));
}

/** The lines of all remarks that are long enough to be recognised. */
function linesOf(remarks: readonly Remark[]): ReadonlySet<string> {
  return new Set(remarks.flatMap(({ text }) => text.split('\n').map(bare)).filter((line) => line.length >= SHORTEST));
}

/**
 * Leaves out the lines of a commit message that repeat what the reviewer said: the history is about the change. The subject stays, and so
 * does a line that has more than the remark in it.
 */
export function withoutRemarks(message: string, remarks: readonly Remark[]): string {
  if (remarks.length === 0) return message;
  const places = remarks.flatMap(({ at }) => (at === null ? [] : [at.toLowerCase()]));
  const said = linesOf(remarks);
  const [subject = '', ...lines] = message.split('\n');
  const kept = lines.filter((line) => !isRemark(bare(line), said, places));
  return [subject, ...kept]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
}

function isRemark(line: string, said: ReadonlySet<string>, places: readonly string[]): boolean {
  if (said.has(line)) return true;
  const place = places.find((at) => line.startsWith(`at ${at}:`) || line.startsWith(`${at}:`) || line.startsWith(`${at} `));
  if (place === undefined) return false;
  const rest = bare(line.slice(line.indexOf(place) + place.length).replace(/^[:\s]+/, ''));
  return line.startsWith('at ') || said.has(rest) || rest === '';
}

/** Without the mark of a list or a quotation around it, in lower case. */
function bare(line: string): string {
  return line
    .replace(/^[\s>*•–-]+|^\s*\d+[.)]\s+/g, '')
    .replace(/^["'“‘`]|["'”’`]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
