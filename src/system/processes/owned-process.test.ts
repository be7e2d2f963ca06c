import { describe, expect, test } from 'vitest';
import { runNow, startOwned } from './owned-process.ts';

const sh = (line: string, env: Readonly<Record<string, string>> = {}) => ({ file: 'sh', args: ['-c', line], env });

describe('an owned process', () => {
  test('gives its lines as they come, and status and output at the end', async () => {
    const lines: string[] = [];
    const owned = startOwned(sh('echo "$WORD"; echo two >&2; exit 3', { WORD: 'one' }), (line) => lines.push(line));
    expect(await owned.ended).toEqual({ status: 3, stdout: 'one\n', stderr: 'two\n' });
    expect(lines.toSorted()).toEqual(['one', 'two']);
    expect(owned.hasEnded()).toBe(true);
  });

  test('a signal reaches its children too', async () => {
    const ready = Promise.withResolvers<void>();
    const owned = startOwned(sh('sleep 1000 & echo ready; wait'), () => ready.resolve());
    await ready.promise;
    expect(owned.hasEnded()).toBe(false);
    owned.signal('SIGTERM');
    // Its output ends only when the child that holds it has ended as well.
    expect(await owned.ended).toMatchObject({ status: null, stdout: 'ready\n' });
  });

  test('one that cannot be started has ended, and says why', async () => {
    const { status, stderr } = await startOwned({ file: '/no/such/program', args: [] }).ended;
    expect({ status, stderr }).toMatchObject({ status: null, stderr: expect.stringContaining('ENOENT') });
  });
});

test('runNow waits for the end and says whether it was a success', () => {
  expect([runNow(sh('exit 0')), runNow(sh('exit 1')), runNow({ file: '/no/such/program', args: [] })]).toEqual([true, false, false]);
});
