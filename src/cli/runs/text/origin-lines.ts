import { visibleLine } from '../../../base/visible-text.ts';
import type { Plan } from '../../../workflow/definition/plan.ts';
import type { FoundWorkflow } from '../../../workflow/library/library.ts';

/** Says which file a run begins with. One of the repository may have landed with the work of an agent, so its shell lines are named too. */
export function originLines({ workflow: { name, origin, file }, shadows }: FoundWorkflow, plan: Plan): readonly string[] {
  if (origin === 'built-in') return [];
  const instead = shadows.length === 0 ? '' : `, in place of ${shadows.map((each) => each.file).join(', ')}`;
  const lines = origin === 'repository' ? shellLines(plan) : [];
  return [
    visibleLine(`The workflow ${name} is ${file}${instead}.`),
    ...lines.map((line) => visibleLine(`It runs the shell line: ${line}`)),
  ];
}

function shellLines({ stages }: Plan): readonly string[] {
  return stages.flatMap((stage) => {
    if (stage.kind === 'command') return stage.lines;
    return stage.kind === 'review' && stage.by.kind === 'command' ? stage.by.lines : [];
  });
}
