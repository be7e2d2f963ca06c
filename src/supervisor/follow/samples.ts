import { aState, aWorker } from '../../workers/samples.ts';
import { type StatusReport, statusReport } from '../report/status-report.ts';

/** For tests: the report of a root with these workers, by name. */
export function aReport(workers: Readonly<Record<string, Parameters<typeof aWorker>[0]>> = { adam: {} }): StatusReport {
  return statusReport({
    root: '/root',
    source: '/source',
    branch: 'main',
    now: 1_000_000,
    supervisor: { running: true, pid: 7, since_unix: 900, stalled_since_unix: null },
    state: aState(...Object.entries(workers).map(([name, changes], index) => aWorker({ created_at_unix: index, ...changes, name }))),
    deliveryOf: () => null,
    modelOf: () => 'opus',
    accountOf: (agent) => agent,
    watchedOf: () => undefined,
  });
}
