import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenReading } from '../../agent.ts';
import { readFrame } from './frame.ts';
import { RULES } from './rules.ts';
import { see } from './seen.ts';

/** What the screen says, and its title where there is one. `now` turns a shown time of day into an instant. */
export function classify(screen: Screen, now?: Instant): ScreenReading {
  const frame = readFrame(screen);
  const seen = see(frame, now);
  for (const rule of RULES) {
    const activity = rule.read(seen);
    if (activity === undefined) continue;
    // A dead pane keeps its last frame: a box on it takes no text.
    const box = activity.kind === 'exited' ? ({ kind: 'absent' } as const) : frame.box;
    return { activity, confidence: rule.confidence, rule: rule.name, box };
  }
  return { activity: { kind: 'unknown' }, confidence: 0, rule: 'no rule knows this screen', box: frame.box };
}
