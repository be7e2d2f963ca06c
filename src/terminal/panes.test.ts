import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPane } from '../supervisor/samples.ts';
import { agentPane, isForeign, parsePanes, viewerPane } from './panes.ts';

const ALIVE = ['llmc-adam', '%1', '4711', '0', '', '', '0', '200', '50', '0', '1700000000', '7', '3', '2', 'node', '', 'sh', 'a title'];

const line = (changes: Readonly<Record<number, string>> = {}): string => ALIVE.map((field, index) => changes[index] ?? field).join('\t');

describe('reading the list of panes', () => {
  test('a running pane', () => {
    expect(parsePanes(`${line()}\n`)).toEqual([
      {
        session: 'llmc-adam',
        window: 'sh',
        mark: '',
        id: '%1',
        pid: 4711,
        dead: false,
        deadStatus: null,
        deadSignal: null,
        inMode: false,

        width: 200,
        height: 50,
        attached: false,
        wroteAt: 1_700_000_000,
        cursor: { x: 7, y: 3 },
        bells: 2,
        command: 'node',
        title: 'a title',
      },
    ]);
  });

  test.each([
    ['ended with status 0', { 3: '1', 4: '0', 5: '' }, { dead: true, deadStatus: 0, deadSignal: null }],
    ['ended with a status', { 3: '1', 4: '137', 5: '' }, { dead: true, deadStatus: 137, deadSignal: null }],
    ['was killed', { 3: '1', 4: '', 5: '9' }, { dead: true, deadStatus: null, deadSignal: '9' }],
    ['ended, and tmux prints a zero for no signal', { 3: '1', 4: '1', 5: '0' }, { dead: true, deadStatus: 1, deadSignal: null }],
    // tmux 3.2 has no pane_dead_signal, and 3.3a is at times late with both.
    ['ended, and tmux does not say how', { 3: '1', 4: '', 5: '' }, { dead: true, deadStatus: null, deadSignal: null }],
    ['is in copy mode', { 6: '1' }, { inMode: true }],
    ['has two modes on top of each other', { 6: '2' }, { inMode: true }],
    ['has two attached clients', { 9: '2' }, { attached: true }],
    ['has no title', { 17: '' }, { title: '' }],
    ['has never rung the bell', { 13: '' }, { bells: 0 }],
  ])('a pane that %s', (_, changes, expected) => {
    expect(parsePanes(line(changes))).toMatchObject([expected]);
  });

  test('no title can change what the other fields say, or add a pane', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        // tmux lets no line break into a title; a tab it does.
        const title = text.replaceAll('\n', '');
        const { title: _, ...rest } = parsePanes(line({ 17: title }))[0] ?? { title: undefined };
        const { title: __, ...plain } = parsePanes(line())[0] ?? { title: undefined };
        expect(rest).toEqual(plain);
      }),
    );
  });

  test.each(['', '\n', '\n\n', 'lost server', 'a\tb'])('%j holds no pane', (text) => {
    expect(parsePanes(text)).toEqual([]);
  });
});

describe('the panes of a session', () => {
  const server = aPane({ window: 'server', mark: 'server', id: '%1' });
  const viewer = aPane({ window: 'viewer', mark: 'viewer:', id: '%2' });
  const persons = aPane({ window: 'server', mark: 'other', id: '%3' });

  test('on the protocol channel the agent’s pane is the server, not the viewer', () => {
    expect(agentPane([viewer, persons, server], 'llmc-adam')).toBe(server);
    expect(viewerPane([viewer, persons, server], 'llmc-adam')).toBe(viewer);
    expect(agentPane([viewer], 'llmc-adam')).toBeUndefined();
  });

  test('on the keyboard channel the agent’s pane is the one that llmc marked, also beside windows of a person', () => {
    expect(agentPane([aPane({ id: '%0' }), persons], 'llmc-adam')?.id).toBe('%0');
    expect(agentPane([aPane({ id: '%10' }), aPane({ id: '%9' })], 'llmc-adam')?.id).toBe('%9');
    expect(agentPane([persons], 'llmc-eve')).toBeUndefined();
  });

  test('a session without any mark was opened by hand: it has no pane of an agent, and is foreign while its program runs', () => {
    const strange = aPane({ mark: '' });
    expect(agentPane([strange], 'llmc-adam')).toBeUndefined();
    expect(isForeign([strange, aPane({ mark: '', dead: true })], 'llmc-adam')).toBe(true);
    expect(isForeign([aPane({ mark: '', dead: true })], 'llmc-adam')).toBe(false);
    expect(isForeign([aPane(), persons], 'llmc-adam')).toBe(false);
    expect(isForeign([strange], 'llmc-eve')).toBe(false);
  });

  test('a marked pane is the agent’s, and a pane that a person opened never is', () => {
    const [agent, split] = [aPane({ id: '%5', mark: 'agent' }), aPane({ id: '%3', mark: 'other' })];
    expect(agentPane([split, agent], 'llmc-adam')).toBe(agent);
    expect(agentPane([split], 'llmc-adam')).toBeUndefined();
  });
});
