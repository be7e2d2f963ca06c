import { findAgent } from '../agents/registry.ts';
import type { AgentProgram } from '../config/agent-program.ts';

/** How an agent is to be talked to; typing is the only way to one without a protocol. */
export function channelOf({ adapter, channel }: Pick<AgentProgram, 'adapter' | 'channel'>): 'auto' | 'typing' {
  return findAgent(adapter).protocol === undefined ? 'typing' : channel;
}
