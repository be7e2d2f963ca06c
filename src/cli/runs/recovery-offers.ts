import { pastTime } from '../../base/clock-time.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Layout } from '../../store/layout.ts';
import { systemClock } from '../../system/clock.ts';
import { hasEnded } from '../../workflow/next/next.ts';
import { type RecoveryOffer, recoveryOffers } from '../../workflow/recover/recovery-offers.ts';
import { openRuns } from './open-runs.ts';

/** The runs that `llmc up` offers to recover. A root that cannot be read has other problems, which the start itself reports. */
export async function readOffers(layout: Layout): Promise<readonly RecoveryOffer[]> {
  try {
    using opened = openRuns(layout);
    return await recoveryOffers(opened, systemClock.now());
  } catch {
    return [];
  }
}

export function offerLines(offers: readonly RecoveryOffer[], now: number): readonly string[] {
  return offers.map(({ run, why, ended_ms, command }) =>
    visibleLine(`${run} failed ${pastTime(ended_ms, now)}: ${why}. Go on with: ${command}`),
  );
}

/** The runs that go on with the supervisor. */
export async function readGoing(layout: Layout): Promise<readonly string[]> {
  try {
    using opened = openRuns(layout);
    return (await opened.runs.list()).flatMap(({ id, status }) => (hasEnded({ status }) ? [] : [id])).toReversed();
  } catch {
    return [];
  }
}

export function goingLines(going: readonly string[]): readonly string[] {
  if (going.length === 0) return [];
  return [`  ${going.length === 1 ? 'the run' : 'the runs'} ${going.join(', ')} ${going.length === 1 ? 'goes' : 'go'} on: llmc runs`];
}
