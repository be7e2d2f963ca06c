import { expect, test } from 'vitest';
import { clockTime } from '../../base/clock-time.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { isLimitReason, isWorthReporting, reasonText, untilReset } from './delivery-reason-text.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

test.each<[DeliveryReason, string]>([
  [{ kind: 'busy' }, 'the agent is busy'],
  [{ kind: 'dialog_open', question: 'Go on?' }, 'a dialog is open: Go on?'],
  [
    { kind: 'dialog_open', question: 'Do you want to proceed?', tool: 'Bash', command: 'npm test &&\n  npm publish' },
    'a dialog is open: Bash npm test && ⏎ npm publish – Do you want to proceed?',
  ],
  [untilReset('claude', NOW), `waiting for the usage limit of claude until ${clockTime(NOW, NOW)}`],
  [
    { kind: 'usage_limit', account: 'claude', wait: { phase: 'in_turn' } },
    'waiting for the usage limit of claude, which is over: its workers continue one after the other',
  ],
  [
    { kind: 'usage_limit', account: 'claude', wait: { phase: 'by_itself' } },
    'waiting for the usage limit of claude: the agent continues without a prompt',
  ],
  [{ kind: 'behind_failed_turn', until_ms: NOW }, `the failed turn is continued first, at ${clockTime(NOW, NOW)}`],
  [{ kind: 'refused', message: 'no such thread' }, 'the agent refused it: no such thread'],
  [{ kind: 'refused', message: 'no', attempts: 3 }, 'the agent refused it: no, 3 times'],
  [{ kind: 'not_accepted', attempts: 3 }, 'not accepted after 3 attempts'],
  [{ kind: 'enter_ignored', presses: 4 }, 'the text stays in the input box after 4 presses of Enter'],
  [{ kind: 'cut_short' }, 'interrupted; the agent was asked to continue'],
])('%j reads "%s"', (reason, text) => {
  expect(reasonText(reason, NOW)).toBe(text);
});

test('whether a sender gets the reason at once depends on the kind alone', () => {
  const reasons = [{ kind: 'starting' }, { kind: 'not_running' }, { kind: 'busy' }, untilReset('claude', NOW)] as const;
  expect(reasons.map(isWorthReporting)).toEqual([false, false, true, true]);
  expect([{ kind: 'busy' } as const, untilReset('claude', NOW), null].map(isLimitReason)).toEqual([false, true, false]);
});
