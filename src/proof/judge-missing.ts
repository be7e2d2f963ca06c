import type { Changes, Missing, Surplus, Versions } from './compare-counts.ts';
import type { OneSide, Replaced, Side } from './proof.ts';
import {
  type Counts,
  contains,
  countEach,
  exclude,
  hasLetters,
  measureShare,
  minus,
  parseWords,
  type Telling,
  tellingWords,
} from './words.ts';

/** `at`: the line of the result that stands for the missing one. */
export type Judgement =
  | { readonly kind: 'dropped'; readonly by: string | null; readonly at?: number }
  | { readonly kind: 'reindented'; readonly at: number }
  | { readonly kind: 'replaced'; readonly how: Replaced['how']; readonly by: string | null; readonly at?: number };

export interface Context {
  readonly versions: Versions;
  readonly changes: Changes;
  readonly surplus: readonly Surplus[];
  /** Whether a side has the line as a new one in another file: it moved the line there. */
  readonly movedAway: (side: OneSide, text: string) => boolean;
}

interface Evidence extends Context {
  readonly has: Readonly<Record<OneSide, ReadonlySet<string>>>;
  /** Deleted lines that are in the result again. */
  readonly cameBack: ReadonlySet<string>;
}

/** A new line of the result can stand for one line of each side, or for several of which it has all words. */
interface Fresh {
  readonly at: number;
  readonly text: string;
  readonly words: Counts;
  readonly telling: Telling;
  /** The words that no line of a side has claimed yet. */
  readonly left: Map<Side, Counts>;
}

/** Below this, two lines are different lines. */
const REWORDED = 0.6;
/** A changed line that contains all new words may differ this much in the others. */
const MERGED = 0.4;

/** About a second of comparing words. */
const MOST_COMPARISONS = 500_000;

const freshLine = ({ at, text }: Surplus): Fresh => ({
  at,
  text,
  words: countEach(parseWords(text)),
  telling: tellingWords(text),
  left: new Map(),
});

const placeInResult = ({ of, at }: Missing, { changes }: Evidence): number | undefined => changes.resolved[of].successor.get(at);

type Rule = (missing: Missing) => Judgement | undefined;

/** Finds out what became of each missing line, by the strongest evidence first. The order of the judgements is the one of the lines. */
export function judgeMissing(lines: readonly Missing[], context: Context): readonly Judgement[] {
  const { versions, surplus } = context;
  const evidence: Evidence = {
    ...context,
    has: { main: new Set(versions.main), worker: new Set(versions.worker) },
    cameBack: new Set(surplus.filter(({ deletedBy }) => deletedBy !== undefined).map(({ text }) => text)),
  };
  const judgements = new Map<Missing, Judgement>();
  const fresh = surplus.filter((line) => line.fresh).map(freshLine);
  const isLarge = lines.length * fresh.length > MOST_COMPARISONS;
  // In a file of that many new lines, a missing line is compared with the one at its place only.
  const byPlace = new Map(fresh.map((line) => [line.at, line]));
  const atPlace = (missing: Missing) => byPlace.get(placeInResult(missing, evidence) ?? -1);
  const near = (missing: Missing) => (isLarge ? [atPlace(missing)].filter((line) => line !== undefined) : fresh);
  const byIndent = Map.groupBy(
    surplus.filter(({ deletedBy }) => deletedBy === undefined),
    ({ text }) => withoutIndent(text),
  );
  const bySpacing = Map.groupBy(fresh, ({ text }) => spacing(text));
  const byText = Map.groupBy(lines, ({ text }) => text);
  const lost = (text: string) => byText.get(text)?.some((missing) => !survives(judgements.get(missing))) ?? false;
  const rules: readonly Rule[] = [
    (missing) => reindented(missing, byIndent),
    ({ duplicate, text }) => (duplicate ? { kind: 'replaced', how: 'duplicate', by: text } : undefined),
    (missing) => respaced(missing, bySpacing),
    (missing) => merged(missing, near(missing), evidence),
    (missing) => chosen(missing, atPlace(missing), lost, evidence),
    (missing) => reworded(missing, near(missing), evidence),
    ({ text }) => (!hasLetters(text) && fresh.length > 0 ? { kind: 'replaced', how: 'restructured', by: null } : undefined),
  ];
  for (const rule of rules)
    for (const missing of lines) {
      const judgement = judgements.has(missing) ? undefined : rule(missing);
      if (judgement !== undefined) judgements.set(missing, judgement);
    }
  return lines.map((missing) => outsideRegions(missing, judgements.get(missing) ?? { kind: 'dropped', by: null }));
}

/**
 * What the worker did not change, or changed elsewhere, was not for the resolution to decide: there a line of main or of both has to
 * be as it was. The worker's own lines are its own.
 */
function outsideRegions({ side, inRegion }: Missing, judgement: Judgement): Judgement {
  if (judgement.kind !== 'replaced' || judgement.how === 'duplicate' || side === 'worker' || inRegion) return judgement;
  const { by, at } = judgement;
  return { kind: 'dropped', by, ...(at !== undefined && { at }) };
}

