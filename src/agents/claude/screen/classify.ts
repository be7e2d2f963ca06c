import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenReading } from '../../agent.ts';
import { classifyByRules } from '../../screen-rules/rules.ts';
import { RULES } from './rules.ts';
import { readClaudeView } from './view.ts';

export function classify(screen: Screen, now?: Instant): ScreenReading {
  return classifyByRules(readClaudeView(screen, now), RULES);
}
