/**
 * The document as xterm.js sees it. The page's content security policy refuses `<style>` elements and `style` attributes
 * that scripts write as text, and xterm.js writes both. Here, its style elements fill constructed style sheets, and its spans
 * set their style by the object model, which the policy permits.
 */

/** Returns a stand-in for a `<style>` element: its text becomes a style sheet of the document until it is removed. */
function styleElement(target: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = target.createElement('span');
  element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    set: (css: string) => {
      sheet.replaceSync(css);
      if (!target.adoptedStyleSheets.includes(sheet)) {
        target.adoptedStyleSheets = [...target.adoptedStyleSheets, sheet];
      }
    },
  });
  element.remove = () => {
    target.adoptedStyleSheets = target.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') {
    this.style.cssText = value;
  } else {
    HTMLElement.prototype.setAttribute.call(this, name, value);
  }
}

/** Returns `target` with its own way to create elements. */
export function cspDocument(target: Document): Document {
  const createElement = (name: string): HTMLElement => {
    if (name === 'style') {
      return styleElement(target);
    }
    const element = target.createElement(name);
    if (name === 'span') {
      element.setAttribute = setAttribute;
    }
    return element;
  };
  return new Proxy(target, {
    get: (_, name) => {
      if (name === 'createElement') {
        return createElement;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
