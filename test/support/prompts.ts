import { afterLimitPrompt, continuePrompt } from '../../src/workers/prompt/prompts.ts';

/** What a worker whose task is to leave a commit is told after a crash, and after a usage limit. */
export const CONTINUE_PROMPT = continuePrompt('commit');
export const AFTER_LIMIT_PROMPT = afterLimitPrompt('commit');
