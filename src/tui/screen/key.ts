/** What a person did at the terminal. */
export type Pressed =
  /** A character as typed (`a`, `R`, `?`), or a name: `enter`, `escape`, `tab`, `shift+tab`, `up`, `page-down`, `backspace`, `ctrl+c`. */
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** Column and row begin at 0. */
  | { readonly kind: 'mouse'; readonly action: 'press' | 'wheel-up' | 'wheel-down'; readonly column: number; readonly row: number };
