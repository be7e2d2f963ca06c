import { afterFailurePrompt, afterLimitPrompt, continuePrompt, lostConversationPrompt } from '../../src/workers/prompt/prompts.ts';

/** The prompts to continue after a crash, a lost conversation, a usage limit and a failed turn, for a task that must leave a commit. */
export const CONTINUE_PROMPT = continuePrompt('commit');
export const LOST_CONVERSATION_PROMPT = lostConversationPrompt('commit');
export const AFTER_LIMIT_PROMPT = afterLimitPrompt('commit');
export const AFTER_FAILURE_PROMPT = afterFailurePrompt('commit');
