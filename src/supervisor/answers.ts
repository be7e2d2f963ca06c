import { z } from 'zod';
import { LlmcError } from '../base/error.ts';
import { glanceConfig } from '../config/glance.ts';
import { glanceDelivery } from '../store/delivery-glance.ts';
import { readTextIfThere } from '../system/files.ts';
import { budgetAtAGlance } from '../workers/budget.ts';
import type { WorkContext } from '../workers/context.ts';
import { landingPlace } from '../workers/landing-place.ts';
import { answerDialog } from './answer.ts';
import type { Call } from './api-server.ts';
import { checkArgs } from './check-args.ts';
import type { Meter } from './meter.ts';
import { isOperation, runOperation } from './operations.ts';
import { readiness } from './readiness.ts';
import { holdingOn, type StatusReport, statusReport } from './status-report.ts';
import type { Supervisor } from './supervisor.ts';
import { usageOf } from './usage.ts';
import { whyReport } from './why-report.ts';

/** Who is asked. */
export interface Asked {
  readonly supervisor: Supervisor;
  readonly meter: Meter;
  readonly since: number;
  /** Ends the supervisor and everything it runs; resolves with the workers it stopped. */
  readonly stop: (force: boolean) => Promise<readonly string[]>;
}

interface Question<Args, Answer> {
  readonly args: z.ZodType<Args>;
  /** The context is the caller's own: its words go to them, and it ends when they leave. */
  readonly answer: (asked: Asked, args: Args, context: WorkContext) => Promise<Answer>;
}

function define<Args, Answer>(question: Question<Args, Answer>) {
  return {
    ...question,
    reply: async (asked: Asked, args: unknown, context: WorkContext): Promise<Answer> =>
      await question.answer(asked, checkArgs(question.args, args), context),
  };
}

/** What only a running supervisor can be asked. */
export const QUESTIONS = {
  status: define({ args: z.object({}), answer: async (asked) => await report(asked) }),
  why: define({
    args: z.object({ worker: z.string() }),
    answer: async ({ supervisor }, { worker }, { store, config }) => {
      const record = store.worker(worker);
      // Why a worker stands where it stands must be told also while config.toml is broken.
      const usage = await config()
        .then((current) => usageOf(record, current))
        .catch(() => undefined);
      const account = glanceConfig(readTextIfThere(supervisor.context.layout.config) ?? '').accountOf(record.agent);
      const limit = holdingOn(store.state, account, supervisor.context.clock.now());
      return whyReport(record, store.database, supervisor.watches.get(worker), supervisor.troubleOf(worker), {
        ...{ usage, limit, budget: await budgetAtAGlance({ store, config, clock: supervisor.context.clock }) },
      });
    },
  }),
  answer: define({
    args: z.object({ worker: z.string(), choice: z.string().min(1, 'the answer is empty') }),
    answer: async ({ supervisor }, args, context) =>
      await answerDialog(context, supervisor.watches.get(args.worker), args).finally(() => supervisor.wake()),
  }),
  ready: define({
    args: z.object({}),
    answer: async ({ supervisor }, _, { signal, store, say }) => {
      // Who started it in the background does not see what it says.
      for (const what of store.mended) say(what);
      return await readiness(supervisor, signal);
    },
  }),
  down: define({ args: z.object({ force: z.boolean() }), answer: async ({ stop }, { force }) => await stop(force) }),
} as const;

export type QuestionName = keyof typeof QUESTIONS;
export type QuestionArgs<Name extends QuestionName> = Parameters<(typeof QUESTIONS)[Name]['answer']>[1];
export type AnswerTo<Name extends QuestionName> = Awaited<ReturnType<(typeof QUESTIONS)[Name]['answer']>>;

/** What a running supervisor answers over its socket. */
export async function answerCall(asked: Asked, call: Call): Promise<unknown> {
  const { context } = asked.supervisor;
  const own = { ...context, say: call.say, signal: AbortSignal.any([context.signal, call.signal]) };
  if (isOperation(call.name)) return await runOperation(call.name, own, call.args).finally(() => asked.supervisor.wake());
  if (isQuestion(call.name)) return await QUESTIONS[call.name].reply(asked, call.args, own);
  throw new LlmcError('INVALID_ARGUMENT', `the supervisor does not know "${call.name}"`, { hint: 'llmc help' });
}

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(QUESTIONS, name);
}

async function report({ supervisor, meter, since }: Asked): Promise<StatusReport> {
  const { context, watches } = supervisor;
  // Leniently, as without a supervisor: a config.toml that is just being edited must not hide where the workers stand.
  const glance = glanceConfig(readTextIfThere(context.layout.config) ?? '');
  const { modelOf, accountOf } = glance;
  const { source, branch, problem } = await landingPlace(context, glance);
  return statusReport({
    root: context.layout.root,
    source,
    branch,
    problems: [problem],
    supervisor: { running: true, pid: process.pid, since_unix: since },
    state: context.store.state,
    deliveryOf: (name) => glanceDelivery(context.store.database, name),
    modelOf,
    accountOf,
    now: context.clock.now(),
    budget: await budgetAtAGlance(context),
    assessmentOf: (name) => watches.get(name)?.assessment,
    troubleOf: (name) => supervisor.troubleOf(name),
    figuresOf: (name) => meter.figuresOf(name),
  });
}
