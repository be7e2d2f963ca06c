import { findAgent } from '../agents/registry.ts';
import type { AgentProgram } from '../config/agent-program.ts';

/** The configured channel of an agent; always `typing` without a protocol. */
export function toChannel({ adapter, channel }: Pick<AgentProgram, 'adapter' | 'channel'>): 'auto' | 'typing' {
  return findAgent(adapter).protocol === undefined ? 'typing' : channel;
}
