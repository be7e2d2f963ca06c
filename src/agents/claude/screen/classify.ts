import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenReading } from '../../agent.ts';
import { readFrame } from './frame.ts';
import { RULES } from './rules.ts';
import { see } from './seen.ts';
import { type Texts, textsFor } from './texts.ts';

/** What the screen says. `now` turns a shown time of day into an instant; without it a reset time stays unknown. */
export function classify(screen: Screen, now?: Instant): ScreenReading {
  const frame = readFrame(screen, textsOn(screen));
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

/** The banner names the version while it is in view; later screens are read as the newest recorded version. */
export function textsOn(screen: Screen): Texts {
  const shown = screen.lines.slice(0, 8).map((line) => /Claude Code v(\d+\.\d+\.\d+)/.exec(line)?.[1]);
  return textsFor(shown.find((version) => version !== undefined));
}
