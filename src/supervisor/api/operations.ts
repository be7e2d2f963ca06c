import { z } from 'zod';
import { workerNameSchema } from '../../config/worker-name.ts';
import { repairStepSchema } from '../../recovery/records/repair-step.ts';
import { workerSchema } from '../../store/state.ts';
import { STATUSES } from '../../store/statuses.ts';
import { acceptAll } from '../../workers/accept-all.ts';
import { acceptWork } from '../../workers/accept-work.ts';
import { addWorker } from '../../workers/add-worker.ts';
import type { WorkContext } from '../../workers/context.ts';
import { liftLimit } from '../../workers/lift-limit.ts';
import { nukeWorker } from '../../workers/nuke-worker.ts';
import { rebaseWork } from '../../workers/rebase/rebase-work.ts';
import { rejectWork } from '../../workers/reject-work.ts';
import { repairRoot } from '../../workers/repair/repair-root.ts';
import { diffSaved, listSaved, pruneSaved, restoreSaved, showSaved } from '../../workers/rescue-work.ts';
import { resetWorker } from '../../workers/reset-worker.ts';
import { reviewWork } from '../../workers/review-work.ts';
import { sendMessage } from '../../workers/send-message.ts';
import { startTask } from '../../workers/start-task.ts';
import { undoWork } from '../../workers/undo/undo-work.ts';
import { waitFor } from '../../workers/wait-for.ts';
import { checkArgs } from './check-args.ts';

interface Operation<Args, Result> {
  readonly args: z.ZodType<Args>;
  /** Whether a person must be there to type or to watch. */
  readonly needsSupervisor: boolean;
  readonly run: (context: WorkContext, args: Args) => Promise<Result>;
}

interface Offered<Args, Result> extends Operation<Args, Result> {
  /** Checks arguments from the wire, then runs. */
  readonly perform: (context: WorkContext, args: unknown) => Promise<Result>;
}

function define<Args, Result>(operation: Operation<Args, Result>): Offered<Args, Result> {
  return {
    ...operation,
    async perform(context, args) {
      return await operation.run(context, checkArgs(operation.args, args));
    },
  };
}

const worker = z.string();
const timeoutMs = z.number().nonnegative();

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
      prompt: z.string().min(1),
      expects: workerSchema.shape.expects.optional(),
      queue: z.boolean().optional(),
      timeoutMs,
    }),
    needsSupervisor: true,
    run: startTask,
  }),
  message: define({
    args: z
      .object({
        worker,
        text: z.string().min(1).optional(),
        first: z.enum(['compact', 'fresh']).optional(),
        now: z.boolean().optional(),
        timeoutMs,
      })
      .refine(({ text, first }) => text !== undefined || first !== undefined, 'expected a text'),
    needsSupervisor: true,
    run: sendMessage,
  }),
  reject: define({
    args: z.object({
      worker: worker.optional(),
      feedback: z.string().min(1),
      notes: z.array(z.object({ at: z.string(), text: z.string() })),
      timeoutMs,
    }),
    needsSupervisor: true,
    run: rejectWork,
  }),
  review: define({
    args: z.object({
      worker: worker.optional(),
      beforeAccept: z.boolean().optional(),
      byAgent: z.boolean().optional(),
      patrol: z.boolean().optional(),
      next: z.boolean().optional(),
      skip: z.array(worker).optional(),
    }),
    needsSupervisor: false,
    run: reviewWork,
  }),
  accept: define({
    args: z.object({
      worker: worker.optional(),
      message: z.string().optional(),
      requireReview: z.boolean().optional(),
      allowDropped: z.boolean().optional(),
      patrol: z.boolean(),
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
    args: z.object({ requireReview: z.boolean().optional(), patrol: z.boolean() }),
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
  wait: define({ args: z.object({ worker, statuses: z.array(z.enum(STATUSES)).min(1), timeoutMs }), needsSupervisor: true, run: waitFor }),
  rescueList: define({
    args: z.object({ worker: worker.optional(), sizes: z.boolean().optional() }),
    needsSupervisor: false,
    run: listSaved,
  }),
  rescuePrune: define({
    args: z.object({
      ...{ worker: worker.optional(), olderThanMs: z.number().nonnegative(), dryRun: z.boolean() },
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
