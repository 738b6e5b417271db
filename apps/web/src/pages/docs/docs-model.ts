/** A guide as data: chapters of sections, each with an anchor that never changes. The build makes it of Markdown (`guide-texts.ts`). */

/**
 * Text, or a part: its name, then what it holds. Texts and addresses may contain values, such as `{{limits.files}}`.
 * An empty name joins nodes without an element.
 */
export type DocsNode =
  | string
  | readonly ['' | 'p' | 'ul' | 'ol' | 'steps' | 'li' | 'b' | 'em' | 'code' | 'kbd', ...DocsNode[]]
  | readonly ['a', address: string, ...DocsNode[]]
  | readonly ['h3', id: string, title: string]
  | readonly ['pre', name: string, text: string]
  | readonly ['img', name: string, alt: string, caption: string]
  | readonly ['video', id: string, label: string]
  | readonly ['table', label: string, mono: boolean, data: string, head: readonly string[], ...DocsRow[]];

/** A row of a table. The first cell names it; no two rows have the same. */
export type DocsRow = readonly [string, ...DocsNode[]];

export interface DocsSection {
  /** Anchor: stable, because others link to it. */
  readonly id: string;
  readonly title: string;
  readonly body: readonly DocsNode[];
}

/** A file of a guide. With a sentence in `lead` it is a page of its own, else a part of the guide's first page. */
export interface DocsPageTexts {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly DocsSection[];
}

export interface DocsGroup {
  readonly name: string;
  readonly pages: readonly DocsPageTexts[];
}

/** The texts of a guide in the edition of the build. */
export interface GuideTexts {
  readonly title: string;
  readonly lead: string;
  readonly groups: readonly DocsGroup[];
}

export interface DocsDocument extends GuideTexts {
  /** Numbers and texts that come from code, by the name that the Markdown has in `{{…}}`. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Rows of tables that come from code, by the name that the Markdown has in `rows="…"`. */
  readonly rows: Readonly<Record<string, readonly DocsRow[]>>;
}

/** The chapters, with the values of their titles. */
export function groupsOf({ groups, values }: DocsDocument): readonly DocsGroup[] {
  return groups.map(({ name, pages }) => ({
    name,
    pages: pages.map((page) => ({
      ...page,
      sections: page.sections.map((section) => ({ ...section, title: withValues(section.title, values) })),
    })),
  }));
}

/** The sections of all pages of a guide. */
export function sectionsOf(document: DocsDocument): readonly DocsSection[] {
  return groupsOf(document).flatMap(({ pages }) => pages.flatMap(({ sections }) => sections));
}

/**
 * Returns the pages of a guide, its first page first. Each page has the anchors of its sections and their headings, so
 * the address of a place is the same wherever its page is.
 */
export function pagesOf(document: DocsDocument): readonly [DocsPageTexts, ...DocsPageTexts[]] {
  const { title, lead } = document;
  const all = groupsOf(document).flatMap(({ pages }) => pages);
  const first = all.filter((page) => page.lead === '').flatMap(({ sections }) => sections);
  return [{ title, lead, sections: first }, ...all.filter((page) => page.lead !== '')];
}

/** Returns true if a page has the anchor: of a section, or of a heading in one. */
export function hasAnchor({ sections }: DocsPageTexts, anchor: string): boolean {
  return sections.some(({ id, body }) => id === anchor || body.some((node) => node[0] === 'h3' && node[1] === anchor));
}

/** Replaces the names in a text by their values. @throws RangeError for a name without a value. */
export function withValues(text: string, values: DocsDocument['values']): string {
  return text.replace(valueName, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new RangeError(`No value is called ${name}.`);
    }
    return `${value}`;
  });
}

/** A value in a text: `{{limits.files}}`. */
export const valueName = /\{\{([\w.-]+)\}\}/g;
