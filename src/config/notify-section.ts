import * as z from 'zod';
import { isQuietHours } from '../base/quiet-hours.ts';
import { option, section, text } from './schema-parts.ts';

/** `[notify]` */
export const notify = section({
  desktop: option('Show a desktop notification when a person is needed.', z.boolean().default(false)),
  tmux: option('Show a message in the tmux client you are attached with.', z.boolean().default(false)),
  terminal: option(
    'Show a notification of the terminal in which `llmc up`, `llmc wait`, `llmc start --wait` or `llmc status --watch` runs, if it is known to have any: iTerm2, WezTerm, Ghostty and ConEmu (OSC 9), foot and urxvt (OSC 777). Not inside tmux or screen.',
    z.boolean().default(false),
  ),
  command: option(
    'Shell command that llmc runs when a person is needed. It gets what happened [as variables and as JSON](supervisor.md#a-command-of-your-own): `LLMC_TITLE` and `LLMC_TEXT` to show as they are, and `LLMC_WORKER`, `LLMC_STATUS`, `LLMC_REASON`, `LLMC_REASON_KIND`, `LLMC_QUESTION`, `LLMC_COMMAND`, `LLMC_CHOICES` and others. For a digest, `LLMC_WORKER` is empty, `LLMC_WORKERS` names all, and status and kind are `digest`. For a question of a run, a run that failed, and a failure with `notify` in its workflow, `LLMC_WORKER` is empty and `LLMC_RUN` names it.',
    text.default(''),
  ),
  quiet: option(
    'Quiet hours in local time, such as `22:00-07:00`: nothing rings, and one digest follows at their end. Empty: none.',
    z
      .string()
      .refine((value) => value === '' || isQuietHours(value), { error: 'expected quiet hours such as "22:00-07:00"' })
      .default(''),
  ),
  digest_secs: option(
    'After three notifications within this time, further ones are collected and become one. 0: each goes out at once.',
    z.int().min(0).max(86_400).default(60),
  ),
});
