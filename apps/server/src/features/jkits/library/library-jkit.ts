/** A jkit that comes with the product. */
import type { JkitContent } from '@wirebench/contract';

export interface LibraryJkit {
  /** A UUID that stays the same for ever: links and stars name it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly content: JkitContent;
}
