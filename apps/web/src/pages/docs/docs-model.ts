/** A document as data: groups of sections, each with an anchor that never changes. */
import type { ReactNode } from 'react';

export interface DocsSection {
  /** Anchor: stable, because others link to it. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
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

export function sectionsOf({ groups }: DocsDocument): readonly DocsSection[] {
  return groups.flatMap(({ sections }) => sections);
}
