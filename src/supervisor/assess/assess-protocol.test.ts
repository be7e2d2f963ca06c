import { expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import { BUSY, LIMIT, OVERLOADED, PERMISSION, READY } from '../samples.ts';
import { assessProtocol, type ProtocolEvidence } from './assess-protocol.ts';

const NOW = 50_000;
const reports = (activity: Activity, at = NOW - 5_000) => ({
  ...NOTHING_REPORTED,
  latest: { activity, at, seq: 1, event: 'turn/completed' },
});
const live = (activity: Activity, since = NOW - 5_000) => ({ activity, since });

const COMPACTING: Activity = { kind: 'processing', detail: 'compacting' };

test.each<[string, Partial<ProtocolEvidence>, Activity]>([
  ['it is starting before the first connection', { connected: false, open: false }, { kind: 'starting' }],
  [
    'a lost connection proves nothing',
    { connected: false, open: false, wasConnected: true, reported: reports(READY) },
    { kind: 'unknown' },
  ],
  ['it is starting until its conversation is open', { open: false }, { kind: 'starting' }],
  ['what it said before counts for nothing without a connection', { connected: false, live: live(READY) }, { kind: 'starting' }],
  ['what it said before counts for nothing while its conversation opens', { open: false, live: live(READY) }, { kind: 'starting' }],
  ['it is starting until it says anything', {}, { kind: 'starting' }],
  ['its own state counts after the report of its start', { reported: reports({ kind: 'starting' }), live: live(READY, NOW - 200) }, READY],
  ['its own state counts before its first report', { live: live(READY) }, READY],
  ['its last report counts', { reported: reports(BUSY), live: live(BUSY) }, BUSY],
  ['a report alone is enough', { reported: reports(READY) }, READY],
  ['a report of work alone is enough', { reported: reports(BUSY) }, BUSY],
  ['a report of work keeps its detail', { reported: reports(COMPACTING), live: live(BUSY) }, COMPACTING],
  ['a state that it does not know settles nothing', { reported: reports(BUSY), live: live({ kind: 'unknown' }) }, BUSY],
  ['after a failed turn it may work again', { reported: reports(OVERLOADED), live: live(BUSY, NOW - 2_000) }, BUSY],
  ['a disagreement lasts from its first second on', { reported: reports(BUSY, NOW - 1_000), live: live(READY, NOW - 1_000) }, READY],
  [
    'work that it begins after its turn means nothing yet',
    { reported: reports(READY, NOW - 200), live: live(COMPACTING, NOW - 200) },
    READY,
  ],
  ['a short disagreement means nothing', { reported: reports(BUSY, NOW - 200), live: live(READY) }, BUSY],
  ['its state settles a lasting disagreement', { reported: reports(BUSY), live: live(READY, NOW - 2_000) }, READY],
  ['an open dialog wins', { reported: reports(BUSY), live: live(PERMISSION, NOW - 2_000) }, PERMISSION],
  ['a failed turn stays failed at a ready prompt', { reported: reports(OVERLOADED), live: live(READY, NOW - 2_000) }, OVERLOADED],
  ['a limit stays a limit at a ready prompt', { reported: reports(LIMIT), live: live(READY, NOW - 2_000) }, LIMIT],
  [
    'a retry is reported while it lasts',
    { reported: reports(BUSY), live: live({ kind: 'processing', detail: 'retrying' }) },
    { kind: 'processing', detail: 'retrying' },
  ],
])('%s', (_, protocolEvidence, activity) => {
  const whole = {
    connected: true,
    open: true,
    wasConnected: false,
    live: undefined,
    reported: NOTHING_REPORTED,
    launchedAt: 0,
    ...protocolEvidence,
  };
  expect(assessProtocol(whole, NOW).activity).toEqual(activity);
});
