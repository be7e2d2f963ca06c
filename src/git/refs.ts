/** The names llmc uses inside a root's repository. */
export const workerBranch = (worker: string): string => `llmc/${worker}`;
export const isWorkerBranch = (branch: string): boolean => branch.startsWith(workerBranch(''));
export const localRef = (branch: string): string => `refs/heads/${branch}`;
/** The ref that holds the source's branch as of the last fetch. */
export const trackingRef = (branch: string): string => `refs/remotes/origin/${branch}`;
/** Holds a commit that main was before a user rewrote it. */
export const formerMainRef = (commit: string): string => `${FORMER_MAINS}/${commit}`;
export const FORMER_MAINS = 'refs/llmc/former-main';
