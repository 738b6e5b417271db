/** A document as data: groups of sections, each with an anchor that never changes. */

import type { ReactNode } from 'react';
import { hasServer } from '../../shared/edition.ts';

export interface DocsSection {
  /** Anchor: stable, because others link to it. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
  /** The edition of the product that has what the section describes. Missing: both. */
  readonly only?: 'server' | 'static';
}

export interface DocsGroup {
  readonly name: string;
  readonly sections: readonly DocsSection[];
}

export interface DocsDocument {
  readonly title: string;
  readonly lead: string;
  readonly groups: readonly DocsGroup[];
}

/** Returns the document without the sections about what this edition does not have. */
export function forThisEdition({ groups, ...document }: DocsDocument): DocsDocument {
  const other = hasServer ? 'static' : 'server';
  const kept = groups.map(({ name, sections }) => ({ name, sections: sections.filter(({ only }) => only !== other) }));
  return { ...document, groups: kept.filter(({ sections }) => sections.length > 0) };
}

export function sectionsOf({ groups }: DocsDocument): readonly DocsSection[] {
  return groups.flatMap(({ sections }) => sections);
}
