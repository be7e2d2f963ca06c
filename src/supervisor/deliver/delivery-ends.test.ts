import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { InputBox } from '../../agents/agent.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { aConfig } from '../../workers/samples.ts';
import type { WaitingTime } from '../observe/watch.ts';
import { ACTIVITIES, aDelivery, anAssessment, aReading, READY } from '../samples.ts';
import { type DeliveryStep, decideDelivery } from './decide-delivery.ts';
import type { DeliveryPolicy, DeliveryView } from './delivery-step.ts';
import { addWaiting, ENDS, findObstacle, isOverdue } from './hold-ends.ts';
import { lostForGoodMs } from './in-flight-rules.ts';

const MINUTE_MS = 60_000;
const TIMES = aConfig().recovery;
const HELD = Object.values(ENDS).flatMap((end) => (typeof end === 'string' ? [] : [{ tellAfterMs: TIMES[end.time] * 1_000 }]));

/** A prompt that lives through these observations: decided on in each pass, and changed as the executor changes it. */
describe('whatever is observed, and in whatever order', () => {
  const POLICY: DeliveryPolicy = { ackTimeoutMs: 2_000, enterRetryCount: 3, enterRetryDelayMs: 200, maxAttempts: 3, personPauseMs: 4_000 };
  const EXTRA_MS = lostForGoodMs(3, POLICY.ackTimeoutMs);
  const STEP_MS = 1_000;
  const opened = { what: 'transcript', title: '', key: 'Ctrl+O' } as const;
  const activities: readonly Activity[] = [...ACTIVITIES, { kind: 'unknown', stopped: { pid: 7 } }, { kind: 'unknown', opened }];
  const boxes: readonly InputBox[] = [
    ...['', 'Fix the typo', 'Fix the', 'Fix the typoFix the typo', 'mine'].map((text) => ({ kind: 'text', text }) as const),
    { kind: 'absent' } as const,
    { kind: 'empty' } as const,
  ];

  interface Seen {
    readonly activity: Activity;
    readonly shown: Activity | undefined;
    readonly box: InputBox;
    readonly keys: 'none' | 'copy' | 'left_copy' | 'typing';
    readonly redraws: boolean;
    readonly used: boolean;
    readonly inert: boolean;
    readonly leftover: boolean;
    readonly fresh: 0 | 1;
  }
  const seen: fc.Arbitrary<Seen> = fc.record({
    activity: fc.constantFrom(...activities),
    shown: fc.option(fc.constantFrom(...activities), { nil: undefined }),
    box: fc.constantFrom(...boxes),
    keys: fc.constantFrom('none', 'copy', 'left_copy', 'typing'),
    redraws: fc.boolean(),
    used: fc.boolean(),
    inert: fc.boolean(),
    leftover: fc.boolean(),
    fresh: fc.constantFrom(0, 1),
  });

  interface Life {
    row: Delivery;
    wipedAt: number | undefined;
    redrawnAt: number | undefined;
    clearing: { at: number; times: number } | undefined;
    enters: { at: number; times: number } | undefined;
  }

  const viewOf = (one: Seen, since: number, life: Life, now: number): DeliveryView => ({
    assessment: anAssessment(one.activity),
    incarnation: 1,
    pane: { inMode: one.keys.includes('copy'), attached: one.keys !== 'left_copy' },
    screen: one.shown && { reading: aReading(one.shown, one.box), since },
    ack: undefined,
    written: false,
    shown: false,
    tookAnother: false,
    worked: false,
    clearTyped: false,
    personTypedAt: one.keys === 'typing' ? now : undefined,
    conversationUsed: one.used,
    inert: one.inert,
    leftover: one.leftover,
    wipedAt: life.wipedAt,
    clearing: life.clearing,
    enters: life.enters,
    redraw: one.redraws ? { at: life.redrawnAt } : undefined,
  });

  function take(life: Life, step: DeliveryStep, now: number): void {
    const change = (fields: Partial<Delivery>) => Object.assign(life, { row: { ...life.row, ...fields } });
    switch (step.kind) {
      case 'type':
        change({ state: 'typed', attempt: life.row.attempt + 1, incarnation: 1, typed_ms: now, submitted_ms: null });
        life.enters = undefined;
        break;
      case 'enter':
        change({ state: 'submitted', submitted_ms: now });
        life.enters = { at: now, times: (life.enters?.times ?? 0) + 1 };
        break;
      case 'wipe':
        change({ state: 'queued' });
        life.wipedAt = now;
        break;
      case 'requeue':
        change({ state: 'queued' });
        break;
      case 'hold':
        change({ state: 'held' });
        break;
      case 'fail':
        change({ state: 'failed' });
        break;
      case 'clear':
        life.clearing = { at: now, times: (life.clearing?.times ?? 0) + 1 };
        break;
      case 'redraw':
        life.redrawnAt = now;
        break;
      case 'ack':
        change({ state: 'acked' });
        break;
      case 'wait':
      case 'relaunch':
      case 'leave_mode':
        break;
    }
  }

  /** How long the prompt was on its way before it was over, or a person was told. */
  function untilItEnds(sequence: readonly Seen[], limitMs: number): number {
    const life: Life = {
      row: aDelivery({ fresh_conversation: sequence[0]?.fresh ?? 0 }),
      wipedAt: undefined,
      redrawnAt: undefined,
      clearing: undefined,
      enters: undefined,
    };
    let time: WaitingTime | undefined;
    let since = 0;
    for (let now = 0, pass = 0; now <= limitMs; now += STEP_MS, pass += 1) {
      const one = sequence[pass % sequence.length];
      if (one === undefined) break;
      if (sequence.length > 1) since = now;
      const step = decideDelivery(life.row, viewOf(one, since, life, now), POLICY, now);
      take(life, step, now);
      const obstacle = findObstacle(step);
      if (obstacle === undefined) return now;
      time = addWaiting(time, life.row.id, obstacle, 0, now);
      if (isOverdue(time, obstacle, TIMES, EXTRA_MS)) return now;
    }
    return Number.POSITIVE_INFINITY;
  }

  const longest = Math.max(...HELD.map(({ tellAfterMs }) => tellAfterMs)) + EXTRA_MS;
  const all = HELD.reduce((sum, { tellAfterMs }) => sum + tellAfterMs, 0) + EXTRA_MS;

  test('an observation that never changes ends the wait, or tells a person, in the time of one reason', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(seen, (one) => {
        const limitMs = [one.activity.kind, one.shown?.kind].some(
          (kind) => kind === 'processing' || kind === 'starting' || kind === 'exited',
        )
          ? longest
          : 12 * MINUTE_MS;
        expect(untilItEnds([one], limitMs)).toBeLessThanOrEqual(limitMs);
      }),
      { numRuns: 300 },
    );
  });

  test('observations that take turns end the wait, or tell a person, in the time of all reasons together', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(fc.array(seen, { minLength: 2, maxLength: 6 }), (sequence) => {
        expect(untilItEnds(sequence, all + STEP_MS)).toBeLessThanOrEqual(all + STEP_MS);
      }),
      { numRuns: 100 },
    );
  });

  test('a menu, a stopped process and a box that another text fills are told after a minute', () => {
    const one: Seen = {
      activity: READY,
      shown: READY,
      box: { kind: 'empty' },
      keys: 'none',
      redraws: true,
      used: false,
      inert: false,
      leftover: false,
      fresh: 0,
    };
    const cases: readonly Seen[] = [
      { ...one, shown: { kind: 'unknown', opened }, box: { kind: 'absent' } },
      { ...one, activity: { kind: 'unknown', stopped: { pid: 7 } } },
      { ...one, box: { kind: 'text', text: 'mine' } },
      { ...one, shown: undefined },
    ];
    for (const each of cases) expect(untilItEnds([each], 2 * MINUTE_MS)).toBeLessThanOrEqual(MINUTE_MS + EXTRA_MS);
  });
});
