import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeLayout } from './layout.ts';

/** What the kernel takes for the address of a socket, on the stricter of the systems. */
const SUN_PATH_BYTES = 104;

describe('the layout of a root', () => {
  test('keeps everything inside it', () => {
    const { worktree, spool, scratch, sandbox, log, lastScreen, output, agentSocket, ...places } = makeLayout('/home/u/llmc');
    const all = [
      ...Object.values(places),
      worktree('adam'),
      spool('adam'),
      scratch('adam'),
      sandbox('adam'),
      log('adam'),
      lastScreen('adam', '20261116T031200.000Z'),
      agentSocket('adam'),
      output('adam', 'validate'),
    ];
    expect(all.filter((place) => !`${place}/`.startsWith('/home/u/llmc/'))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  test.for<[string, string]>([
    ['deep', `/home/u/${'folder/'.repeat(20)}llmc`],
    ['of few characters and many bytes', `/home/u/${'海'.repeat(30)}`],
  ])('whose path is %s has sockets outside it that an address can hold', ([, root]) => {
    const layout = makeLayout(root);
    for (const socket of [layout.apiSocket, layout.tmuxSocket, layout.agentSocket('a-worker-with-the-longest-name-ok')]) {
      expect(socket.startsWith(root)).toBe(false);
      expect(Buffer.byteLength(socket) + 1).toBeLessThanOrEqual(SUN_PATH_BYTES);
    }
    expect(layout.lock).toBe(join(root, 'run', 'lock'));
  });

  test('differs from that of any other root, also where the sockets are outside', () => {
    const [one, two] = ['a', 'b'].map((name) => makeLayout(`/home/u/${'folder/'.repeat(20)}${name}`));
    expect(one?.apiSocket).not.toBe(two?.apiSocket);
    expect(one?.tmuxSocket).not.toBe(one?.apiSocket);
    expect(makeLayout(`/home/u/${'folder/'.repeat(20)}a`).apiSocket).toBe(one?.apiSocket);
  });

  test('keeps sockets short even where the folder for temporary files is not', () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = `/tmp/${'folder/'.repeat(20)}`;
    try {
      const { tmuxSocket } = makeLayout(`/home/u/${'folder/'.repeat(20)}llmc`);
      expect(Buffer.byteLength(tmuxSocket) + 1).toBeLessThanOrEqual(SUN_PATH_BYTES);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});
