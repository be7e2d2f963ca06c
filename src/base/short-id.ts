/** The name of a prompt in a sentence: the first part of a random id. An id that a run made says where it comes from, so it stays whole. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id;
}
