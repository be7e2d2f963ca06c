import { describeError } from '../../src/base/error.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { Store } from '../../src/store/store.ts';
import { type OperationName, runOperation } from '../../src/supervisor/api/operations.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemPorts } from '../../src/system/ports.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { openContext } from '../../src/workers/context.ts';
import { noAgents } from '../../src/workers/no-agents.ts';
import { withEnvironment } from '../support/scratch-repo.ts';
import type { Ran, World } from '../support/world.ts';

/** What a command asks of the owner of the root; undefined for one that only the program itself can perform. */
function operationOf([verb, first = '', second = '', , third]: readonly string[]): readonly [OperationName, unknown] | undefined {
  switch (verb) {
    case 'review':
      return ['review', { worker: first, color: false }];
    case 'accept':
      return ['accept', { worker: first, patrol: false }];
    case 'reset':
    case 'nuke':
      return [verb, { name: first }];
    case 'rescue':
      if (first === 'restore') return ['rescueRestore', { name: second, into: third }];
      return first === 'show' ? ['rescueShow', { name: second }] : ['rescueList', {}];
    default:
      return undefined;
  }
}

/** Performs a command as `llmc` would without a supervisor, in this process: most attacks need no terminal, and a process costs most. */
export async function performHere(world: World, words: readonly string[]): Promise<Ran | undefined> {
  const operation = operationOf(words);
  if (operation === undefined) return undefined;
  using store = new Store(makeLayout(world.root), systemClock);
  const ports = { ...systemPorts, processes: withEnvironment(systemProcesses, world.env) };
  const said: string[] = [];
  const context = openContext(store, ports, {
    supervised: false,
    say: (line) => said.push(line),
    signal: new AbortController().signal,
    agents: noAgents,
  });
  try {
    const stdout = JSON.stringify(await runOperation(operation[0], context, operation[1]));
    return { status: 0, stdout, stderr: said.join('\n') };
  } catch (error) {
    return { status: 2, stdout: '', stderr: describeError(error) };
  }
}
