export interface RehearsalPlace {
  /** An empty home of its own. */
  readonly home: string;
  readonly worktree: string;
  /** Where llmc's demo API listens, on loopback; '' for an agent that asks none. */
  readonly apiUrl: string;
}

export interface RehearsalScene {
  /** Added to an environment that holds little more than PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** Written (0600) before the launch: path relative to `home` → content. */
  readonly files: Readonly<Record<string, string>>;
}

/** How a CLI is tried out without anybody's account: nothing of the user's is read, nothing leaves the machine. */
export interface Rehearsal {
  /** Whose way of speaking the demo API needs. */
  readonly api: 'messages' | 'responses' | 'none';
  /** Whether it reports through hooks; otherwise its record and its screen are all there is. */
  readonly hooks: boolean;
  scene(place: RehearsalPlace): RehearsalScene;
}
