import type { ScreenEvent } from '../../../supervisor/follow/screens.ts';
import { drawScreen } from '../../../tui/panes/draw-screen.ts';
import type { Line, Size } from '../../../tui/screen/line.ts';
import type { Shell } from '../../shell.ts';
import { listen } from './listen.ts';
import { newest } from './newest.ts';
import { ReturnWatch } from './return-watch.ts';

interface Shown {
  readonly kind: 'screen';
  readonly event: ScreenEvent;
}

/** An idle screen sends nothing for hours; `followRoot` notices a supervisor that hangs. */
const SILENCE_MS = 2 ** 31 - 1;
const LOOK_AGAIN_MS = 5_000;

/** The live screen of a worker's agent, cut to this size. Without a supervisor: the reason, until one is back. */
export async function* followScreen(shell: Shell, worker: string, size: Size, signal: AbortSignal): AsyncGenerator<readonly Line[]> {
  for await (const { event } of newest<Shown>((post, until) => watch(shell, worker, post, until), signal)) yield drawScreen(event, size);
}

async function watch(shell: Shell, worker: string, post: (shown: Shown) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const request = { name: 'watchScreen' as const, args: { worker }, silenceMs: SILENCE_MS };
    const lost = await listen(shell, request, signal, (event) => {
      if ('screen' in event || 'noScreen' in event) post({ kind: 'screen', event });
    });
    if (signal.aborted) return;
    post({ kind: 'screen', event: { noScreen: `${lost.message} – ${lost.hint}` } });
    using back = new ReturnWatch(shell.layout);
    await back.wait(LOOK_AGAIN_MS, signal);
  }
}
