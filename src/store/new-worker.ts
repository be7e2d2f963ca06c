import type { Worker } from './state.ts';

/** The record of a new worker, before its first session. */
export function newWorker(about: Pick<Worker, 'name' | 'worktree_path' | 'branch' | 'agent' | 'created_at_unix'>): Worker {
  return {
    ...about,
    session_id: `llmc-${about.name}`,
    status: 'offline',
    status_before_offline: 'idle',
    current_prompt: null,
    expects: 'commit',
    last_activity_unix: about.created_at_unix,
    commit_sha: null,
    base_commit: null,
    reviewed_patch_id: null,
    incarnation: 0,
    conversation_id: null,
    conversation_used: false,
    attention: null,
    crash_count: 0,
    last_crash_unix: null,
    rebase_started_at_unix: null,
    conflicted_files: [],
    resolution_attempts: 0,
    stand_in: null,
  };
}
