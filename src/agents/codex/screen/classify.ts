import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenReading } from '../../agent.ts';
import { classifyByRules } from '../../screen-rules/rules.ts';
import { RULES } from './rules.ts';
import { readCodexView } from './view.ts';

/** Classifies the screen, with the terminal's title if there is one. */
export function classify(screen: Screen, now?: Instant): ScreenReading {
  return classifyByRules(readCodexView(screen, now), RULES);
}
