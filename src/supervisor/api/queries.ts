import { z } from 'zod';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { invalidConfigText } from '../../config/in-force.ts';
import { readConfigLeniently } from '../../config/read-config-leniently.ts';
import { stalledSince } from '../../recovery/decide-stall.ts';
import type { WorkContext } from '../../workers/context.ts';
import { readBudgetLeniently } from '../../workers/pool/budget.ts';
import { stuckPolicy } from '../../workers/recovery-policy.ts';
import { answerDialog } from '../dialogs/answer-dialog.ts';
import type { ShownDialogs } from '../dialogs/shown-dialogs.ts';
import type { Followers } from '../follow/followers.ts';
import type { Screens } from '../follow/screens.ts';
import { TranscriptUsage } from '../metering/transcript-usage.ts';
import type { Fleet } from '../observe/fleet.ts';
import { toAsksReport } from '../report/asks-report.ts';
import { chooseAttention } from '../report/attention.ts';
import { holdingOn, type StatusReport } from '../report/status-report.ts';
import { cannotWriteError, unwritableText } from '../report/unwritable-text.ts';
import { whyReport } from '../report/why-report.ts';
import { checkArgs } from './check-args.ts';
import { inWords } from './define-operation.ts';
import { nameReader } from './name-reader.ts';
import { isOperation, OPERATIONS, type OperationName, runOperation } from './operations.ts';
import { admitRequest, type QuestionName } from './people-only.ts';
import { readiness } from './readiness.ts';
import type { Call } from './server.ts';

/** A running supervisor, as its callers use it. */
export interface RunningSupervisor {
  readonly context: WorkContext;
  readonly fleet: Fleet;
  /** Which dialogs people were shown. */
  readonly shown: ShownDialogs;
  /** When the loop last made a pass. */
  readonly heartbeat: { readonly lastPassAt: Instant };
  readonly status: () => Promise<StatusReport>;
  readonly followers: Followers;
  readonly screens: Screens;
  /** Called with the failure of a command: the disk may be the reason. */
  readonly onFailure: (error: unknown) => void;
  /** Ends the supervisor and everything it runs; resolves with the workers it stopped. */
  readonly stop: (force: boolean) => Promise<readonly string[]>;
  /** Ends the supervisor and leaves its agents to another one. */
  readonly handOver: (heir: {
    readonly pid: number;
    readonly version: string;
    readonly service?: boolean | undefined;
  }) => Promise<readonly string[]>;
}

interface Query<Args, Answer> {
  readonly args: z.ZodType<Args>;
  /** The context belongs to the caller: output goes to the caller, and the work ends when the caller leaves. */
  readonly answer: (asked: RunningSupervisor, args: Args, context: WorkContext, call: Call) => Promise<Answer>;
}

function define<Args, Answer>(query: Query<Args, Answer>) {
  return {
    ...query,
    reply: async (asked: RunningSupervisor, args: unknown, context: WorkContext, call: Call): Promise<Answer> =>
      await query.answer(asked, checkArgs(query.args, args), context, call),
  };
}

/** Questions that only a running supervisor can answer. */
export const QUERIES = {
  status: define({
    args: z.object({ inWords }),
    answer: async (asked, args, _, call) => {
      const report = await asked.status();
      const open = report.workers.flatMap(({ name, asks }) => (typeof asks?.id === 'string' ? [{ worker: name, id: asks.id }] : []));
      if (args.inWords === true) await noteShown(asked, call, open);
      return report;
    },
  }),
  // Until the caller leaves or the supervisor ends; a supervisor that is stopping still shows how its agents end.
  follow: define({ args: z.object({}), answer: async ({ followers }, _, __, call) => await followers.follow(call, call.signal) }),
  watchScreen: define({
    args: z.object({ worker: z.string() }),
    answer: async ({ screens }, { worker }, { signal }, call) => await screens.watch(worker, call, signal),
  }),
  why: define({
    args: z.object({ worker: z.string(), inWords }),
    answer: async (asked, args, context, call) => {
      const { fleet, heartbeat } = asked;
      const { worker } = args;
      const { store, config, clock, layout, files } = context;
      const record = store.worker(worker);
      if (args.inWords === true) await noteShown(asked, call, listOpenDialogs(asked, worker));
      // `why` must also work while config.toml is broken.
      const current = await config().catch(() => undefined);
      const usage = current && (await new TranscriptUsage(files).of(record, current, () => clock.sleep(0)).catch(() => undefined));
      const account = readConfigLeniently(await context.configText()).accountOf(record.agent);
      const now = clock.now();
      const limit = holdingOn(store.state, account, now);
      return whyReport(record, store.database, fleet.watchOf(worker), now, {
        trouble: fleet.troubleOf(worker),
        supervised: true,
        usage,
        limit,
        budget: await readBudgetLeniently(context),
        stuck: current && stuckPolicy(current, worker),
        stalledSince: stalledSince(heartbeat.lastPassAt, now),
        problem: fleet.unwritable === undefined ? await configProblem(context) : unwritableText(fleet.unwritable, layout.root, now),
      });
    },
  }),
  answer: define({
    args: z.object({
      worker: z.string(),
      choice: z.string().refine((text) => !showsNothing(text), 'the answer is empty'),
      asked: z.string().optional(),
      typedAt: z.number().optional(),
      inWords,
    }),
    answer: async ({ fleet, shown }, { worker, choice, asked, typedAt, inWords: isShown }, context, call) => {
      const reader = asked === undefined || isShown === true ? await nameReader(context.layout, call) : undefined;
      const request = {
        worker,
        choice,
        asked: asked ?? shown.meant(reader, worker, typedAt),
        show: (id: string) => {
          if (isShown === true) shown.note(reader, { worker, id, at: context.clock.now() });
        },
      };
      return await answerDialog(context, fleet.watchOf(worker), request).finally(() => fleet.wake());
    },
  }),
  ready: define({
    args: z.object({}),
    answer: async ({ fleet }, _, context) => {
      // A person who started the supervisor in the background does not read its output.
      for (const what of context.store.repairs) context.say(what);
      return await readiness(context, fleet);
    },
  }),
  handOver: define({
    args: z.object({ pid: z.int(), version: z.string(), service: z.boolean().optional() }),
    answer: async ({ handOver }, heir) => await handOver(heir),
  }),
  down: define({ args: z.object({ force: z.boolean() }), answer: async ({ stop }, { force }) => await stop(force) }),
} as const satisfies Record<QuestionName, unknown>;

