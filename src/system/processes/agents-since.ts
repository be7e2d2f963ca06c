import { readTextIfThere, writePrivate } from '../files/files.ts';
import { readKin } from './lineage.ts';
import { type AgentsSince, readGroups } from './origin.ts';

/** More than a person starts supervisors in between two starts of the machine. */
const MOST_GROUPS = 100;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Notes that this process may start agents from now on. Keeps the earliest time since the machine started: what an agent left behind
 * outlives its supervisor.
 */
export function noteAgents(path: string): void {
  const self = readKin(process.pid);
  const boot = readTextIfThere(BOOT_ID)?.trim();
  if (self === undefined || boot === undefined) return;
  const before = read(path, boot) ?? { ticks: self.started, groups: [] };
  const groups = [...new Set([...readGroups(process.pid), ...before.groups])].slice(0, MOST_GROUPS);
  writePrivate(path, JSON.stringify({ boot, ticks: Math.min(before.ticks, self.started), groups }));
}

/** Since when agents of a root may have run. Without a note, none has since the machine started; with a broken one, always. */
export function agentsSince(path: string): AgentsSince {
  const text = readTextIfThere(path);
  const boot = readTextIfThere(BOOT_ID)?.trim();
  if (text === undefined || boot === undefined) return { ticks: Number.POSITIVE_INFINITY, groups: [] };
  return read(path, boot) ?? { ticks: 0, groups: [] };
}

/** Undefined for a broken note. One from before the last start of the machine names no time. */
function read(path: string, boot: string): AgentsSince | undefined {
  try {
    const found: unknown = JSON.parse(readTextIfThere(path) ?? 'null');
    if (typeof found !== 'object' || found === null || !('boot' in found) || !('ticks' in found) || !('groups' in found)) return undefined;
    if (found.boot !== boot) return { ticks: Number.POSITIVE_INFINITY, groups: [] };
    const { ticks, groups } = found;
    if (typeof ticks !== 'number' || !Array.isArray(groups)) return undefined;
    return { ticks, groups: groups.filter((group): group is string => typeof group === 'string') };
  } catch {
    return undefined;
  }
}
