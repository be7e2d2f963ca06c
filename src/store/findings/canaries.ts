import { hostname } from 'node:os';
import * as z from 'zod';
import { atomicWrite } from '../../system/files/atomic-write.ts';
import { readTextIfThere } from '../../system/files/files.ts';

const checkSchema = z.object({
  /** The name of a check in the canary. */
  name: z.string(),
  verdict: z.enum(['passed', 'failed', 'not_tried']),
  /** What the check observed, or did not. */
  evidence: z.string(),
  took_ms: z.int().min(0),
});

const canarySchema = z.object({
  adapter: z.string(),
  version: z.string(),
  /** The version of llmc whose rules were tried: another version has other rules. */
  llmc: z.string(),
  /** As configured: `auto` uses the protocol of an agent that has one. */
  channel: z.enum(['auto', 'typing']).default('typing'),
  host: z.string(),
  at_unix: z.int().min(0),
  checks: z.array(checkSchema).min(1),
});

export type CanaryCheck = z.infer<typeof checkSchema>;
/** The result of trying llmc's rules on one version of an agent CLI, on one machine. */
export type Canary = z.infer<typeof canarySchema>;
export type CanaryKey = Pick<Canary, 'adapter' | 'version' | 'llmc' | 'channel'>;

/** Results of older versions are deleted. */
const MOST_KEPT = 50;

export const hasPassed = ({ checks }: Canary): boolean => checks.every(({ verdict }) => verdict === 'passed');

/** An unreadable file counts as empty: the canary then runs once more. */
export function readCanaries(path: string): readonly Canary[] {
  try {
    return z.object({ canaries: z.array(canarySchema) }).parse(JSON.parse(readTextIfThere(path) ?? '{"canaries":[]}')).canaries;
  } catch {
    return [];
  }
}

export function findCanary(canaries: readonly Canary[], key: CanaryKey, host: string = hostname()): Canary | undefined {
  return canaries.find((each) => each.host === host && sameKey(each, key));
}

/** Newest first, one result per version and machine. The caller has the canary's lock. */
export function keepCanary(path: string, canary: Omit<Canary, 'host'>, host: string = hostname()): Canary {
  const kept = { ...canary, host };
  const others = readCanaries(path).filter((each) => each.host !== host || !sameKey(each, canary));
  atomicWrite(path, `${JSON.stringify({ canaries: [kept, ...others].slice(0, MOST_KEPT) }, null, 2)}\n`);
  return kept;
}

function sameKey(one: CanaryKey, other: CanaryKey): boolean {
  return one.adapter === other.adapter && one.version === other.version && one.llmc === other.llmc && one.channel === other.channel;
}
