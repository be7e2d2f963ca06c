/** The keys that stand twice in one object of a JSON text, as paths: programs disagree about which of them counts. */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const open: { readonly keys: Set<string> | undefined; readonly name: string }[] = [];
  let key = '';
  // Strings, and the signs that open and close; a string before a colon is a key.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/gs)) {
    const inside = open.at(-1);
    if (token === '{' || token === '[') open.push({ keys: token === '{' ? new Set() : undefined, name: key });
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':') && inside?.keys !== undefined) {
      key = plain(token.replace(/\s*:$/, ''));
      if (inside.keys.has(key)) found.push([...open.slice(1).map(({ name }) => name), key].join('.'));
      inside.keys.add(key);
    }
  }
  return found;
}

/** `"post\u0069nstall"` is the key postinstall. */
function plain(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
