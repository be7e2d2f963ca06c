import type { ReviewedFile } from '../../../workers/review/review-result.ts';
import { type Header, readHeader } from './names.ts';
import { type Hunk, parsePatch } from './patch.ts';

/** A changed file and what the diff shows of it. Names and texts are as the agent wrote them. */
export interface DiffFile {
  readonly path: string;
  /** The path before a rename or a copy. */
  readonly from: string | undefined;
  /** The letter of git. */
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  /** What else changed, and why no lines are shown. */
  readonly notes: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Every line that is shown ends with CR LF. */
  readonly isWindows: boolean;
  /** The blob after the change, by which a file that changed again is recognised. */
  readonly blob: string | null;
}

interface Section {
  readonly header: Header;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
}

/** The files of a change in their order, each with its part of the diff. A file that the diff leaves out is there without lines. */
export function diffFiles(diff: string, files: readonly ReviewedFile[]): readonly DiffFile[] {
  const sections = parsePatch(diff).map(({ header, hunks }) => {
    const count = (sign: string) =>
      hunks.reduce((sum, { lines }) => lines.reduce((part, line) => (line.sign === sign ? part + 1 : part), sum), 0);
    return { header: readHeader(header), hunks, added: count('+'), removed: count('-') };
  });
  // The counts of a diff without white space can differ from those of the list.
  const joined = inOrder(sections, files, isSame) ?? inOrder(sections, files, isNamed);
  if (joined !== undefined) return joined;
  const named = sections.map((section) => toDiffFile(section, undefined));
  const paths = new Set(named.map(({ path }) => path));
  return [...named, ...files.filter(({ path }) => !paths.has(path)).map(leftOut)];
}

type IsAbout = (section: Section, file: ReviewedFile) => boolean;

/** Git prints sections in the order of the files. Undefined if a section is about none of them. */
function inOrder(sections: readonly Section[], files: readonly ReviewedFile[], isAbout: IsAbout): readonly DiffFile[] | undefined {
  const found: DiffFile[] = [];
  let next = 0;
  for (const file of files) {
    const start = next;
    // A file that changes its type is printed twice: deleted, then created.
    const end = start + (file.status === 'T' ? 2 : 1);
    for (let section = sections[next]; next < end && section && isAbout(section, file); section = sections[next]) {
      found.push(toDiffFile(section, file));
      next += 1;
    }
    if (next === start) found.push(leftOut(file));
  }
  return next === sections.length ? found : undefined;
}

const isNamed: IsAbout = ({ header }, { path }) => header.name.endsWith(path);

/** The counts tell two files apart whose names differ by the prefix of git alone. */
const isSame: IsAbout = (section, file) =>
  isNamed(section, file) &&
  (file.status === 'T' || file.binary || section.header.isBinary || (section.added === file.added && section.removed === file.removed));

function toDiffFile({ header, hunks, added, removed }: Section, file: ReviewedFile | undefined): DiffFile {
  const isWindows = hunks.length > 0 && hunks.every(({ lines }) => lines.every(({ text }) => text.endsWith('\r')));
  const status = file?.status === 'T' || file === undefined ? header.status : file.status;
  return {
    path: file?.path ?? (header.from === undefined ? header.name.replace(/^[^/]*\//, '') : header.name),
    from: header.from,
    status,
    added,
    removed,
    notes: [
      ...(header.from === undefined ? [] : [`${status === 'C' ? 'Copied' : 'Renamed'} from ${header.from}`]),
      ...(header.modes === undefined ? [] : [`Mode ${header.modes.before} → ${header.modes.after}`]),
      ...(header.isSubmodule ? ['The commit of a submodule'] : []),
      ...(header.isBinary ? ['Binary: no lines to show'] : []),
      ...(hunks.length === 0 && added === 0 && status === 'A' && !header.isBinary ? ['An empty file'] : []),
      ...(isWindows ? ['Every line ends with CR LF'] : []),
    ],
    hunks,
    isWindows,
    blob: file?.after ?? null,
  };
}

function leftOut({ path, status, added, removed, binary, after }: ReviewedFile): DiffFile {
  const why = binary ? 'Binary: no lines to show' : 'The lines are not shown: the diff is too long, or only white space changed';
  return { path, from: undefined, status, added, removed, notes: [why], hunks: [], isWindows: false, blob: after };
}
