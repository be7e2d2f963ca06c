export interface RehearsalPlace {
  /** An empty home directory. */
  readonly home: string;
  readonly worktree: string;
  /** The URL of llmc's demo API, on loopback; '' for an agent without an API. */
  readonly apiUrl: string;
}

export interface RehearsalScene {
  /** Added to an environment that holds little more than PATH and HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** Written (0600) before the launch: path relative to `home` → content. */
  readonly files: Readonly<Record<string, string>>;
}

/** How the canary runs a CLI without an account: the CLI reads no file of the user, and no data leaves the machine. */
export interface Rehearsal {
  /** The API that the CLI expects. */
  readonly api: 'messages' | 'responses' | 'none';
  /** Whether it reports through hooks; otherwise the evidence is its transcript and its screen. */
  readonly hooks: boolean;
  scene(place: RehearsalPlace): RehearsalScene;
}