const survives = (judgement: Judgement | undefined): boolean =>
  judgement?.kind === 'reindented' || (judgement?.kind === 'replaced' && (judgement.how === 'merged' || judgement.how === 'respaced'));

/** The same line with other spaces or tabs before it, and with nothing else changed. */
function reindented({ text }: Missing, byIndent: Map<string, readonly Surplus[]>): Judgement | undefined {
  const [found, ...rest] = byIndent.get(withoutIndent(text)) ?? [];
  if (found === undefined) return undefined;
  byIndent.set(withoutIndent(text), rest);
  return { kind: 'reindented', at: found.at };
}

export const withoutIndent = (text: string): string => text.replace(/^[ \t]+/, '');

/** The same words with other spaces, or with another comma or semicolon at the end. */
function respaced({ side, text }: Missing, bySpacing: ReadonlyMap<string, readonly Fresh[]>): Judgement | undefined {
  const found = bySpacing.get(spacing(text))?.find((line) => !line.left.has(side));
  if (found === undefined) return undefined;
  found.left.set(side, new Map());
  return { kind: 'replaced', how: 'respaced', by: found.text, at: found.at };
}

const spacing = (text: string): string =>
  parseWords(text)
    .join(' ')
    .replace(/ [,;]$/, '');

/** A new line of the result has every word that the side added, and none that it removed. */
function merged(missing: Missing, fresh: readonly Fresh[], evidence: Evidence): Judgement | undefined {
  const { side, text } = missing;
  if (!hasLetters(text)) return undefined;
  const now = countEach(parseWords(text));
  const change = modification(missing, evidence);
  const before = countEach(parseWords(change?.base ?? ''));
  const added = minus(now, before);
  const allowed = plus(now, minus(countEach(parseWords(change?.other ?? '')), before));
  const removed = [...minus(before, now).keys()].filter(hasLetters);
  const aligned = placeInResult(missing, evidence);
  const telling = tellingWords(text);
  const found = fresh.find((line) => {
    const words = line.left.get(side) ?? line.words;
    const isRelated = line.at === aligned || (change === undefined ? telling.total > 1 : measureShare(line.telling, telling) >= MERGED);
    return isRelated && contains(words, added) && removed.every((word) => (words.get(word) ?? 0) <= (allowed.get(word) ?? 0));
  });
  if (found === undefined) return undefined;
  found.left.set(side, minus(found.left.get(side) ?? found.words, added));
  return { kind: 'replaced', how: 'merged', by: found.text, at: found.at };
}

function plus(a: Counts, b: Counts): Counts {
  const sum = new Map(a);
  for (const [item, count] of b) sum.set(item, (sum.get(item) ?? 0) + count);
  return sum;
}

/** Both sides changed one line of the base, so that only one of the changes can be in the result. */
function chosen(missing: Missing, third: Fresh | undefined, lost: (text: string) => boolean, evidence: Evidence): Judgement | undefined {
  const change = modification(missing, evidence);
  if (change === undefined || missing.side === 'both' || change.fate === 'kept') return undefined;
  const other = otherSide(missing.of);
  if (change.other === undefined) {
    const isMoved = evidence.has[other].has(change.base) || evidence.movedAway(other, change.base);
    return evidence.cameBack.has(change.base) || isMoved ? undefined : { kind: 'replaced', how: 'deleted', by: null };
  }
  if (!exclude(change.base, missing.text, change.other)) return undefined;
  if (!lost(change.other)) return { kind: 'replaced', how: 'chosen', by: change.other };
  return third && { kind: 'replaced', how: 'reworded', by: third.text, at: third.at };
}

/** A similar line that no side has. Where the other side changed the line too, and both changes fit into one line, that is not enough. */
function reworded(missing: Missing, fresh: readonly Fresh[], evidence: Evidence): Judgement | undefined {
  const change = modification(missing, evidence);
  if (change?.other !== undefined && !exclude(change.base, missing.text, change.other)) return undefined;
  const telling = tellingWords(missing.text);
  const found = fresh.find((line) => !line.left.has(missing.side) && measureShare(line.telling, telling) >= REWORDED);
  if (found === undefined) return undefined;
  found.left.set(missing.side, new Map());
  return { kind: 'replaced', how: 'reworded', by: found.text, at: found.at };
}

interface Modification {
  readonly base: string;
  readonly fate: 'kept' | 'changed';
  /** What the other side made of the line; undefined if it kept or deleted it. */
  readonly other: string | undefined;
}

/** What a missing line was in the base, and what the other side made of that; undefined for a new line. */
function modification({ added, of, at }: Missing, { versions, changes: { made } }: Evidence): Modification | undefined {
  const origin = added ? made[of].origin.get(at) : undefined;
  if (origin === undefined) return undefined;
  const other = otherSide(of);
  const now = made[other].successor.get(origin);
  return {
    base: versions.base[origin] ?? '',
    fate: made[other].successor.has(origin) ? 'changed' : 'kept',
    other: now === undefined ? undefined : versions[other][now],
  };
}

const otherSide = (side: OneSide): OneSide => (side === 'main' ? 'worker' : 'main');
