/**
 * `showPopover` and `hidePopover`, Chromium 114, for the tooltips (`shared/ui/tooltip.tsx`): there is neither a top layer nor an
 * anchor, so the text is placed below the element it belongs to, or above where the window ends. What is closed is hidden by
 * the style sheet with the fallbacks.
 */

/** Between the element and its text, in pixels, as `tooltip.module.css` has it as a margin. */
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
