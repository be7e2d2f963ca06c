export interface LogLine {
  readonly time: string;
  readonly worker: string;
  readonly kind: string;
  readonly summary: string;
}
