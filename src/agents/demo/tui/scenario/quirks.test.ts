import { describe, expect, test } from 'vitest';
import { MISBEHAVIOURS, parseMisbehaviours, type QuirkPorts } from './misbehave.ts';
import { createQuirks } from './quirks.ts';

interface Waiting {
  readonly ms: number;
  readonly call: () => void;
}

function scene(specs: string) {
  const written: string[] = [];
  const waiting: Waiting[] = [];
  const slept: number[] = [];
  let crashes = 0;
  const ports: QuirkPorts = {
    sleep: async (ms) => {
      slept.push(ms);
    },
    later(ms, call) {
      const timer = { ms, call };
      waiting.push(timer);
      return () => {
        waiting.splice(waiting.indexOf(timer), 1);
        call();
      };
    },
    crash() {
      crashes += 1;
    },
  };
  const quirks = createQuirks(parseMisbehaviours(specs), ports, ({ name }) => written.push(name));
  const emit = (...names: string[]) => {
    for (const name of names) quirks.emit({ name, payload: {} });
  };
  return { quirks, emit, written, waiting, slept, crashes: () => crashes };
}

describe('misbehaviours', () => {
  test.for([
    ['', ['a', 'b', 'c']],
    ['lose_events', []],
    ['lose_events=b', ['a', 'c']],
    ['double_events', ['a', 'a', 'b', 'b', 'c', 'c']],
    ['double_events=a+c', ['a', 'a', 'b', 'c', 'c']],
    ['reorder_events', ['b', 'a', 'c']],
    ['late_events', ['a', 'b', 'c']],
    ['lose_events=a,double_events', ['b', 'b', 'c', 'c']],
  ] as const)('"%s" changes what reaches the spool', ([specs, names]) => {
    const { quirks, emit, written } = scene(specs);
    emit('a', 'b', 'c');
    quirks.flush();
    expect(written).toEqual(names);
  });

  test('late_events hold each event for its time', () => {
    const { emit, written, waiting } = scene('late_events=250');
    emit('a');
    expect(written).toEqual([]);
    expect(waiting.map(({ ms }) => ms)).toEqual([250]);
    waiting[0]?.call();
    expect(written).toEqual(['a']);
  });

  test('those of a turn end with it', () => {
    const { quirks, emit, written } = scene('');
    const release = quirks.during([{ name: 'lose_events' }, { name: 'ignore_interrupt' }]);
    emit('a');
    expect(quirks.ignoresInterrupt).toBe(true);
    release();
    emit('b');
    expect(quirks.ignoresInterrupt).toBe(false);
    expect(written).toEqual(['b']);
  });

  test('those of a turn write their held events when the program exits', () => {
    const { quirks, emit, written } = scene('');
    const release = quirks.during([{ name: 'late_events' }]);
    emit('a');
    release();
    expect(written).toEqual([]);
    quirks.flush();
    expect(written).toEqual(['a']);
  });

  test('with a count stop after that many', () => {
    const { quirks } = scene('swallow_first_enter=2,cut_paste_in_half');
    expect([quirks.swallowsEnter(), quirks.swallowsEnter(), quirks.swallowsEnter()]).toEqual([true, true, false]);
    expect([quirks.paste('🎉abcd'), quirks.paste('🎉abcd')]).toEqual(['🎉ab', '🎉abcd']);
  });

  test('in a turn stall or crash it', async () => {
    const { quirks, slept, crashes } = scene('crash');
    await quirks.perform({ name: 'stall', value: 40 }, new AbortController().signal);
    await quirks.inTurn(new AbortController().signal);
    expect([slept, crashes()]).toEqual([[40], 1]);
  });

  test('slow_start and slow_keys say how long', () => {
    expect([scene('slow_start=70').quirks.startDelayMs, scene('').quirks.startDelayMs]).toEqual([70, 0]);
    expect([scene('slow_keys=70').quirks.keyDelayMs, scene('').quirks.keyDelayMs]).toEqual([70, 0]);
  });

  test.for(['dance', 'crash=1', 'late_events=soon'])('"%s" is refused', (text) => {
    expect(() => parseMisbehaviours(text)).toThrow(text.split('=')[0]);
  });

  test('all have a description', () => {
    for (const { about } of Object.values(MISBEHAVIOURS)) expect(about).not.toBe('');
  });
});
