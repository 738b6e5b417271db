/**
 * Opens xterm.js under the page's content security policy, which refuses `<style>` elements and `style` attributes that
 * scripts write as text. xterm.js 6 writes both. Here, its style elements fill constructed style sheets, and its spans set their
 * style by the object model, which the policy permits.
 */
import type { Terminal } from '@xterm/xterm';

/**
 * Parts of xterm.js 6 that its interface does not give. Its own add-on for fitting reads the size of a cell in the same place.
 */
interface Internals {
  readonly _core: {
    readonly _renderService: {
      readonly dimensions: { readonly css: { readonly cell: { readonly width: number; readonly height: number } } };
      readonly _renderer: {
        readonly value: { readonly _rowFactory: { _addStyle(element: HTMLElement, style: string): void } };
      };
    };
  };
}

const internals = (terminal: Terminal) => (terminal as unknown as Internals)._core._renderService;

/** Returns the size of a cell in px; 0 while nothing was measured. The terminal is open. */
export const cellSize = (terminal: Terminal): { readonly width: number; readonly height: number } =>
  internals(terminal).dimensions.css.cell;

/** Returns a stand-in for a `<style>` element: its text becomes a style sheet of the page. */
function styleElement(page: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element: HTMLElement = Document.prototype.createElement.call(page, 'span');
  element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    set: (css: string) => {
      sheet.replaceSync(css);
      if (!page.adoptedStyleSheets.includes(sheet)) {
        page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
      }
    },
  });
  return element;
}

/** Opens the terminal in `element`. All style elements are made while it opens, and changed later. */
export function openUnderPolicy(terminal: Terminal, element: HTMLElement): void {
  const page = element.ownerDocument;
  const create = (name: string) =>
    name === 'style' ? styleElement(page) : Document.prototype.createElement.call(page, name);
  page.createElement = create as Document['createElement'];
  try {
    terminal.open(element);
  } finally {
    Reflect.deleteProperty(page, 'createElement');
  }
  internals(terminal)._renderer.value._rowFactory._addStyle = (span, style) => {
    span.style.cssText += `${style};`;
  };
}
