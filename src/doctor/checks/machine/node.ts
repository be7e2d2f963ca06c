import { type Check, failed, ok } from '../../check.ts';

/** From 24.15 on `node:sqlite` works without a warning. */
const MINIMUM_NODE = [24, 15, 0] as const;

export const nodeCheck: Check = {
  name: 'node',
  async run({ nodeVersion }) {
    if (nodeSuffices(nodeVersion)) return ok(`Node ${nodeVersion}`);
    return failed(`Node ${nodeVersion} is too old: llmc needs ${MINIMUM_NODE.join('.')} or newer`, 'Update Node: https://nodejs.org');
  },
};

export function nodeSuffices(version: string): boolean {
  const parts = version.replace(/^v/, '').split('-')[0]?.split('.').map(Number) ?? [];
  for (const [index, minimum] of MINIMUM_NODE.entries()) {
    const part = parts[index];
    if (part === undefined || Number.isNaN(part)) return false;
    if (part !== minimum) return part > minimum;
  }
  return true;
}
