import * as z from 'zod';
import { glob } from '../pattern.ts';
import { option, section, text } from '../schema-parts.ts';

/** How conflicts in some files are resolved without the agent. */
export const conflictRule = section({
  files: option(
    'The files: one glob or a list, as in `copy_files`.',
    z.union([glob, z.array(glob).min(1)]).transform((files): readonly string[] => (typeof files === 'string' ? [files] : files)),
  ),
  rule: option(
    "`main`: take main's version. `worker`: take the worker's version. `regenerate`: start from main's version and run `command`.",
    z.enum(['main', 'worker', 'regenerate']),
  ),
  command: option(
    'Shell command that makes the files again, run in the worktree like `validate`. Only for `regenerate`.',
    text.min(1).optional(),
  ),
});
