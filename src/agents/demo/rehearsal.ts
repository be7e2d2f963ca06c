import { join } from 'node:path';
import type { Rehearsal } from '../rehearsal.ts';

/** Long enough that the canary captures the working agent on a slow machine. */
const SCENARIO = `turns:
  - when: .
    steps:
      - take: 2s
      - say: OK.
`;

export const rehearsal: Rehearsal = {
  api: 'none',
  hooks: true,
  scene: ({ home }) => ({
    env: { LLMC_DEMO_SCENARIO: join(home, 'scenario.yaml') },
    files: { 'scenario.yaml': SCENARIO },
  }),
};
