import { z } from 'zod';
import { workerNameSchema } from '../../config/worker-name.ts';
import { repairStepSchema } from '../../recovery/records/repair-step.ts';
import { workerSchema } from '../../store/state.ts';
import { STATUSES } from '../../store/statuses.ts';
import { draftSchema, sentDraftSchema } from '../../store/tables/drafts.ts';
import { acceptAll } from '../../workers/accept-all.ts';
import { acceptWork } from '../../workers/accept-work.ts';
import { addWorker } from '../../workers/add-worker.ts';
import type { WorkContext } from '../../workers/context.ts';
import { liftLimit } from '../../workers/lift-limit.ts';
import { nukeWorker } from '../../workers/nuke-worker.ts';
import { offerWorker, taskChoices } from '../../workers/pool/offer-worker.ts';
import { cancelMessage, editMessage, heldMessages } from '../../workers/prompt/held-messages.ts';
import { awaitTask } from '../../workers/queue/await-task.ts';
import { cancelTask, editTask, moveTask } from '../../workers/queue/change-queue.ts';
import { queueTasks } from '../../workers/queue/queue-tasks.ts';
import { listTasks, showTask } from '../../workers/queue/show-queue.ts';
import { rebaseWork } from '../../workers/rebase/rebase-work.ts';
import { rejectWork } from '../../workers/reject-work.ts';
import { repairRoot } from '../../workers/repair/repair-root.ts';
import { diffSaved, listSaved, pruneSaved, restoreSaved, showSaved } from '../../workers/rescue-work.ts';
import { resetWorker } from '../../workers/reset-worker.ts';
import { diffWork } from '../../workers/review/diff-work.ts';
import { dismissAnswer } from '../../workers/review/dismiss-answer.ts';
import { keepDraft, listDrafts } from '../../workers/review/drafts.ts';
import { reviewWork } from '../../workers/review-work.ts';
import { sendMessage } from '../../workers/send-message.ts';
import { startTask } from '../../workers/start-task.ts';
import { undoWork } from '../../workers/undo/undo-work.ts';
import { waitFor, waitForAny } from '../../workers/wait-for.ts';
import { define, inWords, shownText } from './define-operation.ts';
import { RUN_OPERATIONS } from './run-operations.ts';

const worker = z.string();
const timeoutMs = z.number().nonnegative();
const landingPlace = { branch: z.string().optional(), main: z.boolean().optional() };
const taskNumber = z.int().positive();
/** More than a person writes down; another file that is given by mistake must not fill the queue. */
const MOST_TASKS = 1_000;
const wish = z.object({
  priority: z.int().min(-1_000).max(1_000).optional(),
  worker: worker.nullable().optional(),
  agent: z.string().nullable().optional(),
  model: z.string().nullable().optional(),
  after: z.array(taskNumber).optional(),
});

