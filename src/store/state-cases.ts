import type { StateFound, StateStep } from './decide-state.ts';

type Row = readonly [when: string, view: StateFound, step: Partial<StateStep>];

const ROWS: readonly Row[] = [
  ['`state.json` and the record agree', { file: 7, record: 7, backup: 6 }, { kind: 'keep' }],
  ['`llmc.db` is new', { file: 7, record: undefined, backup: 6 }, { kind: 'keep' }],
  ['the file is newer than the record', { file: 8, record: 7, backup: 6 }, { kind: 'keep' }],
  [
    'the file is behind the record',
    { file: 6, record: 7, backup: 6 },
    { kind: 'restore', from: 'record', setAside: false, reported: false },
  ],
  ['the file is missing', { file: 'missing', record: 7, backup: 6 }, { kind: 'restore', from: 'record', setAside: false, reported: true }],
  [
    'the file cannot be parsed, or has the wrong shape',
    { file: 'broken', record: 7, backup: 6 },
    { kind: 'restore', from: 'record', setAside: true, reported: true },
  ],
  [
    'the file is missing, and the record is that of an older copy of `llmc.db`',
    { file: 'missing', record: 5, backup: 6 },
    { kind: 'restore', from: 'backup', setAside: false, reported: true },
  ],
  [
    'the file is broken, and the record is that of an older copy of `llmc.db`',
    { file: 'broken', record: 5, backup: 6 },
    { kind: 'restore', from: 'backup', setAside: true, reported: true },
  ],
  [
    'the file is missing, and so is the record',
    { file: 'missing', record: undefined, backup: 6 },
    { kind: 'restore', from: 'backup', setAside: false, reported: true },
  ],
  [
    'the file is broken, and there is no record',
    { file: 'broken', record: undefined, backup: 6 },
    { kind: 'restore', from: 'backup', setAside: true, reported: true },
  ],
  ['neither file, record nor backup can be read', { file: 'broken', record: undefined, backup: undefined }, { kind: 'refuse' }],
  ['none of them is there', { file: 'missing', record: undefined, backup: undefined }, { kind: 'refuse' }],
];

/** For tests and for docs/recovery.md. */
export const STATE_CASES = ROWS.map(([when, view, step]) => ({ when, view, step }));
