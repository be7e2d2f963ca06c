import type { Config } from '../../config/schema.ts';
import { RESOLUTION_POLICY, type ResolutionPolicy } from '../../recovery/policies/resolution-policy.ts';

/** The policy with the patience that config.toml names. */
export function resolutionPolicy({ repo: { conflictPatienceSecs } }: Config): ResolutionPolicy {
  const patienceMs = conflictPatienceSecs * 1_000;
  return { ...RESOLUTION_POLICY, helpAfterMs: patienceMs, callAfterMs: patienceMs };
}
