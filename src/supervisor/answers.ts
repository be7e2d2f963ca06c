import { z } from 'zod';
import { LlmcError } from '../base/error.ts';
import { glanceConfig } from '../config/glance.ts';
import { glanceDelivery } from '../store/delivery-glance.ts';
import { readText } from '../system/files.ts';
import { answerDialog } from './answer.ts';
import type { Call } from './api-server.ts';
import { isOperation, runOperation } from './operations.ts';
import { readiness } from './readiness.ts';
import { type StatusReport, statusReport } from './status-report.ts';
import type { Supervisor } from './supervisor.ts';
import { whyReport } from './why-report.ts';

/** What a running supervisor can be asked over its socket. */
export async function answerCall(supervisor: Supervisor, since: number, call: Call): Promise<unknown> {
  const { context, watches } = supervisor;
  const own = { ...context, say: call.say, signal: AbortSignal.any([context.signal, call.signal]) };
  if (isOperation(call.name)) return await runOperation(call.name, own, call.args).finally(() => supervisor.wake());
  switch (call.name) {
    case 'status':
      return report(supervisor, since);
    case 'why': {
      const { worker } = z.object({ worker: z.string() }).parse(call.args);
      return whyReport(context.store.worker(worker), context.store.database, watches.get(worker), supervisor.troubleOf(worker));
    }
    case 'answer': {
      const request = z.object({ worker: z.string(), choice: z.string().min(1) }).parse(call.args);
      return await answerDialog(own, request).finally(() => supervisor.wake());
    }
    case 'ready':
      return await readiness(supervisor, own.signal);
    default:
      throw new LlmcError('INVALID_ARGUMENT', `the supervisor does not know "${call.name}"`, { hint: 'llmc help' });
  }
}

function report(supervisor: Supervisor, since: number): StatusReport {
  const { context, watches } = supervisor;
  // Leniently, as without a supervisor: a config.toml that is just being edited must not hide where the workers stand.
  const { source, branch, modelOf } = glanceConfig(readText(context.layout.config));
  return statusReport({
    root: context.layout.root,
    source,
    branch,
    supervisor: { running: true, pid: process.pid, since_unix: since },
    state: context.store.state,
    deliveryOf: (name) => glanceDelivery(context.store.database, name),
    modelOf,
    assessmentOf: (name) => watches.get(name)?.assessment,
    troubleOf: (name) => supervisor.troubleOf(name),
  });
}
