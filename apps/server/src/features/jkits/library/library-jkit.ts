/** A jkit that comes with the product. */
import type { JkitContent } from '@wirebench/contract';

export interface LibraryJkit {
  /** A UUID that must never change: links and stars refer to it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly content: JkitContent;
}