export type QueryName = keyof typeof QUERIES;
export type QueryArgs<Name extends QueryName> = Parameters<(typeof QUERIES)[Name]['answer']>[1];
export type QueryResult<Name extends QueryName> = Awaited<ReturnType<(typeof QUERIES)[Name]['answer']>>;

/** The requests that a running supervisor answers over its socket. */
export async function handleCall(asked: RunningSupervisor, call: Call): Promise<unknown> {
  const { context } = asked;
  const own = { ...context, say: call.say, signal: AbortSignal.any([context.signal, call.signal]) };
  // What the supervisor runs itself, such as the validation of a landing, runs code of the agents too.
  const args = await admitRequest(context, call, [process.pid]);
  if (isOperation(call.name)) return await operate(asked, call, call.name, own, args);
  if (isQuery(call.name)) return await QUERIES[call.name].reply(asked, args, own, call);
  throw new LlmcError('INVALID_ARGUMENT', `the supervisor does not know "${call.name}"`, { hint: 'llmc help' });
}

/** Undefined also where no configuration was ever valid: what needs one then says so itself. */
async function configProblem({ invalidConfig, clock }: WorkContext): Promise<string | undefined> {
  const invalid = await invalidConfig().catch(() => undefined);
  return invalid && invalidConfigText(invalid, clock.now());
}

const waitInWords = z.object({ inWords: z.literal(true) });

/** What `wait` shows of a worker that asks. */
const reachedDialog = z.object({ name: z.string(), attention_kind: z.enum(['question', 'permission']) });

async function noteShown(
  { context, shown }: RunningSupervisor,
  call: Call,
  dialogs: readonly { readonly worker: string; readonly id: string }[],
) {
  if (dialogs.length === 0) return;
  const reader = await nameReader(context.layout, call);
  for (const dialog of dialogs) shown.note(reader, { ...dialog, at: context.clock.now() });
}

/** The dialog in the attention of a worker, which is what commands print. */
function listOpenDialogs({ context, fleet }: RunningSupervisor, name: string): readonly { readonly worker: string; readonly id: string }[] {
  const watch = fleet.watchOf(name);
  const attention = chooseAttention(context.store.worker(name), watch?.assessment, fleet.troubleOf(name));
  const id = toAsksReport(attention, watch?.dialog.open)?.id;
  return typeof id === 'string' ? [{ worker: name, id }] : [];
}

async function operate(asked: RunningSupervisor, call: Call, name: OperationName, context: WorkContext, args: unknown): Promise<unknown> {
  const { fleet, onFailure } = asked;
  // The loop would not send the prompt before the root can be written again, and the caller would wait for it.
  if (fleet.unwritable !== undefined && OPERATIONS[name].needsSupervisor) throw cannotWriteError(fleet.unwritable, context.layout.root);
  const problem = await configProblem(context);
  if (problem !== undefined) context.say(`Warning: ${problem}`);
  try {
    const result = await runOperation(name, context, args);
    const reached = reachedDialog.safeParse(result).data;
    if (reached !== undefined && waitInWords.safeParse(args).success) await noteShown(asked, call, listOpenDialogs(asked, reached.name));
    return result;
  } catch (error) {
    onFailure(error);
    throw error;
  } finally {
    fleet.wake();
  }
}

function isQuery(name: string): name is QueryName {
  return Object.hasOwn(QUERIES, name);
}
