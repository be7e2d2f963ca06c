import { conflictsLeft } from './markers.ts';
import type { HardStop, OneSide, ProofNote } from './proof.ts';
import { type FileProof, proveFile } from './prove-file.ts';
import { deletedBy, isChanged, listLines, mergedFrom, pickPath, type TreeFile, VERSIONS } from './tree-file.ts';
import { isBlank } from './words.ts';

/** What is known about one file before the other files are considered. */
export interface FileFindings {
  readonly file: TreeFile;
  readonly stops: readonly HardStop[];
  readonly notes: readonly ProofNote[];
  /** Null for a file that has no lines to compare. */
  readonly lines: FileProof | null;
  /** The result lacks the file, and no side deleted it. */
  readonly isGone: boolean;
}

/** Whether a side has a line as a new one in another file than this. */
export type MovedAway = (side: OneSide, text: string) => boolean;

export function proveOne(file: TreeFile, movedAway: MovedAway, isOfASide: (id: string) => boolean): FileFindings {
  const { base, main, worker } = file;
  const kinds = VERSIONS.map((version) => file[version]?.content.kind);
  if (kinds.includes('opaque')) return proveOpaque(file, isOfASide);
  const path = pickPath(file);
  if (base === null && main === null && worker === null) return proveAdded(file);
  if (kinds.includes('large')) return { ...NOTHING, file, notes: [{ kind: 'too_large', path }], stops: modeStops(file) };
  const deleter = deletedBy(file);
  const other = deleter && file[deleter === 'main' ? 'worker' : 'main'];
  const isContested = other !== undefined && isChanged(file.base, other);
  if (isContested && file.result === null) return proveDeleted(file, deleter ?? 'main', movedAway);
  // A deletion of a file that the other side changed can only be overruled or obeyed: proven as if that side had left the file alone.
  const seen = isContested && deleter !== undefined ? { ...file, [deleter]: file.base } : file;
  const lines = proveFile(allLines(seen), movedAway);
  const kept: readonly ProofNote[] = isContested && deleter !== undefined ? [{ kind: 'file_kept', path, side: deleter }] : [];
  return {
    file,
    lines,
    stops: [...markerStops(file, lines), ...emptyStops(file), ...modeStops(file)],
    notes: [...kept, ...listNotes(file, lines)],
    isGone: file.result === null && (file.main !== null || file.worker !== null) && deleter === undefined,
  };
}

/** A file that neither side has. Lines of other files may have moved there. */
function proveAdded(file: TreeFile): FileFindings {
  const lines = proveFile(allLines(file));
  const count = listLines(file.result).filter((line) => !isBlank(line)).length;
  const path = pickPath(file);
  return { ...NOTHING, file, lines, stops: markerStops(file, lines), notes: [{ kind: 'file_added', path, lines: count }] };
}

/** What a rule or a command made can have lines of neither side. Markers are wrong there too. */
export function byRule({ file, stops }: FileFindings): FileFindings {
  const markers = stops.filter(({ kind }) => kind === 'markers');
  return { ...NOTHING, file, stops: markers, notes: [{ kind: 'by_rule', path: pickPath(file) }] };
}

const NOTHING = { stops: [], notes: [], lines: null, isGone: false } as const;

const allLines = (file: TreeFile) => ({
  base: listLines(file.base),
  main: listLines(file.main),
  worker: listLines(file.worker),
  result: listLines(file.result),
});

/** The result obeys the deletion. New lines of the other side are lost with it, unless the deleting side moved the content elsewhere. */
function proveDeleted(file: TreeFile, side: OneSide, movedAway: MovedAway): FileFindings {
  const lines = proveFile(allLines(file), movedAway);
  const content = listLines(file.base).filter((line) => !isBlank(line));
  const isMoved = content.filter((line) => movedAway(side, line)).length * 2 > content.length;
  const lost = lines.dropped.map((line) => ({ ...line, how: 'deleted', by: null }) as const);
  const proof = isMoved ? lines : { ...lines, dropped: [], replaced: [...lines.replaced, ...lost] };
  return { ...NOTHING, file, lines: proof, notes: [{ kind: 'file_deleted', path: pickPath(file), side }] };
}

/** A file without lines can only be one of the versions that exist. */
function proveOpaque(file: TreeFile, isOfASide: (id: string) => boolean): FileFindings {
  const { base, main, worker, result } = file;
  // Where both sides have something at the same path, git keeps one of them under another name.
  if (base === null && main === null && worker === null && result !== null && isOfASide(result.id)) return { ...NOTHING, file };
  const path = pickPath(file);
  const allowed = mergedFrom(base?.id, main?.id, worker?.id);
  const stops = modeStops(file);
  if (!allowed.includes(result?.id)) {
    const side = main === null ? 'worker' : worker === null ? 'main' : 'both';
    const lost: HardStop = result === null ? { kind: 'lost_file', path, side } : { kind: 'content', path };
    return { ...NOTHING, file, stops: [lost, ...stops] };
  }
  if (allowed.length === 1) return { ...NOTHING, file, stops };
  const side = result?.id === main?.id ? 'main' : 'worker';
  return { ...NOTHING, file, stops, notes: [{ kind: result === null ? 'file_deleted' : 'file_chosen', path, side }] };
}

function modeStops({ base, main, worker, result }: TreeFile): readonly HardStop[] {
  if (result === null || (main === null && worker === null)) return [];
  const expected = mergedFrom(base?.mode, main?.mode, worker?.mode).filter((mode) => mode !== undefined);
  return expected.length === 0 || expected.includes(result.mode)
    ? []
    : [{ kind: 'mode', path: result.path, expected: [...expected], actual: result.mode }];
}

function markerStops({ result }: TreeFile, { surplus }: FileProof): readonly HardStop[] {
  const path = result?.path ?? '';
  return conflictsLeft(listLines(result), new Set(surplus.map(({ at }) => at))).map((at) => ({ kind: 'markers', path, line: at + 1 }));
}

function emptyStops({ main, worker, result }: TreeFile): readonly HardStop[] {
  const sides = [main, worker].filter((side) => side !== null);
  const hasContent = sides.length > 0 && sides.every((side) => listLines(side).some((line) => !isBlank(line)));
  return result !== null && hasContent && listLines(result).every(isBlank) ? [{ kind: 'emptied', path: result.path }] : [];
}

function listNotes(file: TreeFile, { reindented, movedInside, lineEndings }: FileProof): readonly ProofNote[] {
  const { base, main, worker, result } = file;
  const path = result?.path ?? '';
  const isOnBoth = main !== null && worker !== null;
  const names = isOnBoth ? mergedFrom(base?.path, main.path, worker.path) : [base?.path, main?.path, worker?.path];
  const isRenamed = result !== null && !names.includes(path);
  const renamed = { kind: 'moved', path: pickPath(file), to: path, lines: listLines(result).length } as const;
  return [
    ...(isRenamed ? [renamed] : []),
    ...(movedInside > 0 ? [{ kind: 'moved', path, to: path, lines: movedInside } as const] : []),
    ...(reindented > 0 ? [{ kind: 'reindented', path, lines: reindented } as const] : []),
    ...(lineEndings === null ? [] : [{ kind: 'line_endings', path, now: lineEndings } as const]),
  ];
}
