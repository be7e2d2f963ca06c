import type { MisbehaviourSpec } from './step.ts';

export interface DemoEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The ports of a misbehaviour. */
export interface QuirkPorts {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back after `ms`; the returned function calls back at once instead. */
  later(ms: number, call: () => void): () => void;
  crash(): void;
}

/** The places where a misbehaviour can change the program. Each one implements those it needs. */
export interface Quirk {
  readonly startDelayMs?: number;
  readonly keyDelayMs?: number;
  readonly ignoresInterrupt?: boolean;
  paste?(text: string): string;
  swallowsEnter?(): boolean;
  /** Wraps the agent's spool. */
  event?(event: DemoEvent, write: (event: DemoEvent) => void): void;
  /** Writes the events that were held back. */
  flush?(): void;
  /** Runs as a step of a turn. */
  inTurn?(signal: AbortSignal): Promise<void>;
}

interface Misbehaviour {
  readonly about: string;
  readonly value: 'none' | 'count' | 'ms' | 'names';
  make(value: { readonly number: number | undefined; readonly names: readonly string[] }, ports: QuirkPorts): Quirk;
}

/** All misbehaviours of the demo agent. A new one is one entry here. */
export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  swallow_first_enter: {
    about: 'the first Enter into a filled input box is lost (count: how many)',
    value: 'count',
    make: ({ number }) => ({ swallowsEnter: firstTimes(number ?? 1) }),
  },
  cut_paste_in_half: {
    about: 'only the first half of a paste arrives (count: how many pastes)',
    value: 'count',
    make({ number }) {
      const cuts = firstTimes(number ?? 1);
      return {
        paste: (text) =>
          cuts()
            ? Array.from(text)
                .slice(0, Math.ceil(Array.from(text).length / 2))
                .join('')
            : text,
      };
    },
  },
  slow_start: {
    about: 'nothing is drawn or read for this long after the start (ms, 2000)',
    value: 'ms',
    make: ({ number }) => ({ startDelayMs: number ?? 2000 }),
  },
  slow_keys: {
    about: 'every key is read this much later (ms, 700)',
    value: 'ms',
    make: ({ number }) => ({ keyDelayMs: number ?? 700 }),
  },
  lose_events: {
    about: 'events never reach the spool (names: only these)',
    value: 'names',
    make: ({ names }) => ({
      event(event, write) {
        if (names.length > 0 && !names.includes(event.name)) write(event);
      },
    }),
  },
  double_events: {
    about: 'every event is written twice (names: only these)',
    value: 'names',
    make: ({ names }) => ({
      event(event, write) {
        write(event);
        if (names.length === 0 || names.includes(event.name)) write(event);
      },
    }),
  },
  late_events: {
    about: 'events are written this much later (ms, 1000)',
    value: 'ms',
    make({ number }, ports) {
      const waiting = new Set<() => void>();
      return {
        event(event, write) {
          const now = ports.later(number ?? 1000, () => {
            waiting.delete(now);
            write(event);
          });
          waiting.add(now);
        },
        flush() {
          for (const now of [...waiting]) now();
        },
      };
    },
  },
  reorder_events: {
    about: 'two neighbouring events change places; a single event is written after this time (ms, 1000)',
    value: 'ms',
    make({ number }, ports) {
      let held: (() => void) | undefined;
      const release = () => {
        const write = held;
        held = undefined;
        write?.();
      };
      return {
        event(event, write) {
          if (held !== undefined) {
            write(event);
            release();
            return;
          }
          held = ports.later(number ?? 1000, () => {
            held = undefined;
            write(event);
          });
        },
        flush: release,
      };
    },
  },
  ignore_interrupt: {
    about: 'Esc does not stop a running turn',
    value: 'none',
    make: () => ({ ignoresInterrupt: true }),
  },
  stall: {
    about: 'busy without progress until interrupted (ms: only for this long)',
    value: 'ms',
    make: ({ number }, ports) => ({ inTurn: (signal) => ports.sleep(number ?? 2 ** 31 - 1, signal) }),
  },
  crash: {
    about: 'the process kills itself with SIGKILL',
    value: 'none',
    make: (_, ports) => ({ inTurn: async () => ports.crash() }),
  },
};

export function makeQuirk({ name, value }: MisbehaviourSpec, ports: QuirkPorts): Quirk {
  const number = typeof value === 'number' ? value : undefined;
  return MISBEHAVIOURS[name]?.make({ number, names: typeof value === 'object' ? value : [] }, ports) ?? {};
}

/** Reads `swallow_first_enter,late_events=500,lose_events=stop+ready`, the form of `LLMC_DEMO_MISBEHAVE`. */
export function parseMisbehaviours(text: string): MisbehaviourSpec[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', value] = item.split('=');
      const known = MISBEHAVIOURS[name];
      if (known === undefined) throw new Error(`unknown misbehaviour "${name}"; use one of ${Object.keys(MISBEHAVIOURS).join(', ')}`);
      if (value === undefined) return { name };
      if (known.value === 'names') return { name, value: value.split('+') };
      if (known.value === 'none' || !/^\d+$/.test(value)) throw new Error(`"${item}" is not a valid value of the misbehaviour ${name}`);
      return { name, value: Number(value) };
    });
}

function firstTimes(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}
