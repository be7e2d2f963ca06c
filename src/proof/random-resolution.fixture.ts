import fc from 'fast-check';

/** What one side does with a line of the base. `modify` replaces one of its words. */
export type Edit = { readonly kind: 'keep' } | { readonly kind: 'delete' } | { readonly kind: 'modify'; readonly word: number };

/** A line of the base with what both sides do to it and before it, and how the conflict about it is resolved. */
export interface Slot {
  readonly main: Edit;
  readonly worker: Edit;
  /** Both sides make the same change. */
  readonly same: boolean;
  readonly before: { readonly main: number; readonly worker: number; readonly identical: boolean; readonly bracket: boolean };
  /** Right ways to resolve. */
  readonly order: 'main' | 'worker';
  readonly choice: 'main' | 'worker' | 'third';
  readonly style: 'plain' | 'indented';
  /** Wrong ways to resolve; `none` for a right resolution. */
  readonly mistake: 'none' | 'drop_insertion' | 'drop_edit' | 'resurrect' | 'drop_kept';
}

export interface Resolution {
  readonly files: readonly (readonly Slot[])[];
  readonly crlf: boolean;
  /** Insertions of the first file that the result has in the second. */
  readonly moved: boolean;
  readonly markers: boolean;
}

export interface Lines {
  readonly base: string[];
  readonly main: string[];
  readonly worker: string[];
  readonly result: string[];
}

export interface Story {
  readonly files: readonly Lines[];
  readonly dropped: string[];
  readonly resurrected: string[];
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Edit>({ kind: 'keep' }) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'delete' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('modify' as const), word: fc.nat(4) }) },
);
const few = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }) });
const rarely = fc.nat(5).map((roll) => roll === 0);

function slots(withMistakes: boolean): fc.Arbitrary<readonly Slot[]> {
  const mistakes: readonly Slot['mistake'][] = ['none', 'none', 'drop_insertion', 'drop_edit', 'resurrect', 'drop_kept'];
  return fc.array(
    fc.record<Slot>({
      main: edit,
      worker: edit,
      same: rarely,
      before: fc.record({ main: few, worker: few, identical: rarely, bracket: rarely }),
      order: fc.constantFrom('main', 'worker'),
      choice: fc.constantFrom('main', 'worker', 'third'),
      style: fc.constantFrom('plain', 'plain', 'indented'),
      mistake: withMistakes ? fc.constantFrom(...mistakes) : fc.constant('none'),
    }),
    { minLength: 1, maxLength: 14 },
  );
}

export function resolutions(withMistakes: boolean): fc.Arbitrary<Resolution> {
  return fc.record({
    files: fc.tuple(slots(withMistakes), slots(withMistakes)),
    crlf: rarely,
    moved: rarely,
    markers: withMistakes ? rarely : fc.constant(false),
  });
}

/** Plays a resolution: the four versions of each file, and what the result lacks or has again. */
export function play({ files, crlf, moved, markers }: Resolution): Story {
  const dropped: string[] = [];
  const resurrected: string[] = [];
  const written = files.map((slots, file) => {
    const lines: Lines = { base: [], main: [], worker: [], result: [] };
    for (const [at, slot] of slots.entries()) {
      const id = `${file}x${at}`;
      playInsertions(lines, id, slot, dropped);
      playEdit(lines, id, slot, dropped, resurrected);
    }
    // A last line that nobody touches.
    for (const version of Object.values(lines)) version.push(`end of file ${file}`);
    return lines;
  });
  const [first, second] = written;
  if (moved && first && second) moveInsertions(first, second);
  if (markers && first) first.result.splice(1, 0, '<<<<<<< HEAD', 'left one', '=======', 'left two', '>>>>>>> 1234567 (work)');
  return {
    files: crlf ? written.map((lines) => ({ ...lines, result: lines.result.map((line) => `${line}\r`) })) : written,
    dropped,
    resurrected,
  };
}

