/** Thrown for a name with unsupported grammar, and for a text that is not a mangled name. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}
