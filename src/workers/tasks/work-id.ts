import type { Worker } from '../../store/state.ts';

/** Names the work that a worker has, by its task. A worker that was removed and added again under its name is another one. */
export function nameWork({ run, created_at_unix }: Pick<Worker, 'run' | 'created_at_unix'>, task: number | null): string | null {
  const id = run?.task?.id ?? task;
  return id === null ? null : `${created_at_unix}/${id}`;
}
