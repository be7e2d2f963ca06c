import { failureLines } from '../../base/error.ts';
import type { CheckResult } from '../../doctor/check.ts';
import type { OfferedRepair } from '../../doctor/repair-rounds.ts';
import type { RepairStep } from '../../recovery/records/repair-step.ts';
import { setAsideNewer } from '../../store/open-owned.ts';
import { askLine } from '../../system/lines.ts';
import { systemPorts } from '../../system/ports.ts';
import type { Repaired } from '../../workers/repair/repair-root.ts';
import { openInEditor } from '../input/editor.ts';
import type { Shell } from '../shell.ts';
import { planLine } from '../text/doctor-text.ts';
import { CHOICES, parseChoice } from './choose-repairs.ts';
import type { RepairReport } from './repair-report.ts';

const PATIENCE_MS = 15_000;

interface Chosen {
  readonly chosen: ReadonlySet<OfferedRepair>;
  /** The files that the person has corrected, with what the check says now. */
  readonly edited: ReadonlyMap<OfferedRepair, string>;
}

/** Lets the person choose among the repairs that the checks offer, and has the owner of the root perform them. */
export async function repairFound(
  shell: Shell,
  offers: readonly OfferedRepair[],
  dryRun: boolean,
  examine: () => Promise<readonly CheckResult[]>,
): Promise<readonly RepairReport[]> {
  if (dryRun) return offers.map((offer) => ({ ...offer, outcome: 'planned', lines: [] }));
  const { chosen, edited } = await choose(shell, offers, examine);
  const steps = offers.filter((offer) => chosen.has(offer)).map(({ step }) => step);
  const results = (steps.length === 0 ? [] : await perform(shell, steps)).values();
  return offers.map((offer) => {
    const valid = edited.get(offer);
    if (valid !== undefined) return { ...offer, outcome: 'repaired', lines: [valid] };
    const result = chosen.has(offer) ? results.next().value : undefined;
    return { ...offer, outcome: result?.outcome ?? 'left', lines: result?.lines ?? whyLeft(shell, offer) };
  });
}

function whyLeft(shell: Shell, { step, foundLater }: OfferedRepair): readonly string[] {
  if (shell.isInteractive && !shell.options.yes) return [];
  if (step.kind === 'edit') return [`Correct it by hand; on a terminal, llmc doctor --repair opens it in your editor.`];
  return foundLater && shell.options.yes
    ? ['It was found after the repairs above, so no plan named it. To do it: llmc doctor --repair --yes']
    : [];
}

/** A root that cannot be opened at all fails every step in the same way. */
async function perform(shell: Shell, steps: readonly RepairStep[]): Promise<readonly Repaired[]> {
  try {
    if (!steps.some(({ kind }) => kind === 'newer_database')) return await shell.call('repair', { steps: [...steps] });
    const { openOwnContext } = await import('../owner/own-context.ts');
    const { clock, files } = systemPorts;
    using own = await openOwnContext(shell, 'doctor --repair', PATIENCE_MS, () => setAsideNewer(shell.layout.database, clock.now(), files));
    const { repairRoot } = await import('../../workers/repair/repair-root.ts');
    return await repairRoot(own.context, steps);
  } catch (error) {
    return steps.map((step) => ({ step, outcome: 'failed', lines: failureLines(error) }));
  }
}

/**
 * `--yes` agrees to the plan that `--dry-run` prints. A repair that shows up later, because a restored state does not know a worker any more,
 * is done only if it ends and removes nothing.
 */
async function choose(shell: Shell, offers: readonly OfferedRepair[], examine: () => Promise<readonly CheckResult[]>): Promise<Chosen> {
  const repairing = offers.filter(({ step }) => step.kind !== 'edit');
  const safe = repairing.filter((offer) => offer.safe);
  if (shell.options.yes) return { chosen: new Set(repairing.filter((offer) => offer.safe || !offer.foundLater)), edited: new Map() };
  if (!shell.isInteractive) return { chosen: new Set(safe), edited: new Map() };
  const chosen = new Set<OfferedRepair>();
  const edited = new Map<OfferedRepair, string>();
  for (const group of Map.groupBy(offers, ({ check }) => check).values()) {
    const answer = await askAbout(shell, group, examine);
    for (const offer of answer.chosen) chosen.add(offer);
    for (const [offer, valid] of answer.edited) edited.set(offer, valid);
    if (!answer.below) continue;
    for (const offer of safe.slice(safe.findIndex(({ check }) => check === group[0]?.check))) chosen.add(offer);
    break;
  }
  return { chosen, edited };
}

/** Asks about one finding, again after each edit that did not help. */
async function askAbout(
  shell: Shell,
  group: readonly OfferedRepair[],
  examine: () => Promise<readonly CheckResult[]>,
): Promise<Chosen & { readonly below: boolean }> {
  const [{ check, message } = { check: '', message: '' }] = group;
  shell.say(`\n${check}: ${message}`);
  for (const [index, repair] of group.entries()) shell.say(`  ${index + 1}. ${planLine(repair)}`);
  for (;;) {
    const choice = parseChoice(await askLine(`${CHOICES} `), group);
    if (choice === undefined) continue;
    const picked = group.filter((_, index) => choice.chosen.has(index));
    const [edit] = picked.filter(({ step }) => step.kind === 'edit');
    if (edit === undefined) return { chosen: new Set(picked), edited: new Map(), below: choice.below };
    const now = await editAndCheck(shell, edit, examine);
    if (now?.level === 'ok') return { chosen: new Set(), edited: new Map([[edit, now.message]]), below: false };
    if (now !== undefined) shell.say(`${check}: ${now.message}`);
  }
}

/** What the check finds after the edit; undefined if the editor failed. */
async function editAndCheck(
  shell: Shell,
  { step, check }: OfferedRepair,
  examine: () => Promise<readonly CheckResult[]>,
): Promise<CheckResult | undefined> {
  if (step.kind !== 'edit') return undefined;
  try {
    await openInEditor(step.path);
  } catch (error) {
    for (const line of failureLines(error)) shell.say(line);
    return undefined;
  }
  return (await examine()).find(({ name }) => name === check);
}