function playInsertions({ main, worker, result }: Lines, id: string, { before, order, style, mistake }: Slot, dropped: string[]): void {
  const ofMain = Array.from({ length: before.main }, (_, n) => `main${id}n${n} new${id}a${n} extra${id}b${n}`);
  const own = Array.from({ length: before.worker }, (_, n) => `worker${id}n${n} fresh${id}c${n} more${id}d${n}`);
  const ofWorker = before.identical ? ofMain : own;
  // Both sides close what they open with the same bracket.
  const close = before.bracket ? ['}'] : [];
  main.push(...ofMain, ...(ofMain.length > 0 ? close : []));
  worker.push(...ofWorker, ...(ofWorker.length > 0 ? close : []));
  const blocks = before.identical ? [ofMain] : order === 'main' ? [ofMain, ofWorker] : [ofWorker, ofMain];
  const [omitted] = mistake === 'drop_insertion' ? blocks.flat() : [];
  if (omitted !== undefined) dropped.push(omitted);
  for (const block of blocks)
    if (block.length > 0) result.push(...block.filter((line) => line !== omitted).map((line) => styled(line, style)), ...close);
}

const styled = (line: string, style: Slot['style']): string => (style === 'indented' ? `    ${line}` : line);

function playEdit(lines: Lines, id: string, slot: Slot, dropped: string[], resurrected: string[]): void {
  const words = ['a', 'b', 'c', 'd', 'e'].map((letter) => `base${id}${letter}`);
  const base = words.join(' ');
  const changed = (edit: Edit, side: string, onto = words): string[] | null =>
    edit.kind === 'delete' ? null : edit.kind === 'keep' ? onto : onto.with(edit.word, `${side}${id}w${edit.word}`);
  const [edits, names] = slot.same
    ? [
        { main: slot.main, worker: slot.main },
        { main: 'one', worker: 'one' },
      ]
    : [slot, { main: 'ours', worker: 'theirs' }];
  const main = changed(edits.main, names.main)?.join(' ') ?? null;
  const worker = changed(edits.worker, names.worker)?.join(' ') ?? null;
  lines.base.push(base);
  if (main !== null) lines.main.push(main);
  if (worker !== null) lines.worker.push(worker);
  const right = merge(slot, edits, names, words, id, changed);
  if (slot.mistake === 'drop_kept' && main === base && worker === base) dropped.push(base);
  else if (slot.mistake === 'resurrect' && (main === null || worker === null) && (main === worker || main === base || worker === base)) {
    lines.result.push(base);
    resurrected.push(base);
  } else if (slot.mistake === 'drop_edit' && (edits.main.kind === 'modify' || edits.worker.kind === 'modify')) {
    lines.result.push(base);
    resurrected.push(base);
    dropped.push(...new Set([main, worker].filter((line) => line !== null && line !== base).map(String)));
  } else if (right !== null) lines.result.push(right);
}

type Changed = (edit: Edit, side: string, onto?: string[]) => string[] | null;
type Both<Value> = { readonly main: Value; readonly worker: Value };

function merge(slot: Slot, edits: Both<Edit>, names: Both<string>, words: string[], id: string, changed: Changed): string | null {
  const { main, worker } = edits;
  const text = (line: string[] | null) => line?.join(' ') ?? null;
  if (slot.same || worker.kind === 'keep') return text(changed(main, names.main));
  if (main.kind === 'keep') return text(changed(worker, names.worker));
  const chosen = () => (slot.choice === 'worker' ? text(changed(worker, names.worker)) : text(changed(main, names.main)));
  if (main.kind === 'delete' || worker.kind === 'delete') return chosen();
  if (main.word !== worker.word) return text(changed(worker, names.worker, changed(main, names.main) ?? words));
  return slot.choice === 'third' ? words.with(main.word, `third${id}w`).join(' ') : chosen();
}

/** The result has the first insertion of the worker in the other file. */
function moveInsertions(from: Lines, to: Lines): void {
  const at = from.result.findIndex((line) => line.trim().startsWith('worker'));
  const [line] = at === -1 ? [] : from.result.splice(at, 1);
  if (line !== undefined) to.result.push(line.trim());
}
