import { type Check, type Finding, failed, ok, type WorkflowFiles, warning } from '../check.ts';
import { withConfig } from '../needs.ts';

/** A file in the folder `workflows` of a repository may be for another program. */
const FOREIGN = 'Correct the file and commit it, if it is a workflow of llmc: llmc workflows list';
const OWN = 'Correct the file, then: llmc workflows list';

/** Checks the workflow files of the root and of the repository, as `llmc run` does: a night must not begin with a misspelt word. */
export const workflowsCheck: Check = {
  name: 'workflows',
  run: (context) => withConfig(context, async () => toFinding(await context.workflows())),
};

function toFinding({ files, unread }: WorkflowFiles): Finding {
  const broken = files.filter(({ problems }) => problems.length > 0);
  const lines = broken.flatMap(({ file, problems }) =>
    problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
  );
  if (broken.some(({ origin }) => origin === 'root')) return failed(lines.join('\n'), OWN);
  if (broken.length > 0) return warning(lines.join('\n'), FOREIGN);
  if (unread !== undefined) return warning(`the workflows of the repository cannot be read: ${unread}`);
  return ok(files.length === 0 ? 'none of your own' : `${files.length} of your own ${files.length === 1 ? 'is' : 'are'} valid`);
}
