import type { AgentChoice } from '../../workers/pool/offer-worker.ts';

/** What a task asks of its worker; undefined: any agent, any model. */
export interface TaskLike {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

export type TaskPart = 'agent' | 'model';

/** The key that turns each part while a task is typed. */
export const PART_KEYS: Readonly<Record<string, TaskPart>> = { tab: 'agent', 'shift+tab': 'model' };

/** The next agent or model for a task; after the last one, any. The models are those of the chosen agent. */
export function turned(like: TaskLike, choices: readonly AgentChoice[], part: TaskPart): TaskLike {
  if (part === 'agent') return { agent: next(listAgentNames(choices), like.agent), model: undefined };
  return { agent: like.agent, model: next(modelsFor(like, choices), like.model) };
}

/** The models to choose from; the first agent is the one that a task gets without a choice. */
export function modelsFor({ agent }: TaskLike, choices: readonly AgentChoice[]): readonly string[] {
  return (choices.find((choice) => choice.agent === agent) ?? choices[0])?.models ?? [];
}

const listAgentNames = (choices: readonly AgentChoice[]): readonly string[] => choices.map(({ agent }) => agent);

/** The one after `now`, beginning with the first; undefined after the last. */
function next(all: readonly string[], now: string | undefined): string | undefined {
  return now === undefined ? all[0] : all[all.indexOf(now) + 1];
}

/** `agent: codex · model: any`; empty if anything will do. */
export function likeText({ agent, model }: TaskLike): string {
  return agent === undefined && model === undefined ? '' : `agent: ${agent ?? 'any'} · model: ${model ?? 'any'}`;
}
