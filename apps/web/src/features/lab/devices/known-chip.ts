/** Descriptions that the bench knows, whoever wrote them. Where they come from besides the product is said by the page around the bench. */
import type { ChipContent } from '@wirebench/contract/chips';

/** `shared`: by somebody nobody here knows; it is offered, and asks a device nothing before a person has chosen it. */
export type ChipOrigin = 'shipped' | 'own' | 'editor' | 'shared';

/** A JKit of type `chip`. */
export interface FoundChip {
  /** Of the JKit, or of the place where it is. */
  readonly id: string;
  readonly name: string;
  /** Who published it; null for one's own. */
  readonly publisher: string | null;
  readonly origin: ChipOrigin;
  /** Text that nobody has checked yet. */
  readonly content: string;
}

export interface KnownChip extends Omit<FoundChip, 'content'> {
  readonly content: ChipContent;
}

/** @param addresses those at which something answers; a source may give more than what is for them @throws what it cannot be reached with */
type ChipSource = (addresses: readonly number[]) => Promise<readonly FoundChip[]>;

let sources: readonly ChipSource[] = [];

/** Asked besides what comes with the product, each time that a bus was scanned. */
export function setChipSources(others: readonly ChipSource[]): void {
  sources = others;
}

export const chipSources = (): readonly ChipSource[] => sources;
