/** What a service starts: the same command the first time, after a crash and after an upgrade. */
export interface StartedByService {
  readonly root: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}
