import type { Role } from '../definition/plan.ts';
import { valueAt } from '../definition/values.ts';
import { inItem, splitAddress } from '../model/address.ts';
import type { Run } from '../model/run.ts';
import { itemAround } from '../model/stage-at.ts';
import { readAgentsFile, resolveAgents } from './agents-file.ts';

/** The agents of a role for one step: those of the plan, or those that the agents file of its `for_each` names for the item. */
export function agentsFor(
  run: Pick<Run, 'plan' | 'inputs' | 'steps'>,
  role: string,
  address: string,
): Pick<Role, 'agent' | 'fallback' | 'model'> {
  const { agent, fallback, model } = run.plan.roles[role] ?? { agent: undefined, fallback: undefined, model: undefined };
  const around = itemAround(run, address);
  const content = around?.within.agents === undefined ? undefined : valueAt({ inputs: run.inputs }, around.within.agents);
  const reading = content === undefined ? undefined : readAgentsFile(content);
  if (around === undefined || reading?.kind !== 'agents') return { agent, fallback, model };
  const item = run.steps[inItem(around.within.id, around.key)]?.item?.value;
  const complexity = valueAt({ item }, 'item.complexity');
  const task = splitAddress(address).stage;
  const resolved = resolveAgents(reading.file, {
    story: around.key,
    task,
    complexity: typeof complexity === 'string' ? complexity : undefined,
  });
  const own = resolved.primary ?? agent;
  const other = resolved.fallback === false ? undefined : (resolved.fallback ?? fallback);
  // The model of a role is one of its own agent, and nobody takes over from itself.
  return { agent: own, fallback: other === own ? undefined : other, model: own === agent ? model : undefined };
}
