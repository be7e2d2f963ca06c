import { parseArgs } from 'node:util';
import { parseMisbehaviours } from './scenario/misbehave.ts';
import type { MisbehaviourSpec } from './scenario/step.ts';

export interface Options {
  readonly scenario: string | undefined;
  /** Gets a line for each task that begins and ends. */
  readonly record: string | undefined;
  readonly conversation: { readonly kind: 'fresh'; readonly id: string | undefined } | { readonly kind: 'resume'; readonly id: string };
  readonly trustDialog: boolean;
  readonly model: string;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly worker: string;
  readonly misbehave: readonly MisbehaviourSpec[];
}

type Env = Readonly<Record<string, string | undefined>>;

export function readOptions(args: readonly string[], env: Env): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenario: { type: 'string' },
      record: { type: 'string' },
      'session-id': { type: 'string' },
      resume: { type: 'string' },
      'trust-dialog': { type: 'boolean', default: false },
      model: { type: 'string', default: '' },
      'role-prompt': { type: 'string' },
      'skip-permissions': { type: 'boolean', default: false },
      'allowed-tools': { type: 'string', default: '' },
    },
  });
  // Ids become file names.
  for (const id of [values.resume, values['session-id']]) {
    if (id !== undefined && !/^[\w-]{1,100}$/.test(id)) throw new Error(`"${id}" is not a conversation id`);
  }
  return {
    scenario: values.scenario || env.LLMC_DEMO_SCENARIO || undefined,
    record: values.record || env.LLMC_DEMO_RECORD || undefined,
    conversation: values.resume === undefined ? { kind: 'fresh', id: values['session-id'] } : { kind: 'resume', id: values.resume },
    trustDialog: values['trust-dialog'] || env.LLMC_DEMO_TRUST === 'ask',
    model: values.model || 'demo',
    skipPermissions: values['skip-permissions'],
    allowedTools: values['allowed-tools'].split(',').filter((tool) => tool !== ''),
    worker: fileName(env.LLMC_WORKER ?? ''),
    misbehave: parseMisbehaviours(env.LLMC_DEMO_MISBEHAVE ?? ''),
  };
}

function fileName(worker: string): string {
  return worker.replace(/[^\w.-]/g, '-').replace(/^\.+/, '') || 'demo';
}