/** The commands of the root's owner: the supervisor runs them over its socket, or this process runs them when there is no supervisor. */
export const OPERATIONS = {
  add: define({
    args: z.object({
      name: workerNameSchema,
      overrides: z.object({ agent: z.string(), model: z.string(), role_prompt: z.string(), excluded_from_pool: z.boolean() }).partial(),
    }),
    needsSupervisor: false,
    run: addWorker,
  }),
  start: define({
    args: z.object({
      worker: worker.optional(),
      prompt: shownText,
      agent: z.string().optional(),
      model: z.string().optional(),
      add: z.union([z.literal(true), workerNameSchema]).optional(),
      expects: workerSchema.shape.expects.optional(),
      timeoutMs,
    }),
    needsSupervisor: true,
    run: startTask,
  }),
  offerWorker: define({
    args: z.object({ agent: z.string().optional(), model: z.string().optional() }),
    needsSupervisor: false,
    run: offerWorker,
  }),
  taskChoices: define({ args: z.object({}), needsSupervisor: false, run: taskChoices }),
  queueAdd: define({
    args: z.object({
      prompts: z.array(shownText).min(1).max(MOST_TASKS),
      expects: workerSchema.shape.expects.optional(),
      unserved: z.boolean().optional(),
      byAgent: z.boolean().optional(),
      ...wish.shape,
    }),
    needsSupervisor: false,
    run: queueTasks,
  }),
  queueList: define({ args: z.object({ all: z.boolean(), limit: z.int().positive() }), needsSupervisor: false, run: listTasks }),
  queueShow: define({ args: z.object({ number: taskNumber }), needsSupervisor: false, run: showTask }),
  queueEdit: define({
    args: z.object({ number: taskNumber, prompt: shownText.optional(), ...wish.shape }),
    needsSupervisor: false,
    run: editTask,
  }),
  queueMove: define({
    args: z.object({ number: taskNumber, before: z.union([taskNumber, z.enum(['first', 'last'])]) }),
    needsSupervisor: false,
    run: moveTask,
  }),
  queueCancel: define({ args: z.object({ number: taskNumber }), needsSupervisor: false, run: cancelTask }),
  queueWait: define({ args: z.object({ number: taskNumber, timeoutMs }), needsSupervisor: true, run: awaitTask }),
  message: define({
    args: z
      .object({
        worker,
        text: shownText.optional(),
        first: z.enum(['compact', 'fresh']).optional(),
        now: z.boolean().optional(),
        timeoutMs,
      })
      .refine(({ text, first }) => text !== undefined || first !== undefined, 'expected a text'),
    needsSupervisor: true,
    run: sendMessage,
  }),
  messages: define({ args: z.object({ worker: worker.optional() }), needsSupervisor: false, run: heldMessages }),
  messageCancel: define({ args: z.object({ worker, id: z.string().min(1) }), needsSupervisor: false, run: cancelMessage }),
  messageEdit: define({
    args: z.object({ worker, id: z.string().min(1), text: shownText }),
    needsSupervisor: false,
    run: editMessage,
  }),
  reject: define({
    args: z.object({
      worker: worker.optional(),
      feedback: shownText,
      notes: z.array(z.object({ at: z.string(), text: shownText })),
      drafts: z.array(sentDraftSchema).optional(),
      timeoutMs,
    }),
    needsSupervisor: true,
    run: rejectWork,
  }),
  review: define({
    args: z.object({
      worker: worker.optional(),
      beforeAccept: z.boolean().optional(),
      onlyStat: z.boolean().optional(),
      place: z.object({ branch: z.string().optional(), main: z.boolean().optional() }).optional(),
      ifHead: z.string().optional(),
      byAgent: z.boolean().optional(),
      patrol: z.boolean().optional(),
      next: z.boolean().optional(),
      skip: z.array(worker).optional(),
      ignoreWhitespace: z.boolean().optional(),
    }),
    needsSupervisor: false,
    run: reviewWork,
  }),
  draft: define({
    args: z.object({ worker, work: z.string().nullable().optional(), id: z.string().min(1), draft: draftSchema.nullable() }),
    needsSupervisor: false,
    run: keepDraft,
  }),
  drafts: define({ args: z.object({ worker }), needsSupervisor: false, run: listDrafts }),
  dismiss: define({ args: z.object({ worker: worker.optional() }), needsSupervisor: false, run: dismissAnswer }),
  diff: define({
    args: z.object({ worker, ignoreWhitespace: z.boolean().optional() }),
    needsSupervisor: false,
    run: diffWork,
  }),
  accept: define({
    args: z.object({
      worker: worker.optional(),
      message: z.string().optional(),
      requireReview: z.boolean().optional(),
      allowDropped: z.boolean().optional(),
      patrol: z.boolean(),
      ...landingPlace,
    }),
    needsSupervisor: false,
    run: acceptWork,
  }),
  undo: define({
    args: z.object({
      worker: worker.optional(),
      landing: z.string().optional(),
      revert: z.boolean(),
      dryRun: z.boolean(),
      patrol: z.boolean(),
    }),
    needsSupervisor: false,
    run: undoWork,
  }),
  acceptAll: define({
    args: z.object({ requireReview: z.boolean().optional(), patrol: z.boolean(), ...landingPlace }),
    needsSupervisor: false,
    run: acceptAll,
  }),
  rebase: define({
    args: z.object({ worker, abort: z.boolean().optional() }),
    needsSupervisor: true,
    run: rebaseWork,
  }),
  nuke: define({ args: z.object({ name: worker }), needsSupervisor: false, run: (context, { name }) => nukeWorker(context, name) }),
  reset: define({ args: z.object({ name: worker }), needsSupervisor: false, run: (context, { name }) => resetWorker(context, name) }),
  repair: define({
    args: z.object({ steps: z.array(repairStepSchema) }),
    needsSupervisor: false,
    run: (context, { steps }) => repairRoot(context, steps),
  }),
  unpark: define({
    args: z.object({ account: z.string() }),
    needsSupervisor: false,
    run: (context, { account }) => liftLimit(context, account),
  }),
  wait: define({
    args: z.object({ worker, statuses: z.array(z.enum(STATUSES)).min(1), timeoutMs, inWords }),
    needsSupervisor: true,
    run: waitFor,
  }),
  waitAny: define({
    args: z.object({ workers: z.array(worker), statuses: z.array(z.enum(STATUSES)).min(1), timeoutMs, inWords }),
    needsSupervisor: true,
    run: waitForAny,
  }),
  rescueList: define({
    args: z.object({ worker: worker.optional(), sizes: z.boolean().optional() }),
    needsSupervisor: false,
    run: listSaved,
  }),
  rescuePrune: define({
    args: z.object({
      worker: worker.optional(),
      olderThanMs: z.number().nonnegative(),
      dryRun: z.boolean(),
      only: z.array(z.object({ name: z.string(), sha: z.string() })).optional(),
    }),
    needsSupervisor: false,
    run: pruneSaved,
  }),
  rescueDiff: define({ args: z.object({ name: z.string(), other: z.string().optional() }), needsSupervisor: false, run: diffSaved }),
  rescueShow: define({
    args: z.object({ name: z.string() }),
    needsSupervisor: false,
    run: (context, { name }) => showSaved(context, name),
  }),
  rescueRestore: define({ args: z.object({ name: z.string(), into: worker.optional() }), needsSupervisor: false, run: restoreSaved }),
  ...RUN_OPERATIONS,
} as const;

export type OperationName = keyof typeof OPERATIONS;
export type ArgsOf<Name extends OperationName> = Parameters<(typeof OPERATIONS)[Name]['run']>[1];
export type ResultOf<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]['run']>>;

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

export async function runOperation(name: OperationName, context: WorkContext, args: unknown): Promise<unknown> {
  return await OPERATIONS[name].perform(context, args);
}
