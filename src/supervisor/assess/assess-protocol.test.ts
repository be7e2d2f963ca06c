import { expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import { BUSY, LIMIT, OVERLOADED, PERMISSION, READY } from '../samples.ts';
import { assessProtocol, type ProtocolEvidence } from './assess-protocol.ts';

const NOW = 50_000;
const said = (activity: Activity, at = NOW - 5_000) => ({ ...NOTHING_REPORTED, said: { activity, at, seq: 1, event: 'turn/completed' } });
const live = (activity: Activity, since = NOW - 5_000) => ({ activity, since });

test.each<[string, Partial<ProtocolEvidence>, Activity]>([
  ['before the first connection it starts', { connected: false, open: false }, { kind: 'starting' }],
  ['a lost connection proves nothing', { connected: false, open: false, wasHeard: true, reported: said(READY) }, { kind: 'unknown' }],
  ['until its conversation is open it starts', { open: false }, { kind: 'starting' }],
  ['before it has reported anything its own state counts', { live: live(READY) }, READY],
  ['its last report counts', { reported: said(BUSY), live: live(BUSY) }, BUSY],
  ['a report alone is enough', { reported: said(READY) }, READY],
  ['a short disagreement means nothing', { reported: said(BUSY, NOW - 200), live: live(READY) }, BUSY],
  ['a lasting one is settled by its state', { reported: said(BUSY), live: live(READY, NOW - 2_000) }, READY],
  ['a dialog it has open wins', { reported: said(BUSY), live: live(PERMISSION, NOW - 2_000) }, PERMISSION],
  ['a failed turn stays failed at a ready prompt', { reported: said(OVERLOADED), live: live(READY, NOW - 2_000) }, OVERLOADED],
  ['a limit stays a limit at a ready prompt', { reported: said(LIMIT), live: live(READY, NOW - 2_000) }, LIMIT],
  [
    'a retry is told while it lasts',
    { reported: said(BUSY), live: live({ kind: 'processing', detail: 'retrying' }) },
    { kind: 'processing', detail: 'retrying' },
  ],
])('%s', (_, protocolEvidence, activity) => {
  const whole = {
    connected: true,
    open: true,
    wasHeard: false,
    live: undefined,
    reported: NOTHING_REPORTED,
    launchedAt: 0,
    ...protocolEvidence,
  };
  expect(assessProtocol(whole, NOW).activity).toEqual(activity);
});
