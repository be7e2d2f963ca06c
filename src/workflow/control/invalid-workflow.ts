import { LlmcError } from '../../base/error.ts';
import { shellWord } from '../../base/shell-quote.ts';
import type { LocatedProblem } from '../../config/problems/locate.ts';

/** All problems of a workflow file, each with its place. */
export function invalidWorkflow(file: string, problems: readonly LocatedProblem[], nothing = 'started'): LlmcError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new LlmcError('WORKFLOW_INVALID', `${file} has ${count}, so nothing was ${nothing}`, {
    details: problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
    hint: `Correct the file, then: llmc workflows validate ${shellWord(file)}`,
  });
}
