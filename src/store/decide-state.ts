/** What a root's files say about its state when its owner opens it. */
export interface StateFound {
  /** `state.json`: its revision, or what is wrong with it. */
  readonly file: number | 'missing' | 'broken';
  /** The revision of the redo record in `llmc.db`; undefined without one that can be read. */
  readonly record: number | undefined;
  /** The revision of the backup of `state.json`; undefined without one that can be read. */
  readonly backup: number | undefined;
}

export type StateStep =
  | { readonly kind: 'keep'; readonly why: string }
  /** `reported`: something was wrong. `setAside`: the broken file is kept as evidence. */
  | {
      readonly kind: 'restore';
      readonly from: 'record' | 'backup';
      readonly setAside: boolean;
      readonly reported: boolean;
      readonly why: string;
    }
  | { readonly kind: 'refuse'; readonly why: string };

/** Decides where the state of a root comes from. Every change is in the database before it is in the file. */
export function decideState({ file, record, backup }: StateFound): StateStep {
  if (typeof file === 'number' && (record === undefined || record <= file)) return { kind: 'keep', why: 'the file is up to date' };
  const setAside = file === 'broken';
  if (typeof file === 'number') {
    const why = 'llmc ended between the record and the file: nothing is lost, so nothing is reported';
    return { kind: 'restore', from: 'record', setAside, reported: false, why };
  }
  if (record !== undefined && (backup === undefined || backup <= record))
    return { kind: 'restore', from: 'record', setAside, reported: true, why: 'the record in llmc.db is complete' };
  if (backup !== undefined) {
    const why =
      record === undefined ? 'the backup may be older' : 'llmc.db was restored from a copy, whose record is older than the backup';
    return { kind: 'restore', from: 'backup', setAside, reported: true, why };
  }
  return { kind: 'refuse', why: 'no copy of the state can be read' };
}
