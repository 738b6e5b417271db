/**
 * `showPopover` and `hidePopover` (Chromium 114) for the tooltips (`shared/ui/tooltip.tsx`). Without a top layer and
 * anchors, the text is placed below its element, or above it at the end of the window. The style sheet with the
 * fallbacks hides closed ones.
 */

/** Distance between the element and its text, in px. Equal to the margin in `tooltip.module.css`. */
const gap = 6;

const open = 'data-popover-open';

export function providePopover(): void {
  if ('showPopover' in HTMLElement.prototype) {
    return;
  }
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      this.setAttribute(open, '');
      place(this);
    },
    hidePopover(this: HTMLElement) {
      this.removeAttribute(open);
    },
  });
}

function place(element: HTMLElement): void {
  const anchor = element.parentElement?.getBoundingClientRect();
  if (anchor === undefined) {
    return;
  }
  Object.assign(element.style, { position: 'fixed', zIndex: '2147483647', top: '0', left: '0', margin: '0' });
  const { width, height } = element.getBoundingClientRect();
  const below = anchor.bottom + gap;
  const top = below + height <= window.innerHeight ? below : anchor.top - gap - height;
  const middle = anchor.left + (anchor.width - width) / 2;
  const left = Math.max(gap, Math.min(middle, document.documentElement.clientWidth - width - gap));
  Object.assign(element.style, { top: `${Math.max(0, top)}px`, left: `${left}px` });
}
