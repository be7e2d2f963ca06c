import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import type { WorkContext } from '../../workers/context.ts';
import { missingAgent } from '../../workers/pool/missing-agent.ts';
import { archivedNames } from '../archive/archived.ts';
import type { Plan } from '../definition/plan.ts';
import { readWorkflow } from '../definition/read-workflow.ts';
import { valueProblems } from '../inputs/check-values.ts';
import { listAgents } from '../library/library.ts';
import { newRun } from '../model/new-run.ts';
import { freeRunId } from '../model/run-names.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { invalidWorkflow } from './invalid-workflow.ts';
import { requireAgents, requireItems } from './require-items.ts';

export interface StartRun {
  /** What the file is called in messages. */
  readonly file: string;
  readonly text: string;
  /** For a workflow of the library, whose file must carry its name. */
  readonly name?: string | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Where the inputs of the type file came from. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

export interface StartedRun {
  readonly run: string;
  readonly workflow: string;
  /** What will be missing in it. It begins all the same. */
  readonly warnings: readonly string[];
}

/** Stores a new run with its plan. The engine begins it. */
export async function startRun(
  context: Pick<WorkContext, 'store' | 'clock' | 'random' | 'config'>,
  request: StartRun,
): Promise<StartedRun> {
  const { store, clock, random, config } = context;
  const { file, text, name, inputs, files } = request;
  const settings = await config();
  const reading = readWorkflow(text, { agents: listAgents(settings), name });
  if (reading.kind === 'invalid') throw invalidWorkflow(file, reading.problems);
  const { plan } = reading;
  requireValues(plan, inputs);
  requireItems(plan, inputs);
  requireAgents(plan, inputs, listAgents(settings) ?? []);
  const runs = new SqliteRuns(store.database);
  for (;;) {
    const taken = (await runs.list()).map(({ id }) => id);
    // A run and a worker with the same name could not be told apart on the command line.
    const id = freeRunId(plan.name, [...taken, ...archivedNames(systemFiles, store.layout), ...Object.keys(store.state.workers)]);
    const at = clock.now();
    const created = await runs.create(
      { ...newRun(id, plan, inputs, at), ...(files !== undefined && { files }) },
      { key: 'begin', at, dice: random.next(), what: { kind: 'begin' } },
    );
    if (!created) continue;
    // Wakes the engine.
    store.commit({ worker: null, kind: 'run', summary: `${id}: begins, workflow ${plan.name}` });
    return { run: id, workflow: plan.name, warnings: missingAgents(plan, settings) };
  }
}

function requireValues(plan: Plan, inputs: StartRun['inputs']): void {
  const [problem] = valueProblems(plan.inputs, inputs);
  if (problem !== undefined) throw new LlmcError('INVALID_ARGUMENT', problem, { hint: 'llmc run --help' });
}

/** The agents of its roles that cannot be started here, each with what follows from it. */
function missingAgents({ roles }: Plan, config: Config): readonly string[] {
  return Object.entries(roles).flatMap(([role, { agent = config.defaults.agent, fallback }]) => {
    const own = missingAgent(config, agent);
    const other = fallback === undefined ? undefined : missingAgent(config, fallback);
    return [
      ...(own === undefined ? [] : [`${agent}, the agent of ${role}, cannot be started: ${own}.`]),
      ...(other === undefined ? [] : [`${fallback}, the fallback of ${role}, is left out: ${other}.`]),
    ];
  });
}
