/** Chip descriptions that the bench can use. The page around the bench adds the sources besides the product's own. */
import type { ChipContent } from '@wirebench/contract/chips';

/** `shared`: by an unknown author. It is offered, but sends nothing to a device before the user has chosen it. */
export type ChipOrigin = 'shipped' | 'own' | 'editor' | 'shared';

/** A JKit of type `chip` as a source returns it. */
export interface FoundChip {
  /** Id of the JKit, or of its source. */
  readonly id: string;
  readonly name: string;
  /** Name of the publisher; null for the user's own JKit. */
  readonly publisher: string | null;
  readonly origin: ChipOrigin;
  /** JSON text that is not validated yet. */
  readonly content: string;
}

export interface KnownChip extends Omit<FoundChip, 'content'> {
  readonly content: ChipContent;
}

/**
 * Loads JKits for the addresses that answered. A source may return JKits for other addresses as well. Rejects if it
 * cannot be reached.
 */
type ChipSource = (addresses: readonly number[]) => Promise<readonly FoundChip[]>;

let sources: readonly ChipSource[] = [];

/** Sets the sources that are asked after each scan, besides the JKits of the product. */
export function setChipSources(others: readonly ChipSource[]): void {
  sources = others;
}

export const chipSources = (): readonly ChipSource[] => sources;
