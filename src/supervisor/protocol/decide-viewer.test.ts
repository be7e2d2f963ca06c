import { expect, test } from 'vitest';
import { decideViewer, type ViewerStep, type ViewerView } from './decide-viewer.ts';

const NOW = 1_000_000;
const alive = (conversation: string) => ({ dead: false, mark: `viewer:${conversation}` });
const dead = { dead: true, mark: 'viewer:c1' };

test.each<[string, Partial<ViewerView>, Partial<ViewerStep>]>([
  ['a session without the window gets one', {}, { kind: 'open', conversation: null, failures: 0 }],
  ['and at once with the conversation, when there is one', { begun: 'c1' }, { kind: 'open', conversation: 'c1' }],
  ['what shows the right conversation is left alone', { viewer: alive('c1'), begun: 'c1' }, { kind: 'leave' }],
  ['what shows a page while nothing has begun is left alone', { viewer: alive('') }, { kind: 'leave' }],
  ['it follows into a new conversation', { viewer: alive('c1'), begun: 'c2' }, { kind: 'open', conversation: 'c2' }],
  ['not under the fingers of a person', { viewer: alive('c1'), begun: 'c2', personTypedAt: NOW - 1_000 }, { kind: 'leave' }],
  [
    'one that ended is opened again',
    { viewer: dead, begun: 'c1', openedAt: NOW - 60_000 },
    { kind: 'open', conversation: 'c1', failures: 0 },
  ],
  ['one nobody remembers opening too', { viewer: dead, begun: 'c1' }, { kind: 'open', failures: 0 }],
  ['one that ended at once, after a pause', { viewer: dead, begun: 'c1', openedAt: NOW - 1_000 }, { kind: 'leave' }],
  ['and then it counts', { viewer: dead, begun: 'c1', openedAt: NOW - 2_500 }, { kind: 'open', failures: 1 }],
  ['the pause grows', { viewer: dead, begun: 'c1', openedAt: NOW - 2_500, failures: 3 }, { kind: 'leave' }],
  ['one that could not be opened is tried again after a pause', { openedAt: NOW - 1_000, failures: 1 }, { kind: 'leave' }],
  ['and so is one that could not follow', { viewer: alive('c1'), begun: 'c2', openedAt: NOW - 1_000, failures: 1 }, { kind: 'leave' }],
  ['but not for ever', { viewer: dead, begun: 'c1', openedAt: NOW - 301_000, failures: 30 }, { kind: 'open', failures: 31 }],
])('%s', (_, view, step) => {
  const whole = { viewer: undefined, begun: null, failures: 0, openedAt: undefined, personTypedAt: undefined, ...view };
  expect(decideViewer(whole, NOW)).toMatchObject(step);
});
