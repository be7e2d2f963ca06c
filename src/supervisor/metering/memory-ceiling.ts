import type { Instant } from '../../base/ports.ts';
import { decideMemory, type MemoryPolicy } from '../../recovery/decide-memory.ts';
import type { Attention } from '../../store/attention.ts';
import { nextState } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { relaunch } from '../launch/relaunch.ts';
import type { Watch } from '../observe/watch.ts';

const POLICY: Omit<MemoryPolicy, 'limitMb'> = { samples: 2, mostRestarts: 3, withinMs: 3_600_000 };

interface Life {
  readonly incarnation: number;
  readonly samples: readonly (number | null)[];
}

/** Restarts agents that use more memory than their limit, in their conversations and with a prompt to continue. */
export class MemoryCeiling {
  readonly #lives = new Map<string, Life>();
  readonly #restarts = new Map<string, readonly Instant[]>();

  async check(context: WorkContext, watch: Watch, memoryBytes: number | null): Promise<void> {
    const { store, clock, locks } = context;
    const { name } = watch;
    const { incarnation } = watch.life;
    const known = this.#lives.get(name);
    const earlier = known?.incarnation === incarnation ? known.samples : [];
    const samples = [...earlier, memoryBytes].slice(-POLICY.samples);
    this.#lives.set(name, { incarnation, samples });
    const { memoryMbPerWorker: limitMb } = (await context.config()).budget;
    const restarts = this.#restarts.get(name) ?? [];
    const interruptible = !locks.isLocked(name) && isInterruptible(watch, nextState(store.database, name));
    const step = decideMemory({ samples, restarts, interruptible }, { ...POLICY, limitMb }, clock.now());
    switch (step.kind) {
      case 'nothing':
      case 'wait':
        return;
      case 'report':
        // Report it once: the next sample differs by a few megabytes.
        if (store.worker(name).attention?.kind === 'memory_exceeded') return;
        return setAttention(context, name, step.why, {
          kind: 'memory_exceeded',
          megabytes: step.megabytes,
          limit_mb: limitMb,
          restarts: step.restarts,
        });
      case 'restart':
        this.#restarts.set(name, [...restarts, clock.now()].slice(-POLICY.mostRestarts));
        await locks.withLock(name, () =>
          restart(context, watch, incarnation, step.why, { kind: 'memory_restarted', megabytes: step.megabytes, limit_mb: limitMb }),
        );
    }
  }
}

/** A restart would lose a half-typed prompt, and a dialog belongs to a person. */
function isInterruptible({ assessment }: Watch, row: ReturnType<typeof nextState>): boolean {
  const { kind } = assessment.activity;
  return (kind === 'ready' || kind === 'processing') && row !== 'typed' && row !== 'submitted';
}

async function restart(context: WorkContext, watch: Watch, incarnation: number, why: string, attention: Attention): Promise<void> {
  // Another use-case may have had the lock first.
  if (watch.life.incarnation !== incarnation || context.store.worker(watch.name).status === 'rebasing') return;
  await relaunch(context, watch, { why, record: () => setAttention(context, watch.name, why, attention) });
}

function setAttention({ store }: WorkContext, name: string, why: string, attention: Attention): void {
  store.changeWorker(name, {
    kind: 'memory',
    summary: why,
    change: (worker) => {
      worker.attention = attention;
    },
  });
}
