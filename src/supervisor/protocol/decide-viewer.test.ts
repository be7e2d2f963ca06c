import { expect, test } from 'vitest';
import { decideViewer, type ViewerStep, type ViewerView } from './decide-viewer.ts';

const NOW = 1_000_000;
const alive = (conversation: string) => ({ dead: false, mark: `viewer:${conversation}` });
const dead = { dead: true, mark: 'viewer:c1' };

test.each<[string, Partial<ViewerView>, Partial<ViewerStep>]>([
  ['a session without the window gets one', {}, { kind: 'open', conversation: null, failures: 0 }],
  ['one that was closed is opened at once when none failed', { openedAt: NOW - 1_000 }, { kind: 'open', failures: 0 }],
  [
    'one that could not be opened is tried again when its pause is over',
    { openedAt: NOW - 4_000, failures: 1 },
    { kind: 'open', failures: 1 },
  ],
  ['it opens with the conversation, when there is one', { begun: 'c1' }, { kind: 'open', conversation: 'c1' }],
  ['a viewer of the right conversation stays', { viewer: alive('c1'), begun: 'c1' }, { kind: 'leave' }],
  ['a page stays while no conversation has begun', { viewer: alive('') }, { kind: 'leave' }],
  ['a viewer stays when its conversation has ended and none has begun', { viewer: alive('c1') }, { kind: 'leave' }],
  ['the viewer follows into a new conversation', { viewer: alive('c1'), begun: 'c2' }, { kind: 'open', conversation: 'c2' }],
  ['the viewer stays while a person types', { viewer: alive('c1'), begun: 'c2', personTypedAt: NOW - 1_000 }, { kind: 'leave' }],
  [
    'the viewer follows when the person has stopped typing',
    { viewer: alive('c1'), begun: 'c2', personTypedAt: NOW - 4_000 },
    { kind: 'open', conversation: 'c2' },
  ],
  ['a viewer that ended after seven seconds has not failed', { viewer: dead, openedAt: NOW - 7_000 }, { kind: 'open', failures: 0 }],
  ['a viewer that ended at once is opened when the pause is over', { viewer: dead, openedAt: NOW - 2_000 }, { kind: 'open', failures: 1 }],
  [
    'a viewer that ended is opened again',
    { viewer: dead, begun: 'c1', openedAt: NOW - 60_000 },
    { kind: 'open', conversation: 'c1', failures: 0 },
  ],
  ['a viewer without a recorded start is opened again too', { viewer: dead, begun: 'c1' }, { kind: 'open', failures: 0 }],
  ['a viewer that ended at once is opened after a pause', { viewer: dead, begun: 'c1', openedAt: NOW - 1_000 }, { kind: 'leave' }],
  ['a viewer that ended at once counts as a failure', { viewer: dead, begun: 'c1', openedAt: NOW - 2_500 }, { kind: 'open', failures: 1 }],
  ['the pause grows', { viewer: dead, begun: 'c1', openedAt: NOW - 2_500, failures: 3 }, { kind: 'leave' }],
  ['a viewer that could not be opened is tried again after a pause', { openedAt: NOW - 1_000, failures: 1 }, { kind: 'leave' }],
  [
    'a viewer that could not follow is tried again after a pause',
    { viewer: alive('c1'), begun: 'c2', openedAt: NOW - 1_000, failures: 1 },
    { kind: 'leave' },
  ],
  ['the pause has a maximum', { viewer: dead, begun: 'c1', openedAt: NOW - 301_000, failures: 30 }, { kind: 'open', failures: 31 }],
])('%s', (_, view, step) => {
  const whole = { viewer: undefined, begun: null, failures: 0, openedAt: undefined, personTypedAt: undefined, ...view };
  expect(decideViewer(whole, NOW)).toMatchObject(step);
});
