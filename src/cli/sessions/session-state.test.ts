import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../store/tables/tasks.ts';
import { aWorker, ofRun } from '../../workers/samples.ts';
import type { SessionLine } from './read-sessions.ts';
import { type SessionFacts, sessionState } from './session-state.ts';
import { csvCell, sessionsCsv, sessionsTable } from './sessions-text.ts';

const alive = { dead: false, deadStatus: null, deadSignal: null };
const dead = (deadStatus: number | null, deadSignal: string | null = null) => ({ dead: true, deadStatus, deadSignal });
const crash = (how: 'crashed' | 'not_found', status: number | null): Outcome => ({
  kind: 'crashed',
  how,
  why: 'the agent ended',
  screen: '/root/logs/a.screen-1.txt',
  status,
});
const state = (facts: Partial<SessionFacts>) => {
  const found = sessionState({ worker: aWorker(), pane: undefined, outcome: undefined, ...facts });
  return [found.state, found.exitCode, found.screen];
};

describe('the state of a session', () => {
  test.each([
    ['working', 'in_progress'],
    ['rejected', 'in_progress'],
    ['rebasing', 'in_progress'],
    ['needs_input', 'waiting'],
    ['error', 'waiting'],
    ['idle', 'idle'],
    ['needs_review', 'idle'],
  ] as const)('a living agent of a worker that is %s: %s', (status, expected) => {
    expect(state({ worker: aWorker({ status }), pane: alive })).toEqual([expected, null, null]);
  });

  test.each([
    [dead(0), 'exited', 0],
    [dead(3), 'crashed', 3],
    [dead(null, '9'), 'crashed', 137],
    [dead(null, 'term'), 'crashed', 143],
    [dead(null, 'odd'), 'crashed', null],
    [dead(null), 'crashed', null],
  ])('a dead agent %j: %s', (pane, expected, code) => {
    const worker = aWorker({ status: 'error', attention: { kind: 'crashed', endings: 3, screen: '/root/logs/adam.screen-1.txt' } });
    expect(state({ worker, pane })).toEqual([expected, code, '/root/logs/adam.screen-1.txt']);
  });

  test('without a session: what became of the last task, and what the record says', () => {
    const resting = aWorker({ status: 'offline', status_before_offline: 'idle', run: ofRun({ resting: true }) });
    expect(state({ worker: resting, outcome: crash('crashed', 1) })).toEqual(['crashed', 1, '/root/logs/a.screen-1.txt']);
    expect(state({ worker: resting, outcome: crash('not_found', null) })).toEqual(['not_found', null, '/root/logs/a.screen-1.txt']);
    expect(state({ worker: resting })).toEqual(['stopped', null, null]);
    expect(state({ worker: aWorker({ status: 'working' }) })).toEqual(['not_found', null, null]);
    expect(state({ worker: aWorker({ status: 'error', attention: { kind: 'not_found', endings: 3 } }) })).toEqual([
      'not_found',
      null,
      null,
    ]);
  });

  test('nothing is said about a session if tmux does not answer', () => {
    expect(state({ pane: null, outcome: crash('crashed', 1) })).toEqual(['unknown', null, null]);
  });
});

const LINE: SessionLine = {
  session: 'llmc-adam',
  worker: 'adam',
  run: null,
  status: 'error',
  tasks_done: 3,
  tasks_total: 5,
  output_file: '/my, "odd"\nroot/adam.txt',
  exit_code: 1,
  session_state: 'crashed',
  agent: 'claude',
  step: null,
};

describe('its line', () => {
  test('has nine columns, and quotes what a reader would take for a separator', () => {
    expect(
      sessionsCsv([
        LINE,
        {
          ...LINE,
          status: null,
          tasks_done: null,
          output_file: null,
          exit_code: null,
          session_state: 'not_found',
          run: 'swarm-1',
          step: 'develop',
        },
      ]),
    ).toBe('llmc-adam,error,3/5,"/my, ""odd""\nroot/adam.txt",1,crashed,,claude,\nllmc-adam,,,,,not_found,swarm-1,claude,develop');
  });

  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blank', '" blank"'],
  ])('the cell %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  test('is a row of a table for people', () => {
    expect(sessionsTable([LINE], { columns: 200 }).split('\n')).toEqual([
      expect.stringMatching(/^session +session state +exit code +tasks +status +agent +run +step +output file$/),
      expect.stringMatching(/^llmc-adam +crashed +1 +3\/5 +error +claude +\/my, "odd" ⏎ root\/adam\.txt$/),
    ]);
    expect(sessionsTable([], { columns: 80 })).toBe('There are no workers.');
  });
});
