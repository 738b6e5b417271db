/** Builds elements without HTML text, which pages with trusted types refuse. */

type Properties = Readonly<Record<string, string | boolean | null>>;
export type Child = Node | string | null;

/**
 * Creates an element.
 *
 * @param properties Attributes. True sets an empty one; false and null set none.
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Applies a style sheet to a shadow root. A constructed sheet is allowed by every content security policy. */
export function adoptStyle(root: ShadowRoot, css: string): void {
  if ('adoptedStyleSheets' in root && 'replaceSync' in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } else {
    root.append(make('style', {}, css));
  }
}
