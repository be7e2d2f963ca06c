import type { Activity, Assessment } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { Reported } from '../observe/reported.ts';

/** What is heard about a turn and what the server says of itself come over one connection; they differ for a moment only. */
const DISAGREE_MS = 1_000;

export interface ProtocolEvidence {
  readonly connected: boolean;
  /** Its conversation is open. */
  readonly open: boolean;
  /** It was connected before, in this life of the agent or in one of the supervisor. */
  readonly wasHeard: boolean;
  readonly live: { readonly activity: Activity; readonly since: Instant } | undefined;
  readonly reported: Reported;
  readonly launchedAt: Instant;
}

/** What an agent that is spoken to is doing, as long as its process lives. The viewer's screen is no witness: it may be closed. */
export function assessProtocol(protocolEvidence: ProtocolEvidence, now: Instant): Assessment {
  const { said } = protocolEvidence.reported;
  if (!protocolEvidence.connected && protocolEvidence.wasHeard)
    return verdict({ kind: 'unknown' }, 'none', 0, 'the connection to the agent is lost; connecting again', now);
  if (!protocolEvidence.connected)
    return verdict({ kind: 'starting' }, 'timing', 0.7, 'launched, and not connected yet', protocolEvidence.launchedAt);
  if (!protocolEvidence.open)
    return verdict({ kind: 'starting' }, 'protocol', 0.9, 'its conversation is being opened', protocolEvidence.launchedAt);
  const { live } = protocolEvidence;
  if (said === null || said.activity.kind === 'starting') {
    if (live === undefined) return verdict({ kind: 'starting' }, 'protocol', 0.9, 'its conversation is open', protocolEvidence.launchedAt);
    return verdict(live.activity, 'protocol', 0.95, 'the agent says so', live.since);
  }
  if (live !== undefined && differs(said.activity, live.activity) && now - Math.max(live.since, said.at) >= DISAGREE_MS)
    return verdict(live.activity, 'protocol', 0.95, `the agent says so, after "${said.event}"`, live.since);
  const retrying = said.activity.kind === 'processing' && live?.activity.kind === 'processing' && live.activity.detail !== undefined;
  return verdict(retrying ? live.activity : said.activity, 'protocol', 0.95, `the agent reported "${said.event}"`, said.at);
}

/** After a failed turn the agent stands ready, and why it failed is the better word. */
function differs(said: Activity, live: Activity): boolean {
  if (live.kind === 'unknown' || said.kind === live.kind) return false;
  return !(live.kind === 'ready' && (said.kind === 'error' || said.kind === 'waiting_limit'));
}

function verdict(activity: Activity, source: Assessment['source'], confidence: number, rule: string, since: Instant): Assessment {
  return { activity, source, confidence, rule, since };
}
