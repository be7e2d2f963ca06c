import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import { visibleText } from '../../base/visible-text.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import { type Delivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { reportOutcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { saveScreen } from '../launch/last-words.ts';
import type { Watch } from '../observe/watch.ts';
import type { CommonStep } from './delivery-step.ts';
import type { Ruled } from './rules.ts';
import { noteTyping } from './typing-state.ts';

interface StepOptions {
  readonly change?: (worker: Worker) => void;
  /** The step is not part of an ordinary delivery: the recovery log has it too. */
  readonly recovers?: boolean;
  readonly rows?: (database: Database) => void;
}

/** Writes one step of a delivery in one transaction: its row, the line in the history and the change of the worker. */
export function recordStep(
  store: Store,
  row: Delivery,
  summary: string,
  fields: Partial<Delivery>,
  { change, recovers = false, rows }: StepOptions = {},
): void {
  const step = {
    kind: 'delivery',
    recovers,
    summary: `${shortId(row.id)}: ${summary}`,
    rows: (database: Database) => {
      updateDelivery(database, row.id, fields);
      rows?.(database);
    },
  };
  if (change === undefined) store.commit({ ...step, worker: row.worker });
  else store.changeWorker(row.worker, { ...step, change });
}

/** Keeps the decision for `llmc why`, in memory only: most decisions are to wait, and every pass decides again. */
export function noteDecision(
  watch: Watch,
  row: Delivery,
  { kind, rule, why }: Ruled<{ readonly kind: string; readonly why: string }>,
): void {
  watch.decided = { delivery: row.id, step: kind, rule, why };
}

export function clearDecision(watch: Watch): void {
  watch.decided = undefined;
}

const COMMON: readonly string[] = ['wait', 'hold', 'requeue', 'fail', 'ack'] satisfies CommonStep['kind'][];

export function isCommon<Step extends { readonly kind: string }>(step: Step | CommonStep): step is CommonStep {
  return COMMON.includes(step.kind);
}

/** Performs a step that is the same on both channels. Returns true when something was done. */
export function performCommon(context: WorkContext, watch: Watch, row: Delivery, step: CommonStep): boolean {
  const { store } = context;
  switch (step.kind) {
    case 'wait':
      return false;
    case 'hold':
      if (row.state === 'held' && isDeepStrictEqual(row.reason, step.reason)) return false;
      recordStep(
        store,
        row,
        `held: ${step.why}`,
        { state: 'held', reason: step.reason },
        {
          change: (worker) => callFor(worker, step.reason),
          rows: (database) => {
            if (step.reason.kind === 'busy') reportOutcome(database, row.id, { kind: 'busy' }, context.clock.now());
          },
        },
      );
      return true;
    case 'requeue':
      recordStep(store, row, `queued again: ${step.why}`, { state: 'queued', reason: step.reason }, { recovers: true });
      return true;
    case 'ack':
      fault('delivery:before-acked-row');
      acknowledge(context, watch, row, step);
      fault('delivery:after-acked-row');
      return true;
    case 'fail':
      failDelivery(context, watch, row, step);
      return true;
  }
}

export function acknowledge(
  { store, clock }: WorkContext,
  watch: Watch,
  row: Delivery,
  { event, source, why, mixed }: Omit<Extract<CommonStep, { kind: 'ack' }>, 'kind'>,
): void {
  const acked = {
    ...({ state: 'acked', acked_event: event, ack_source: source, acked_ms: clock.now() } as const),
    reason: source === 'unverified' ? ({ kind: 'unverified' } as const) : null,
    ...(mixed === true && { changes: withChange(row.changes, WITH_A_PERSON) }),
  };
  const change = (worker: Worker) => {
    worker.conversation_used = true;
    callFor(worker, undefined);
  };
  recordStep(store, row, `acknowledged (${source}): ${why}`, acked, {
    change,
    // A delivery of a run's task has the task's id.
    rows: (database) => reportOutcome(database, row.id, { kind: 'started' }, clock.now()),
  });
  noteTyping(watch, { clearing: undefined, enters: undefined });
}

const WITH_A_PERSON = 'sent together with text that a person typed';

/** Adds to the list of what the agent got differently. */
function withChange(changes: string, change: string): string {
  return JSON.stringify([...z.array(z.string()).parse(JSON.parse(changes)), change]);
}

function failDelivery(context: WorkContext, watch: Watch, row: Delivery, { reason, why }: Extract<CommonStep, { kind: 'fail' }>): void {
  commitMove(context, row.worker, 'failed', {
    why: `prompt ${shortId(row.id)} was not delivered, ${why}${savedScreen(context, watch)}`,
    fields: { attention: { kind: 'delivery_failed', reason } },
    rows: (database) => updateDelivery(database, row.id, { state: 'failed', reason }),
  });
}

/** Asks a person to clear a draft that holds a prompt, until nothing or something else holds it. */
function callFor(worker: Worker, obstacle: DeliveryReason | undefined): void {
  if (obstacle?.kind === 'draft_in_box') worker.attention ??= { kind: 'draft_in_box' };
  else if (worker.attention?.kind === 'draft_in_box') worker.attention = null;
}

/** Saves the screen that explains why a prompt was not taken, and names its file. */
export function savedScreen(context: WorkContext, { name, screen: { capture } }: Watch): string {
  const path = saveScreen(context, name, (capture?.screen.lines ?? []).map(visibleText).join('\n').trim());
  return path === undefined ? '' : `; its screen: ${path}`;
}
