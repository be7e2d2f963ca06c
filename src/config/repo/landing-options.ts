import * as z from 'zod';
import { branchPatternProblem } from '../../base/branch-name.ts';
import { option, text } from '../schema-parts.ts';

/** Where accepted work lands: options of `[repo]`. */
export const landing = {
  landing: option(
    'Where `llmc accept` puts a commit: `main`, or a `branch` of its own in the source, made from main. `accept --main` and `accept --branch <name>` decide otherwise for the work that they land.',
    z.enum(['main', 'branch']).default('main'),
  ),
  landing_branch: option(
    'The name of that branch, with `{worker}` and `{task}` for the worker and the first words of its task; if it exists, a number is added. Without either, every accept goes to the same branch.',
    text
      .superRefine((pattern, refined) => {
        const problem = branchPatternProblem(pattern);
        if (problem !== undefined) refined.addIssue(`expected the name of a branch, with {worker} or {task}: ${problem}`);
      })
      .default('{worker}/{task}'),
  ),
};
