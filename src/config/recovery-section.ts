import * as z from 'zod';
import { option, section } from './schema-parts.ts';

const DAY_SECS = 86_400;
const waits = z.array(z.int().min(1).max(DAY_SECS)).max(50);

/** The figures of the decisions in src/recovery; docs/recovery.md explains each. */
export const recovery = section({
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
});
