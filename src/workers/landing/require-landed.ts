import { LlmcError } from '../../base/error.ts';
import type { Landed } from '../../git/landing/landed.ts';
import type { Blocked } from '../../git/landing/still-blocked.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';

/** Throws unless the commit is on its branch. */
export function requireLanded(
  { layout }: Pick<WorkContext, 'layout'>,
  name: string,
  landed: Exclude<Landed, { kind: 'moved' }>,
  branch: string | null = null,
): asserts landed is Extract<Landed, { kind: 'landed' | 'already-landed' }> {
  switch (landed.kind) {
    case 'landed':
    case 'already-landed':
      return;
    case 'changed':
      throw new LlmcError('PATCH_CHANGED', `the objects of ${name} in ${layout.root} are not those that would land`, {
        hint: `Review it again: llmc review ${name}; if that does not help: llmc reset ${name}`,
      });
    case 'refused':
      throw new RefusedBySource(name, landed, branch);
  }
}

/** Something in the source is in the way, which only a person can remove. */
export class RefusedBySource extends LlmcError {
  readonly todo: string | undefined;
  readonly blocked: Blocked | undefined;

  constructor(worker: string, { reason, todo, files, where }: Extract<Landed, { kind: 'refused' }>, branch: string | null) {
    const hint = `${todo ?? 'Fix that'}, then: ${acceptCommand(worker, branch)}`;
    super('LANDING_REFUSED', reason, { hint, details: files?.join('\n') });
    this.todo = todo;
    this.blocked = where === undefined ? undefined : { where, files: files ?? [] };
  }
}
