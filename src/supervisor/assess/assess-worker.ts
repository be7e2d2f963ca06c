import { type Assessment, openDialog } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import { noteDialog } from '../observe/open-dialog.ts';
import { isOpen } from '../observe/protocol-session.ts';
import { lastProgressAt, type Watch } from '../observe/watch.ts';
import { assess } from './assess.ts';
import type { ProtocolEvidence } from './assess-protocol.ts';

/** Assesses the worker's activity from everything observed about it, and names the dialog that is open. */
export function assessWorker(watch: Watch, now: Instant): void {
  watch.assessment = makeAssessment(watch, now);
  if (noteDialog(watch) === undefined && openDialog(watch.assessment.activity) !== undefined)
    watch.assessment = { ...watch.assessment, activity: { kind: 'processing' }, rule: 'its dialog was answered' };
}

/** An activity that continues keeps its start time; another dialog is another activity. */
function makeAssessment(watch: Watch, now: Instant): Assessment {
  const { assessment: before, life, tmux, pulse, screen, reported, status } = watch;
  const evidence = {
    pane: tmux.pane,
    stopped: pulse.stopped,
    reported,
    live: status.live,
    screen: screen.capture,
    launchedAt: life.launchedAt,
    protocolEvidence: toProtocolEvidence(watch),
    before,
    progressAt: lastProgressAt(watch),
  };
  const next = assess(evidence, now);
  const same = before.activity.kind === next.activity.kind && openDialog(next.activity) === undefined;
  return same ? { ...next, since: Math.min(before.since, next.since) } : next;
}

function toProtocolEvidence({ protocol, reported, status, life }: Watch): ProtocolEvidence | undefined {
  if (protocol === undefined) return undefined;
  const { channel } = protocol.connection;
  const connected = channel?.openedAt !== undefined && channel.ended === undefined;
  return {
    connected,
    open: isOpen(protocol),
    wasConnected: reported.latest !== null,
    live: status.live,
    reported,
    launchedAt: life.launchedAt,
  };
}
