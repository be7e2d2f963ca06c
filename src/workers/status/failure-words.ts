import type { AgentErrorType } from '../../agents/activity.ts';

export const FAILURE_WORDS: Readonly<Record<AgentErrorType, string>> = {
  rate_limit: 'too many requests',
  overloaded: 'the service is overloaded',
  network: 'the network failed',
  auth: 'authentication failed',
  billing: 'the account cannot pay',
  invalid_request: 'the request was refused',
  context_full: 'the conversation is full',
  tool: 'a tool failed',
  api: 'the service failed',
  unknown: 'for an unknown reason',
};
