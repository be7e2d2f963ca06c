import { type DemoEvent, makeQuirk, type Quirk, type QuirkPorts } from './misbehave.ts';
import type { MisbehaviourSpec } from './step.ts';

/** The active misbehaviours: those of the whole program, and those of the running turn. */
export interface Quirks {
  /** Adds misbehaviours; the returned function removes them. */
  during(specs: readonly MisbehaviourSpec[]): () => void;
  readonly startDelayMs: number;
  readonly keyDelayMs: number;
  readonly ignoresInterrupt: boolean;
  paste(text: string): string;
  swallowsEnter(): boolean;
  emit(event: DemoEvent): void;
  inTurn(signal: AbortSignal): Promise<void>;
  /** Runs one misbehaviour as a step. */
  perform(spec: MisbehaviourSpec, signal: AbortSignal): Promise<void>;
  flush(): void;
}

export function createQuirks(specs: readonly MisbehaviourSpec[], ports: QuirkPorts, write: (event: DemoEvent) => void): Quirks {
  const active: Quirk[] = specs.map((spec) => makeQuirk(spec, ports));
  // The misbehaviours of an earlier turn may still hold events back.
  const everActive: Quirk[] = [...active];
  const emitFrom = (chain: readonly Quirk[], event: DemoEvent): void => {
    const index = chain.findIndex((quirk) => quirk.event !== undefined);
    if (index === -1) write(event);
    else chain[index]?.event?.(event, (passed) => emitFrom(chain.slice(index + 1), passed));
  };
  return {
    during(more) {
      const added = more.map((spec) => makeQuirk(spec, ports));
      active.push(...added);
      everActive.push(...added);
      return () => {
        for (const quirk of added) active.splice(active.indexOf(quirk), 1);
      };
    },
    get startDelayMs() {
      return Math.max(0, ...active.map((quirk) => quirk.startDelayMs ?? 0));
    },
    get keyDelayMs() {
      return Math.max(0, ...active.map((quirk) => quirk.keyDelayMs ?? 0));
    },
    get ignoresInterrupt() {
      return active.some((quirk) => quirk.ignoresInterrupt === true);
    },
    paste: (text) => active.reduce((shorter, quirk) => quirk.paste?.(shorter) ?? shorter, text),
    swallowsEnter: () => active.some((quirk) => quirk.swallowsEnter?.() === true),
    emit: (event) => emitFrom([...active], event),
    async inTurn(signal) {
      for (const quirk of [...active]) await quirk.inTurn?.(signal);
    },
    async perform(spec, signal) {
      await makeQuirk(spec, ports).inTurn?.(signal);
    },
    flush() {
      for (const quirk of everActive) quirk.flush?.();
    },
  };
}
