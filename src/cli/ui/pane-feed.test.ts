import { beforeEach, expect, test, vi } from 'vitest';
import { aReport, Played, toReview } from '../../tui/samples.ts';
import type { Shell } from '../shell.ts';
import { PaneFeed } from './pane-feed.ts';
import type { Wanted } from './wanted.ts';

const loaded: Wanted[] = [];
const load = async (wanted: Wanted) => void loaded.push(wanted);

const LANDING = { attention_kind: 'landing', attention: 'Landing: npm test, 40s' } as const;
const WAIT = { timeout: 60_000 };
const report = (changes: Parameters<typeof toReview>[1]) => aReport([toReview('adam', changes)]);
const NO_SHELL = { options: {} } as Shell;

beforeEach(() => void loaded.splice(0));

const kinds = () => loaded.map(({ item }) => item.kind === 'worker' && item.worker.attention_kind);

test('work whose landing began elsewhere while its pane was loading is loaded as it is, and again at the end', async () => {
  const played = new Played([toReview('adam')]);
  const feed = new PaneFeed(
    () => NO_SHELL,
    () => undefined,
    load,
  );
  feed.want(played.view);
  await vi.waitFor(() => expect(kinds()).toEqual(['review']));
  feed.want(played.on({ kind: 'status', report: report(LANDING) }).view);
  await vi.waitFor(() => expect(kinds()).toEqual(['review', 'landing']), WAIT);
  feed.want(played.on({ kind: 'status', report: report({}) }).view);
  await vi.waitFor(() => expect(kinds()).toEqual(['review', 'landing', 'review']), WAIT);
  feed.stop();
});

test('work that is in its pane stays there while it lands', async () => {
  const played = new Played([toReview('adam')]);
  const feed = new PaneFeed(
    () => NO_SHELL,
    () => undefined,
    load,
  );
  feed.want(played.view);
  await vi.waitFor(() => expect(kinds()).toEqual(['review']));
  played.seesWork('111');
  feed.want(played.on({ kind: 'status', report: report({ ...LANDING, commit_sha: 'b'.repeat(40) }) }).view);
  feed.want(played.on({ kind: 'status', report: report({ commit_sha: 'b'.repeat(40) }) }).view);
  await vi.waitFor(() => expect(kinds()).toEqual(['review', 'review']), WAIT);
  feed.stop();
});
