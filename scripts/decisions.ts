import { globSync } from 'node:fs';

/** The pure files that decide: scripts/mutate.ts changes each of them and expects a failing test. */
export const DECISIONS: readonly string[] = globSync(
  [
    'src/recovery/{decide-*,backoff,crashes,go-on-time,has-slept}.ts',
    'src/recovery/records/decide-*.ts',
    'src/store/decide-state.ts',
    'src/supervisor/*/decide-*.ts',
    'src/workers/queue/decide-queue.ts',
    'src/workers/pool/decide-pool.ts',
    'src/supervisor/assess/{assess,assess-protocol,mass-death}.ts',
    'src/supervisor/deliver/{hold-ends,in-flight-rules,reports,rules,waiting-rules}.ts',
    'src/supervisor/observe/polling.ts',
    'src/supervisor/api/meet-version.ts',
  ],
  { exclude: ['**/*.test.ts'] },
).sort();

/** The tables that know these decisions: each beside its file, and the cases of docs/recovery.md. */
export const DECISION_TESTS: readonly string[] = [
  ...globSync(DECISIONS.map((file) => file.replace(/ts$/, 'test.ts'))),
  'src/supervisor/delivery-cases.test.ts',
].sort();
