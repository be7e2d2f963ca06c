import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeLayout } from '../../../store/layout.ts';
import type { Event } from '../../../tui/model/event.ts';
import { emptyView } from '../../../tui/model/view.ts';
import { RootsFeed } from './roots-feed.ts';

test('a root that could not be followed is followed again', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'llmc-roots-'));
  const layout = makeLayout(folder.path);
  mkdirSync(dirname(layout.config), { recursive: true });
  writeFileSync(layout.config, '');
  const events: Event[] = [];
  let tries = 0;
  const broken: unknown = () => ({
    get layout() {
      tries += 1;
      throw new Error('the disk does not answer');
    },
    atRoot: (hint: string) => hint,
  });
  const isMaker = (value: unknown): value is ConstructorParameters<typeof RootsFeed>[0] => value === broken;
  if (!isMaker(broken)) throw new Error('not a shell');
  const feed = new RootsFeed(broken, (event) => events.push(event), 1);
  const roots = [folder.path, '/other'].map((root) => ({ root, name: root }));
  try {
    feed.want(emptyView({ columns: 80, rows: 24 }, 0, roots));
    await vi.waitFor(() => expect(tries).toBeGreaterThan(2), 60_000);
  } finally {
    feed.stop();
  }
  expect(events[0]).toMatchObject({ kind: 'lost', root: folder.path, why: expect.stringContaining('the disk does not answer') });
});
