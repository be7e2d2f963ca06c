/** A line of a hunk. The numbers are those in the old and in the new file. */
export interface PatchLine {
  readonly sign: '+' | '-' | ' ';
  /** As git printed it, without its sign. Not for a terminal yet. */
  readonly text: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** The file ends here without a line feed. */
  readonly endsBare?: true;
}

export interface Hunk {
  readonly before: number;
  readonly after: number;
  /** What git prints after the range: mostly the function around it. */
  readonly heading: string;
  readonly lines: readonly PatchLine[];
}

/** The part of a patch about one file. */
export interface PatchSection {
  /** Everything before the first hunk, from `diff --git` on. */
  readonly header: readonly string[];
  readonly hunks: readonly Hunk[];
}

const RANGE = /^(@{2,}) ((?:-\d{1,10}(?:,\d{1,10})? )+)\+(\d{1,10})(?:,(\d{1,10}))? \1(?: (.*))?$/s;

/**
 * Reads what `git diff` prints. The counts of a hunk decide where it ends, not the look of its lines: an agent can write a file whose
 * lines look like the header of another file.
 */
export function parsePatch(patch: string): readonly PatchSection[] {
  const lines = makeLineReader(patch);
  const sections: PatchSection[] = [];
  while (lines.next() !== undefined) {
    if (!isStart(lines.next())) lines.take();
    else sections.push(readSection(lines));
  }
  return sections;
}

interface Lines {
  readonly next: () => string | undefined;
  readonly take: () => string;
}

/** One line at a time. The last line feed ends a line and does not begin one. */
function makeLineReader(text: string): Lines {
  let at = 0;
  let current: string | undefined;
  const read = (): void => {
    if (at >= text.length) {
      current = undefined;
      return;
    }
    const end = text.indexOf('\n', at);
    current = text.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? text.length : end + 1;
  };
  read();
  return {
    next: () => current,
    take: () => {
      const taken = current ?? '';
      read();
      return taken;
    },
  };
}

const isStart = (line: string | undefined): boolean =>
  line !== undefined && (line.startsWith('diff --git ') || line.startsWith('diff --cc ') || line.startsWith('diff --combined '));

function readSection(lines: Lines): PatchSection {
  const header = [lines.take()];
  const hunks: Hunk[] = [];
  for (let line = lines.next(); line !== undefined && !isStart(line); line = lines.next()) {
    const range = line.startsWith('@@') ? RANGE.exec(line) : null;
    lines.take();
    if (range !== null) hunks.push(readHunk(range, lines));
    else if (hunks.length === 0) header.push(line);
  }
  return { header, hunks };
}

function readHunk([, , olds = '', start = '0', count = '1', heading = '']: RegExpExecArray, lines: Lines): Hunk {
  const ranges = olds.trim().split(' ').map(parseRange);
  const counter = { left: ranges.map((range) => range.count), news: Number(count), before: ranges[0]?.start ?? 0, after: Number(start) };
  const { before, after } = counter;
  const read: PatchLine[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const last = read.at(-1);
    if (line.startsWith('\\') && last !== undefined) read[read.length - 1] = { ...last, endsBare: true };
    else {
      if (counter.news <= 0 && counter.left.every((each) => each <= 0)) break;
      const next = readLine(line, counter);
      if (next === undefined) break;
      read.push(next);
    }
    lines.take();
  }
  return { before, after, heading, lines: read };
}

/** The numbers of the next line, and how many lines of each side are left. */
interface Counter {
  readonly left: number[];
  news: number;
  before: number;
  after: number;
}

/** A line has one sign per parent. A blank in a removed line means that this parent did not have it. */
function readLine(line: string, counter: Counter): PatchLine | undefined {
  const { left, before, after } = counter;
  let [isAdded, isRemoved] = [false, false];
  for (let at = 0; at < left.length; at += 1) {
    const sign = line[at] ?? ' ';
    if (sign === '+') isAdded = true;
    else if (sign === '-') isRemoved = true;
    else if (sign !== ' ') return undefined;
  }
  const own = isRemoved ? '-' : ' ';
  for (let at = 0; at < left.length; at += 1) if ((line[at] ?? ' ') === own) left[at] = (left[at] ?? 0) - 1;
  const isOld = (line[0] ?? ' ') === own;
  if (isOld) counter.before += 1;
  if (!isRemoved) {
    counter.after += 1;
    counter.news -= 1;
  }
  const sign = isRemoved ? '-' : isAdded ? '+' : ' ';
  return { sign, text: line.slice(left.length), before: isOld ? before : undefined, after: isRemoved ? undefined : after };
}

function parseRange(range: string): { readonly start: number; readonly count: number } {
  const [start = '0', count = '1'] = range.slice(1).split(',');
  return { start: Number(start), count: Number(count) };
}
