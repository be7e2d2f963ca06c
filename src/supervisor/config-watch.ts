import { type InvalidConfig, invalidConfigText } from '../config/in-force.ts';
import type { Store } from '../store/store.ts';
import type { WorkContext } from '../workers/context.ts';

const LOOK_MS = 1_000;
/** An editor that saves a file leaves it incomplete for a moment. */
const SAVED_AFTER_MS = 2_000;

type WatchContext = Pick<WorkContext, 'invalidConfig' | 'clock' | 'say'> & { readonly store: Pick<Store, 'commit'> };

/** Records when config.toml becomes invalid and when it is valid again, and calls a person about the former. */
export async function watchConfig(context: WatchContext, call: (invalid: InvalidConfig) => void, signal: AbortSignal): Promise<void> {
  const { invalidConfig, clock } = context;
  let reported: InvalidConfig | undefined;
  while (!signal.aborted) {
    const invalid = await invalidConfig().catch(() => undefined);
    if (invalid === undefined && reported !== undefined) record(context, 'config.toml is valid again, and in force');
    if (invalid === undefined) reported = undefined;
    else if (invalid.message !== reported?.message && clock.now() - invalid.since >= SAVED_AFTER_MS) {
      record(context, invalidConfigText(invalid, clock.now()));
      if (reported === undefined) call(invalid);
      reported = invalid;
    }
    await clock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
}

/** A disk that cannot take the line must not end the supervisor. */
function record({ store, say }: WatchContext, summary: string): void {
  say(summary);
  try {
    store.commit({ worker: null, kind: 'config', summary });
  } catch {
    // The line was said.
  }
}
