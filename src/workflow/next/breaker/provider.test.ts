import { expect, test } from 'vitest';
import type { Breaker } from '../../../recovery/decide-breaker.ts';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { What } from '../../model/event.ts';
import type { Run } from '../../model/run.ts';
import { next } from '../next.ts';
import { newRun, POLICY, result, swarmPlan } from '../samples.ts';
import type { Decision } from '../turn.ts';

const NOON = 1_800_000_000_000;
const OPEN: Breaker = { kind: 'open', failures: 3, until: NOON + 60_000 };

function decide(run: Run, what: What, states: Readonly<Record<string, Breaker>> = {}, at = NOON): Decision {
  // An agent of config.toml that is based on claude shares its account.
  const accountOf = (agent: string) => (agent === 'reviewer-claude' ? 'claude' : agent);
  const providers = { failures: 3, retryAfterMs: 60_000, defaultAgent: 'claude', states, accountOf };
  return next(run, { key: 'e', at, dice: 0, what }, { ...POLICY, providers });
}

/** The research is done, and the developer, which has a fallback, is about to start. */
function beforeDevelop(): { readonly run: Run; readonly collected: What } {
  let { run } = decide(newRun(swarmPlan(), NOON), { kind: 'begin' });
  const action = () => (run.steps.research?.state.kind === 'acting' ? run.steps.research.state.action : '');
  const started = action();
  ({ run } = decide(run, { kind: 'started', action: started }));
  ({ run } = decide(run, { kind: 'finished', action: started }));
  return { run, collected: { kind: 'collected', action: action(), result: result() } };
}

const providerRecords = ({ records }: Decision) => records.flatMap((record) => (record.kind === 'provider' ? [record] : []));
const attempt = ({ actions }: Decision) => actions.map(({ task }) => task).find(({ kind }) => kind === 'attempt');

test('new work goes to the fallback at once while the service of the own agent fails', () => {
  const { run, collected } = beforeDevelop();
  expect(attempt(decide(run, collected))).toMatchObject({ agent: 'own' });
  expect(attempt(decide(run, collected, { claude: OPEN }))).toMatchObject({ agent: 'fallback', session: '-codex', conversation: 'fresh' });
});

test('a role whose fallback fails as well, or that has none, stays with its own agent', () => {
  const { run, collected } = beforeDevelop();
  expect(attempt(decide(run, collected, { claude: OPEN, codex: OPEN }))).toMatchObject({ agent: 'own' });
  expect(attempt(decide(newRun(swarmPlan(), NOON), { kind: 'begin' }, { claude: OPEN }))).toMatchObject({
    role: 'researcher',
    agent: 'own',
  });
});

test('after the wait, one step tries the own agent, and the breaker knows it', () => {
  const { run, collected } = beforeDevelop();
  const decision = decide(run, collected, { claude: OPEN }, OPEN.kind === 'open' ? OPEN.until : 0);
  expect(attempt(decision)).toMatchObject({ agent: 'own' });
  expect(providerRecords(decision)).toMatchObject([{ account: 'claude', outcome: 'tried', by: 'swarm-1 develop' }]);
});

test('a failure of the network counts, other failures do not, and a turn that ends forgets it', () => {
  const { run } = decide(newRun(swarmPlan(), NOON), { kind: 'begin' });
  const action = run.steps.research?.state.kind === 'acting' ? run.steps.research.state.action : '';
  const failed = (code: 'CLAUDE_API_ERROR' | 'DATABASE_ERROR') =>
    decide(run, { kind: 'failed', action, error: errorRecord({ id: 'x', code, message: 'm', component: '', at: NOON }) });
  expect(providerRecords(failed('CLAUDE_API_ERROR'))).toMatchObject([{ account: 'claude', outcome: 'failed' }]);
  expect(providerRecords(failed('DATABASE_ERROR'))).toEqual([]);
  expect(providerRecords(decide(run, { kind: 'finished', action }))).toEqual([]);
  expect(providerRecords(decide(run, { kind: 'finished', action }, { claude: OPEN }))).toMatchObject([{ outcome: 'succeeded' }]);
});

test('agents of one account fail together: the service of one moves the work of the other, and a fallback of the same account does not help', () => {
  const { run, collected } = beforeDevelop();
  const withAgents = (agent: string, fallback: string): Run => {
    const { developer } = run.plan.roles;
    if (developer === undefined) throw new Error('the sample has it');
    return { ...run, plan: { ...run.plan, roles: { ...run.plan.roles, developer: { ...developer, agent, fallback } } } };
  };
  expect(attempt(decide(withAgents('reviewer-claude', 'codex'), collected, { claude: OPEN }))).toMatchObject({ agent: 'fallback' });
  expect(attempt(decide(withAgents('claude', 'reviewer-claude'), collected, { claude: OPEN }))).toMatchObject({ agent: 'own' });
});
