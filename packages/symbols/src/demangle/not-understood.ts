/** The name uses a part of the grammar that is not understood here, or is no mangled name. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}
