import * as z from 'zod';
import { knownKeys, type Node } from './problems/expectation.ts';
import { type FileKind, keyText } from './problems/problem.ts';
import { whyNeverAnswered } from './question-options.ts';
import { configSchema } from './schema.ts';

let described: Node | undefined;

/** The schema as plain data, for error messages and for the reference page. */
export function describedSchema(): Node {
  described ??= z.toJSONSchema(configSchema, { io: 'input' });
  return described;
}

export const CONFIG_FILE: FileKind = {
  object: 'table',
  place: (path) => (path.length === 0 ? 'at the top level' : `in [${keyText(path)}]`),
  home(key) {
    const homes = ['defaults', 'repo', 'pane', 'notify', 'delivery'].filter((home) => knownKeys(describedSchema(), [home]).includes(key));
    return homes.length === 0 ? undefined : homes.map((home) => `[${home}]`).join(' or ');
  },
  without: (key, path) => (keyText(path) === 'workflow.answers' ? whyNeverAnswered(key) : undefined),
  // Values under `[agents]` may be secrets.
  isSecret: (path) => path[0] === 'agents',
};
