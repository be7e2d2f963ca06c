import { join } from 'node:path';
import type { Environment } from '../agent.ts';

/** Where Claude Code keeps its own files. */
export function configDir(env: Environment): string {
  return env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? '', '.claude');
}
