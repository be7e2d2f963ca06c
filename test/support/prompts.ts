import { afterLimitPrompt, continuePrompt } from '../../src/workers/prompt/prompts.ts';

/** The prompts to continue after a crash and after a usage limit, for a task that must leave a commit. */
export const CONTINUE_PROMPT = continuePrompt('commit');
export const AFTER_LIMIT_PROMPT = afterLimitPrompt('commit');
