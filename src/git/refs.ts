/** The names llmc uses inside a root's repository. */
export const workerBranch = (worker: string): string => `llmc/${worker}`;
export const localRef = (branch: string): string => `refs/heads/${branch}`;
/** Where the root keeps what it last saw of the source's branch. */
export const trackingRef = (branch: string): string => `refs/remotes/origin/${branch}`;
