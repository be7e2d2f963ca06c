import type { Repair, RepairStep } from '../recovery/records/repair-step.ts';
import type { CheckResult } from './check.ts';

interface Report {
  readonly step: RepairStep;
  readonly outcome: 'planned' | 'left' | 'repaired' | 'unneeded' | 'failed';
}

/** A repair with the finding that asks for it. */
export interface OfferedRepair extends Repair {
  readonly check: string;
  readonly message: string;
  /** Whether it was found only after earlier repairs, so that the plan did not name it. */
  readonly foundLater: boolean;
}

interface Rounds<Done extends Report> {
  /** A report for each of these repairs. */
  readonly repair: (offers: readonly OfferedRepair[]) => Promise<readonly Done[]>;
  readonly examine: () => Promise<readonly CheckResult[]>;
}

/** Three are the longest cascade known: the state, then a worktree, then what is in it. */
const MOST_ROUNDS = 6;

/**
 * Repairs until the checks offer nothing more: a state that can be read again shows worktrees that are missing. A round without a
 * success is the last one, and what a person left is not offered again.
 */
export async function repairRounds<Done extends Report>(
  found: readonly CheckResult[],
  { repair, examine }: Rounds<Done>,
): Promise<{ readonly checks: readonly CheckResult[]; readonly reports: readonly Done[] }> {
  const reports = new Map<string, Done[]>();
  const planned = new Set(listOffers(found).map(({ step }) => toKey(step)));
  let checks = found;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const offered = listOffers(checks)
      .filter(({ step }) => reports.get(toKey(step))?.at(-1)?.outcome !== 'left')
      .map((offer) => ({ ...offer, foundLater: !planned.has(toKey(offer.step)) }));
    if (offered.length === 0) break;
    const done = await repair(offered);
    for (const report of done) note(reports, report);
    const isAny = (wanted: Report['outcome']) => done.some(({ outcome }) => outcome === wanted);
    // Another llmc may have repaired it meanwhile.
    if (isAny('repaired') || isAny('unneeded')) checks = await examine();
    if (!isAny('repaired')) break;
  }
  return { checks, reports: [...reports.values()].flat() };
}

const toKey = (step: RepairStep): string => JSON.stringify(step);

/** What succeeded in a later round has not failed. */
function note<Done extends Report>(reports: Map<string, Done[]>, report: Done): void {
  const key = toKey(report.step);
  const repaired = (reports.get(key) ?? []).filter(({ outcome }) => outcome === 'repaired');
  reports.set(key, repaired.length > 0 && report.outcome === 'unneeded' ? repaired : [...repaired, report]);
}

/** Two checks may ask for the same step. */
function listOffers(checks: readonly CheckResult[]): readonly Omit<OfferedRepair, 'foundLater'>[] {
  const groups = Map.groupBy(
    checks.flatMap(({ name, message, repairs = [] }) => repairs.map((repair) => ({ ...repair, check: name, message }))),
    ({ step }) => toKey(step),
  );
  const joined = (texts: readonly string[], by: string) => [...new Set(texts)].join(by);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({
      ...first,
      title: joined(
        same.map(({ title }) => title),
        ', ',
      ),
      does: joined(
        same.map(({ does }) => does),
        '; ',
      ),
    })),
  );
}
