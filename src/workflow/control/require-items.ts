import { LlmcError } from '../../base/error.ts';
import { readAgentsFile } from '../agents-file/agents-file.ts';
import type { Plan } from '../definition/plan.ts';
import { valueAt } from '../definition/values.ts';
import type { Run } from '../model/run.ts';
import { readItems } from '../next/items/read-items.ts';

/** Refuses inputs whose items cannot be used, before anything starts. Lists that an agent makes are checked when they are there. */
export function requireItems({ stages, inputs: known }: Plan, inputs: Run['inputs']): void {
  for (const stage of stages) {
    if (stage.kind !== 'for_each' || !stage.of.startsWith('inputs.')) continue;
    const list = valueAt({ inputs }, stage.of);
    if (list === undefined && known[stage.of.split('.')[1] ?? '']?.optional === true) continue;
    const read = readItems(stage, list);
    if (read.kind === 'items') continue;
    throw new LlmcError('INVALID_ARGUMENT', `the items of ${stage.id} cannot be used, so nothing was started`, {
      details: read.problems.join('\n'),
      hint: `Correct ${stage.of}, then start the run again.`,
    });
  }
}

/** Refuses an agents file that cannot be used, or that names an agent that is not there. */
export function requireAgents({ stages }: Plan, inputs: Run['inputs'], known: readonly string[]): void {
  for (const stage of stages) {
    const content = stage.kind === 'for_each' && stage.agents !== undefined ? valueAt({ inputs }, stage.agents) : undefined;
    if (content === undefined) continue;
    const reading = readAgentsFile(content, known);
    if (reading.kind === 'wrong')
      throw new LlmcError('INVALID_ARGUMENT', `the agents file of ${stage.id} cannot be used, so nothing was started`, {
        details: reading.problems.map(({ message }) => message).join('\n'),
        hint: 'llmc agents list, with the path of the file, names the line and the column of each problem',
      });
  }
}
