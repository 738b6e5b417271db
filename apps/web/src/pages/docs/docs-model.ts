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

export interface DocsGroup {
  readonly name: string;
  readonly sections: readonly DocsSection[];
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
  return groups.map(({ name, sections }) => ({
    name,
    sections: sections.map((section) => ({ ...section, title: withValues(section.title, values) })),
  }));
}

export function sectionsOf(document: DocsDocument): readonly DocsSection[] {
  return groupsOf(document).flatMap(({ sections }) => sections);
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
