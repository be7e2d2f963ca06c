/** What the header of a section says about its file. */
export interface Header {
  /** The name after the change (before it, for a deleted file), still with the prefix that git puts before it. */
  readonly name: string;
  /** The name before a rename or a copy, without a prefix. */
  readonly from: string | undefined;
  readonly status: string;
  readonly isBinary: boolean;
  readonly isSubmodule: boolean;
  readonly modes: { readonly before: string; readonly after: string } | undefined;
}

/** Reads the lines before the first hunk. */
export function readHeader([first = '', ...lines]: readonly string[]): Header {
  const after = (start: string): string | undefined => lines.find((line) => line.startsWith(start))?.slice(start.length);
  const [old, now] = [after('--- '), after('+++ ')].map((name) => (name === undefined ? undefined : unquoted(name)));
  const to = after('rename to ') ?? after('copy to ');
  const from = after('rename from ') ?? after('copy from ');
  const shown = now === '/dev/null' ? old : now;
  const before = after('old mode ');
  return {
    name: to === undefined ? (shown ?? nameOfFirst(first)) : unquoted(to),
    from: from === undefined ? undefined : unquoted(from),
    status: parseFileStatus(after),
    isBinary: lines.some((line) => /^(?:Binary files |GIT binary patch$)/.test(line)),
    isSubmodule: lines.some((line) => /^(?:index .* 160000|(?:new|deleted) file mode 160000)$/.test(line)),
    modes: before === undefined ? undefined : { before, after: after('new mode ') ?? before },
  };
}

function parseFileStatus(after: (start: string) => string | undefined): string {
  if (after('new file mode ') !== undefined) return 'A';
  if (after('deleted file mode ') !== undefined) return 'D';
  if (after('rename to ') !== undefined) return 'R';
  return after('copy to ') === undefined ? 'M' : 'C';
}

/** `diff --git a/x b/x`, where both names are the same: an empty file, a new mode, a binary file. */
function nameOfFirst(first: string): string {
  const names = first.replace(/^diff --\S+ /, '');
  if (!first.startsWith('diff --git ')) return unquoted(names);
  const quoted = names.endsWith('"') ? names.lastIndexOf(' "') : -1;
  return quoted === -1 ? names.slice((names.length + 1) / 2) : unquoted(names.slice(quoted + 1));
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** A name as git prints it: in quotes with the escapes of C, or plain; behind `---` and `+++` with a tab at its end if it contains blanks. */
function unquoted(printed: string): string {
  const name = printed.endsWith('\t') ? printed.slice(0, -1) : printed;
  if (!name.startsWith('"') || !name.endsWith('"') || name.length < 2) return name;
  const bytes: number[] = [];
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith('\\')) bytes.push(...new TextEncoder().encode(part));
    else bytes.push(part.length === 4 ? Number.parseInt(part.slice(1), 8) & 0xff : (ESCAPES[part.slice(1)] ?? 63));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
