const WRAPPED = /^\S*(?:ba|z|)sh -l?c (?:'([\s\S]*)'|"([\s\S]*)"|(\S+))$/;

/** Codex runs everything as `/bin/bash -lc '…'`; people know the inner command. */
export function shownCommand(command: string): string {
  const [, single, double, bare] = WRAPPED.exec(command) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'").replaceAll(`'"'"'`, "'");
  return double === undefined ? (bare ?? command) : double.replace(/\\(["\\$`])/g, '$1');
}
