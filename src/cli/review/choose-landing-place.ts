import { LlmcError } from '../../base/error.ts';
import type { LandingPlace } from '../../workers/branch/choose-branch.ts';
import type { Input } from '../verb.ts';

/** Where work lands by --branch or --main; without either, what was chosen before, and then the configuration decides. */
export function chooseLandingPlace(input: Input, example: string): Required<LandingPlace> {
  const [branch, main] = [input.text('branch'), input.flag('main')];
  if (branch === undefined || !main) return { branch, main };
  throw new LlmcError('INVALID_ARGUMENT', 'a commit lands on main or on a branch, not on both', { hint: example });
}
