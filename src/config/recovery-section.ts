import * as z from 'zod';
import { option, section } from './schema-parts.ts';

const DAY_SECS = 86_400;
/** Shorter than this, a person would be told about what passes by itself. */
const holdSecs = z.int().min(10).max(DAY_SECS);
const waits = z.array(z.int().min(1).max(DAY_SECS)).max(50);

/** Four times, each later than the one before; none: never. */
export const stuckSecs = z
  .array(
    z
      .int()
      .min(1)
      .max(7 * DAY_SECS),
  )
  .refine((times) => times.length === 0 || times.length === 4, { error: 'expected four times, or none' })
  .refine((times) => times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)), {
    error: 'expected each time to be later than the one before',
  });

/** The figures of the decisions in src/recovery; docs/recovery.md explains each. */
export const recovery = section({
  delivery_attempts: option(
    'How often llmc types or sends a prompt that is provably nowhere, before it calls a person.',
    z.int().min(1).max(20).default(3),
  ),
  max_crashes: option(
    'llmc calls a person when an agent has crashed this often in a row: since its last finished task, with less than a day between the crashes.',
    z.int().min(1).max(100).default(3),
  ),
  crash_backoff_secs: option(
    'The waits before an agent is started again after its first crash, its second, and so on. The last one counts for all later crashes.',
    z.array(z.int().min(0).max(DAY_SECS)).max(50).default([0, 10]),
  ),
  rate_limit_wait_secs: option(
    'The wait for a usage limit whose end the agent does not name, and before the restart of an agent that ended at one.',
    z.int().min(1).max(DAY_SECS).default(300),
  ),
  failed_turn_backoff_secs: option(
    'The waits before llmc tells an agent to continue after a turn that failed with a temporary error: the first wait, the second, and so on. After the last attempt a person is called. Empty: a person is called at once.',
    waits.default([60, 120, 300, 600, 1_200, 1_800]),
  ),
  backoff_jitter: option(
    'The share of each wait that chance may add, so that workers which fail together do not try again together.',
    z.number().min(0).max(1).default(0.2),
  ),
  context_full: option(
    'What llmc does when a conversation does not fit into the context window of the model: `ask` calls a person, `compact` runs the compact command of the CLI and continues, `fresh` starts a new conversation with the task and the last instructions.',
    z.enum(['ask', 'compact', 'fresh']).default('ask'),
  ),
  stuck_secs: option(
    'How long an agent may be in a turn without any sign of progress: until llmc interrupts it and asks for its status, checks for an answer or a commit, asks again, and calls a person. A command that uses the processor is progress. Empty: never.',
    stuckSecs.default([1_800, 2_100, 2_400, 2_700]),
  ),
  hold_person_secs: option(
    'How long a prompt may wait for something that only a person can end (a menu, a dialog, a draft, a stopped process), or for any reaction of the agent, before a person is told.',
    holdSecs.default(60),
  ),
  hold_typing_secs: option('The same while a person types in the terminal of the agent.', holdSecs.default(600)),
  hold_start_secs: option('The same while the agent starts, or after the time to continue a failed turn.', holdSecs.default(300)),
  hold_restart_secs: option('The same while the agent does not run.', holdSecs.default(900)),
  hold_busy_secs: option('The same while the agent is in a turn and shows no progress.', holdSecs.default(3_600)),
  hold_limit_secs: option('The same after a usage limit has reset.', holdSecs.default(1_800)),
});
