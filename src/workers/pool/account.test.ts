import { expect, test } from 'vitest';
import { aConfig, aState, aWorker, ofRun } from '../samples.ts';
import { listSharers, nameAccount } from './account.ts';

test('the workers of an account continue in turn after a limit; those of a run that rest have no turn', () => {
  const config = aConfig();
  const state = aState(
    aWorker({ name: 'adam' }),
    aWorker({ name: 'swarm-1-developer', run: ofRun({ resting: false }) }),
    aWorker({ name: 'swarm-1-reviewer', run: ofRun({ resting: true }) }),
  );
  expect(listSharers(state, config, nameAccount(config, aWorker().agent))).toEqual(['adam', 'swarm-1-developer']);
});
