import { hostname } from 'node:os';
import * as z from 'zod';
import { atomicWrite } from '../system/files/atomic-write.ts';
import { readTextIfThere } from '../system/files/files.ts';

const checkSchema = z.object({
  /** A name of the canary's own list. */
  name: z.string(),
  verdict: z.enum(['passed', 'failed', 'not_tried']),
  /** What was seen, or what was not. */
  evidence: z.string(),
  took_ms: z.int().min(0),
});

const canarySchema = z.object({
  adapter: z.string(),
  version: z.string(),
  /** The llmc whose rules were tried: another one has other rules. */
  llmc: z.string(),
  /** As configured: `auto` speaks to an agent where it can. */
  channel: z.enum(['auto', 'typing']).default('typing'),
  host: z.string(),
  at_unix: z.int().min(0),
  checks: z.array(checkSchema).min(1),
});

export type CanaryCheck = z.infer<typeof checkSchema>;
/** What came of trying llmc's rules on one version of an agent CLI, on one machine. */
export type Canary = z.infer<typeof canarySchema>;
export type CanaryKey = Pick<Canary, 'adapter' | 'version' | 'llmc' | 'channel'>;

/** Old versions go; nobody looks back that far. */
const MOST_KEPT = 50;

export const hasPassed = ({ checks }: Canary): boolean => checks.every(({ verdict }) => verdict === 'passed');

/** A file nobody can make sense of holds none: the worst that follows is one more try. */
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

/** The newest first; one per version and machine. The caller holds the canary's lock. */
export function keepCanary(path: string, canary: Omit<Canary, 'host'>, host: string = hostname()): Canary {
  const kept = { ...canary, host };
  const others = readCanaries(path).filter((each) => each.host !== host || !sameKey(each, canary));
  atomicWrite(path, `${JSON.stringify({ canaries: [kept, ...others].slice(0, MOST_KEPT) }, null, 2)}\n`);
  return kept;
}

function sameKey(one: CanaryKey, other: CanaryKey): boolean {
  return one.adapter === other.adapter && one.version === other.version && one.llmc === other.llmc && one.channel === other.channel;
}
