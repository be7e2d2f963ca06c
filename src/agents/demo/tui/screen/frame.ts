export interface Row {
  readonly text: string;
  readonly style?: 'dim' | 'error';
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly rows: readonly Row[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}
