import { expect, test } from 'vitest';
import { assess } from '../supervisor/assess/assess.ts';
import { NOTHING_REPORTED } from '../supervisor/observe/reported.ts';
import { aPane } from '../supervisor/samples.ts';
import { screenFromText } from '../terminal/screen.ts';
import { classifyExit } from './classify-exit.ts';
import { classify as classifyClaude } from './claude/screen/classify.ts';
import { classify as classifyCodex } from './codex/screen/classify.ts';

const ENDS = [
  [0, null, 'user'],
  [130, null, 'user'],
  [null, '2', 'user'],
  [null, 'INT', 'user'],
  [1, null, 'crash'],
  [137, null, 'crash'],
  [null, '9', 'crash'],
  [null, '15', 'crash'],
  [129, null, 'unknown'],
  [143, null, 'unknown'],
  [null, null, 'unknown'],
] as const;

test.each(ENDS)('status %s and signal %s are classified as %s, by the process and by every screen', (status, signal, how) => {
  expect(classifyExit(status, signal)).toBe(how);
  const pane = aPane({ dead: true, deadStatus: status, deadSignal: signal });
  const end = status !== null ? `status ${status}` : signal !== null ? `signal ${signal}` : '';
  const screen = screenFromText(`Pane is dead (${end}, Sun Nov 15 01:14:10 2026)`);
  const activities = [
    assess({ pane, reported: NOTHING_REPORTED, screen: undefined, launchedAt: 0 }, 10_000).activity,
    classifyClaude(screen).activity,
    classifyCodex(screen).activity,
  ];
  expect(activities).toEqual(activities.map(() => ({ kind: 'exited', how, status, signal })));
});
