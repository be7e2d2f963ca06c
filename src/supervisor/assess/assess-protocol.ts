import { type Activity, type Assessment, openDialog } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { Reported } from '../observe/reported.ts';

/** Reports about a turn and the server's own state come over one connection, so they differ only for a moment. */
const DISAGREE_MS = 1_000;

export interface ProtocolEvidence {
  readonly connected: boolean;
  /** Its conversation is open. */
  readonly open: boolean;
  /** llmc was connected before, in this incarnation, by this supervisor or an earlier one. */
  readonly wasConnected: boolean;
  readonly live: { readonly activity: Activity; readonly since: Instant } | undefined;
  readonly reported: Reported;
  readonly launchedAt: Instant;
}

/** Assesses an agent on the protocol channel whose process lives. The viewer's screen is not evidence: it may be closed. */
export function assessProtocol(protocolEvidence: ProtocolEvidence, now: Instant): Assessment {
  const { latest } = protocolEvidence.reported;
  if (!protocolEvidence.connected && protocolEvidence.wasConnected)
    return verdict({ kind: 'unknown' }, 'none', 0, 'the connection to the agent is lost; connecting again', now);
  if (!protocolEvidence.connected)
    return verdict({ kind: 'starting' }, 'timing', 0.7, 'launched, not connected yet', protocolEvidence.launchedAt);
  if (!protocolEvidence.open)
    return verdict({ kind: 'starting' }, 'protocol', 0.9, 'its conversation is being opened', protocolEvidence.launchedAt);
  const { live } = protocolEvidence;
  if (latest === null || latest.activity.kind === 'starting') {
    if (live === undefined) return verdict({ kind: 'starting' }, 'protocol', 0.9, 'its conversation is open', protocolEvidence.launchedAt);
    return verdict(live.activity, 'protocol', 0.95, 'the agent reports its own state', live.since);
  }
  if (live !== undefined && differs(latest.activity, live.activity) && now - Math.max(live.since, latest.at) >= DISAGREE_MS)
    return verdict(live.activity, 'protocol', 0.95, `the agent reports its own state, after "${latest.event}"`, live.since);
  // The report of a request with several questions is its first one; the channel knows which one is open.
  const dialog = openDialog(latest.activity) === undefined ? undefined : openDialog(live?.activity);
  if (dialog !== undefined) return verdict(dialog, 'protocol', 0.95, `the agent reported "${latest.event}"`, latest.at);
  const retrying = latest.activity.kind === 'processing' && live?.activity.kind === 'processing' && live.activity.detail !== undefined;
  return verdict(retrying ? live.activity : latest.activity, 'protocol', 0.95, `the agent reported "${latest.event}"`, latest.at);
}

/** After a failed turn the agent stands ready, and the reason of the failure is the better evidence. */
function differs(reported: Activity, live: Activity): boolean {
  if (live.kind === 'unknown' || reported.kind === live.kind) return false;
  return !(live.kind === 'ready' && (reported.kind === 'error' || reported.kind === 'waiting_limit'));
}

function verdict(activity: Activity, source: Assessment['source'], confidence: number, rule: string, since: Instant): Assessment {
  return { activity, source, confidence, rule, since };
}
