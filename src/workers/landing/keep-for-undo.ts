import { type KeptWork, keepWork, noteLanded } from '../../git/landing/note-landed.ts';
import { findLanding, type Landing, nthLanded } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';

/** How many accepts keep all their commits for an undo. */
const KEPT_LANDINGS = 20;

/** Notes what landed, and keeps the commits from before the squash for an undo. */
export async function noteOnMain(
  { git, layout, store }: WorkContext,
  landing: Landing,
  { branch, prepared, main }: { readonly branch: string; readonly prepared: string; readonly main: string },
): Promise<string> {
  return await noteLanded(git, layout.root, branch, prepared, main, keptWork(store, landing, prepared));
}

/** After a crash, main may have what was to land already. */
export async function keepAndReturn({ git, layout, store }: WorkContext, landing: Landing, main: string): Promise<string> {
  await keepWork(git, layout.root, keptWork(store, landing, main));
  return main;
}

function keptWork({ database }: WorkContext['store'], { id }: Landing, otherwise: string): KeptWork {
  return { landing: id, work: findLanding(database, id)?.work ?? otherwise, tooOld: nthLanded(database, KEPT_LANDINGS - 1)?.id };
}
