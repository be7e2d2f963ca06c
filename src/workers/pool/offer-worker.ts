import { LlmcError } from '../../base/error.ts';
import { agentProgram } from '../../config/agent-program.ts';
import { BUILT_IN_AGENTS, type Config } from '../../config/schema.ts';
import { chooseSettings, workerSettings } from '../../config/worker-settings.ts';
import type { WorkContext } from '../context.ts';
import { isOnTheWay, type Like, listPool, pickIdle } from './pick.ts';
import { freeName } from './worker-names.ts';

interface Wish {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** A worker that a person may add for a task. */
export interface OfferedWorker {
  readonly name: string;
  readonly agent: string;
  /** The model that the task asks for, if it does. */
  readonly model: string | null;
}

/** Returns the worker that could be added for a task; null if none is needed: one is idle or starts, or the pool makes one. */
export async function offerWorker(context: WorkContext, { agent, model }: Wish): Promise<OfferedWorker | null> {
  const { store, clock } = context;
  const config = await context.config();
  // Throws for an agent that nothing declares.
  if (agent !== undefined) agentProgram(config, agent);
  const like = { agent: agent ?? null, model: model ?? null };
  if (config.pool.max > 0 || isOnTheWay(store.state, config, clock.now(), undefined, like)) return null;
  if (!isNoneIdle(context, config, like)) return null;
  return { name: await freeName(context, config), agent: agent ?? config.defaults.agent, model: model ?? null };
}

/** A worker at a usage limit is idle: another one with the same agent would wait as well. */
function isNoneIdle({ store, clock }: WorkContext, config: Config, like: Like): boolean {
  try {
    pickIdle(store.state, config, clock.now(), () => true, like);
    return false;
  } catch (error) {
    if (error instanceof LlmcError) return error.code === 'NO_IDLE_WORKER';
    throw error;
  }
}

export interface AgentChoice {
  readonly agent: string;
  /** The default first. Empty: llmc knows none, and the agent chooses. */
  readonly models: readonly string[];
}

/** The demo agent is offered only where config.toml has it. */
const REAL_AGENTS = BUILT_IN_AGENTS.filter((agent) => agent !== 'demo');
/** The names by which Claude Code 2.1 takes its models. */
const MODELS_OF_CLAUDE = ['opus', 'sonnet', 'haiku'];

/** The agents that a task can ask for, the default one first, each with the models that config.toml or llmc knows. */
export async function taskChoices(context: WorkContext): Promise<readonly AgentChoice[]> {
  const config = await context.config();
  const workers = listPool(context.store.state, config).map((worker) => chooseSettings(config, worker));
  const usual = config.pool.agent ?? config.defaults.agent;
  const agents = new Set([usual, ...workers.map(({ agent }) => agent), ...Object.keys(config.agents), ...REAL_AGENTS]);
  return [...agents].map((agent) => {
    const named = workers.filter((one) => one.agent === agent).map(({ model }) => model);
    const known = agentProgram(config, agent).adapter === 'claude' ? MODELS_OF_CLAUDE : [];
    const ofPool = agent === usual && config.pool.model !== undefined ? [config.pool.model] : [];
    const models = [...ofPool, workerSettings(config, '', agent).model, ...named, ...known];
    return { agent, models: [...new Set(models)].filter((model) => model !== '') };
  });
}
