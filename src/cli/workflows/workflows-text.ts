import { shellWord } from '../../base/shell-quote.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { jsonText, visibleLine } from '../../base/visible-text.ts';
import type { Shell } from '../shell.ts';
import type { ListedWorkflow, WorkflowsOutput } from './workflows.ts';

export function workflowsText(output: WorkflowsOutput, shell: Shell): string {
  switch (output.action) {
    case 'list':
      return listText(output.workflows, output.repository_problem, shell);
    case 'show':
      // The text goes to stdout alone, so that it can be redirected into a file.
      shell.say(`${output.file}${output.shadows.length === 0 ? '' : ` (shadows ${output.shadows.join(', ')})`}`);
      return output.text;
    case 'validate': {
      const { file, problems, stages, roles } = output;
      if (problems.length === 0) return `${file} is valid: ${counted(stages, 'stage')}, ${counted(roles, 'role')}.`;
      return problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n');
    }
    case 'schema':
      return jsonText(output.schema, 2);
  }
}

/** The schema is printed as it is, so that a file of it can be made in both ways. */
export function workflowsJson(output: WorkflowsOutput): unknown {
  return output.action === 'schema' ? output.schema : output;
}

function listText(workflows: readonly ListedWorkflow[], problem: string | null, shell: Shell): string {
  const rows = workflows.map((each) => [visibleLine(each.name), each.origin, about(each, shell)]);
  const widths = [0, 1].map((index) => Math.max(...rows.map((row) => measureWidth(row[index] ?? ''))));
  const lines = rows.map((row) =>
    cutToWidth(
      row
        .map((cell, index) => padToWidth(cell, widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
      shell.display.columns,
    ),
  );
  return [...lines, ...(problem === null ? [] : [`The workflows of the repository could not be read: ${problem}`])].join('\n');
}

function about({ name, origin, description, problems, shadowed_by: winner }: ListedWorkflow, shell: Shell): string {
  if (winner !== null)
    return winner === origin ? `not used: another file of the ${origin} has this name` : `not used: shadowed by the one of the ${winner}`;
  if (problems.length === 0) return visibleLine(description);
  return `${counted(problems.length, 'problem')}: ${shell.atRoot(`llmc workflows validate ${shellWord(name)}`)}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
