import { expect, test } from 'vitest';
import type { OfferedRepair } from '../../doctor/repair-rounds.ts';
import type { RepairStep } from '../../recovery/records/repair-step.ts';
import { type CallOwner, Shell } from '../shell.ts';
import { repairFound } from './repair-found.ts';

/** A shell without a terminal, whose owner performs what it is told. */
function shellWith(yes: boolean): { readonly shell: Shell; readonly performed: RepairStep[] } {
  const performed: RepairStep[] = [];
  const owner: CallOwner = async (_shell, _name, args): Promise<never> => {
    const steps: readonly RepairStep[] = 'steps' in args && Array.isArray(args.steps) ? args.steps : [];
    performed.push(...steps);
    const done: unknown = steps.map((step) => ({ step, outcome: 'repaired', lines: [] }));
    return done as never;
  };
  const options = { json: false, quiet: true, verbose: false, color: false, patrol: false, version: '0.1.0', declarations: [] };
  return { shell: new Shell({ ...options, yes, root: '/nowhere/llmc' }, owner), performed };
}

const offer = (step: RepairStep, changes: Partial<OfferedRepair> = {}): OfferedRepair => ({
  title: step.kind,
  does: 'd',
  safe: false,
  step,
  check: step.kind,
  message: 'm',
  foundLater: false,
  ...changes,
});
const BRANCH: RepairStep = { kind: 'branch', branch: 'llmc/bob', tip: 'a'.repeat(40) };
const STATE: RepairStep = { kind: 'state' };
const EDIT: RepairStep = { kind: 'edit', path: '/nowhere/llmc/config.toml' };

test.each([
  ['--yes deletes a branch that the plan named', true, offer(BRANCH), 'repaired'],
  ['--yes leaves a branch that was found after the first repairs', true, offer(BRANCH, { foundLater: true }), 'left'],
  ['--yes restores what was found later and removes nothing', true, offer(STATE, { foundLater: true, safe: true }), 'repaired'],
  ['a script without --yes deletes nothing', false, offer(BRANCH), 'left'],
  ['a file is edited on a terminal only', true, offer(EDIT), 'left'],
] as const)('%s', async (_, yes, offered, outcome) => {
  const { shell, performed } = shellWith(yes);
  const [report] = await repairFound(shell, [offered], false, async () => []);
  expect(report).toMatchObject({ outcome });
  expect(performed).toEqual(outcome === 'repaired' ? [offered.step] : []);
});

test('what --yes leaves says what to type', async () => {
  const { shell } = shellWith(true);
  const reports = await repairFound(shell, [offer(BRANCH, { foundLater: true }), offer(EDIT)], false, async () => []);
  expect(reports.map(({ lines }) => lines.join(' '))).toEqual([
    expect.stringContaining('llmc doctor --repair --yes'),
    expect.stringContaining('llmc doctor --repair opens it in your editor'),
  ]);
});
