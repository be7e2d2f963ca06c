/** What a reviewer said about the work, and where: `file:line`. */
export interface Remark {
  readonly at: string | null;
  readonly text: string;
}

/** How work was reviewed. Without a rejection there are no remarks, and its messages stay as they are. */
export interface Reviewed {
  readonly remarks: readonly Remark[];
  /** The subject of a commit whose own is a remark; null if nothing better is known. */
  readonly subject: string | null;
}

export const NOT_REVIEWED: Reviewed = { remarks: [], subject: null };

/** A shorter text, such as "Typo", can be a line of any message. */
const SHORTEST = 12;

/** A label before a remark, such as "Review:", is no longer than this. */
const LONGEST_LABEL = 48;

/** The words of a message, or of a label, that names the review alone: "Address the review comments". One of them names it. */
const REVIEW = new Set(['review', 'reviews', 'reviewed', 'reviewer', 'reviewers', "reviewer's", 'code-review']);
const BESIDE_REVIEW = new Set(
  [
    'address addressed addresses apply applied applies incorporate incorporated implement implemented handle handled resolve resolved',
    'fix fixed fixes respond responded to after from per as by the all my your code',
    'comment comments feedback remark remarks suggestion suggestions note notes finding findings',
  ].flatMap((words) => words.split(' ')),
);

/** Whether the first paragraph of a message, its subject, only names the review or repeats a remark. */
export function isSaid(head: string, remarks: readonly Remark[]): boolean {
  return remarks.length > 0 && (namesReview(head) || isRemark(head, saidIn(remarks)));
}

function namesReview(text: string): boolean {
  const [, rest = ''] = /^(?:\w+(?:\([^)]*\))?!?: )?(.*)$/s.exec(bare(text)) ?? [];
  const words = rest.split(/[\s:,]+/).filter((word) => word !== '');
  return words.some((word) => REVIEW.has(word)) && words.every((word) => REVIEW.has(word) || BESIDE_REVIEW.has(word));
}

interface Said {
  /** Remarks, and their paragraphs, lines and sentences, as `bare` makes them. */
  readonly texts: ReadonlySet<string>;
  readonly atPlaces: readonly { readonly at: string; readonly text: string }[];
  /** No text that repeats a remark is longer. */
  readonly longest: number;
}

function saidIn(remarks: readonly Remark[]): Said {
  const parts = remarks.flatMap(({ text }) => [text, ...text.split(/\n\s*\n/), ...text.split('\n'), ...text.split(/(?<=[.!?])\s+/)]);
  const texts = new Set(parts.map(bare).filter((text) => text.length >= SHORTEST));
  const atPlaces = remarks.flatMap(({ at, text }) => (at === null ? [] : [{ at: at.toLowerCase(), text: bare(text) }]));
  const lengths = remarks.map(({ at, text }) => (at?.length ?? 0) + text.length);
  return { texts, atPlaces, longest: Math.max(0, ...lengths) + 2 * LONGEST_LABEL };
}

/**
 * Leaves out the lines of a commit message that repeat what the reviewer said: the history is about the change. The subject stays, and so
 * does a text that has more than the remark in it. A remark may be wrapped in another way than it was written.
 */
export function withoutRemarks(message: string, remarks: readonly Remark[]): string {
  if (remarks.length === 0) return message;
  const said = saidIn(remarks);
  const [subject = '', ...lines] = message.split('\n');
  if (isRemark(cutToFirstParagraph(message), said)) lines.splice(0, cutToFirstParagraph(message).split('\n').length - 1);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const count = remarkAt(lines, at, said);
    if (count === 0) kept.push(lines[at] ?? '');
    at += Math.max(1, count);
  }
  const head = isRemark(cutToFirstParagraph(message), said) ? cutToFirstParagraph(message) : subject;
  return [head, ...kept]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
}

/** The first paragraph of a message. */
export const cutToFirstParagraph = (message: string): string => message.split(/\n\s*\n/, 1)[0] ?? '';

/** How many lines from here repeat a remark, as many as possible. */
function remarkAt(lines: readonly string[], start: number, said: Said): number {
  let [text, count] = ['', 0];
  for (let at = start; at < lines.length && text.length <= said.longest; at += 1) {
    const line = lines[at]?.trim() ?? '';
    if (line === '') break;
    text = text === '' ? line : `${text} ${line}`;
    if (isRemark(text, said)) count = at - start + 1;
  }
  return count;
}

function isRemark(given: string, said: Said): boolean {
  const text = bare(given);
  if (said.texts.has(text) || isAtPlace(text, said)) return true;
  const end = text.slice(0, LONGEST_LABEL).indexOf(': ');
  if (end === -1) return false;
  const rest = bare(text.slice(end + 2));
  if (said.texts.has(rest)) return true;
  // With a label that names the review, a part of a remark repeats it too.
  return rest.length >= SHORTEST && namesReview(text.slice(0, end)) && [...said.texts].some((each) => ` ${each} `.includes(` ${rest} `));
}

/** `At src/a.ts:12: the remark`, as the agent was told it; or the place and the remark in other words around it. */
function isAtPlace(text: string, { texts, atPlaces }: Said): boolean {
  return atPlaces.some(({ at, text: remark }) => {
    const place = [`at ${at}:`, `${at}:`, `${at} `].find((each) => `${text} `.startsWith(each));
    if (place === undefined) return false;
    const rest = bare(text.slice(place.length).replace(/^[:\s]+/, ''));
    return place.startsWith('at ') || rest === '' || rest === remark || texts.has(rest);
  });
}

/** A text in one line, without the marks of lists and quotations and without its last full stop, in lower case. */
function bare(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^[\s>*•–-]+|^\s*\d+[.)]\s+/g, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["'“‘`]+|["'”’`.!]+$/g, '')
    .trim()
    .toLowerCase();
}
