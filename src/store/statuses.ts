/** Where a worker is in the flow of work. */
export const STATUSES = ['idle', 'working', 'needs_input', 'needs_review', 'rejected', 'rebasing', 'error', 'offline'] as const;
export type Status = (typeof STATUSES)[number];
