/** Draws a pointer and the pressed keys, which a screen recording lacks. Runs in the recorded page. */

declare global {
  interface Window {
    /** Shows keys for a short time, such as "Shift + H". */
    showKeys: (keys: string) => void;
  }
}

/**
 * Adds the overlay. Must be self-contained, because the browser receives the function's source text. Sets styles by
 * script, which the pages' content security policy allows.
 */
export function addOverlay(): void {
  const place = (style: Partial<CSSStyleDeclaration>) => {
    const element = document.createElement('div');
    Object.assign(element.style, { position: 'fixed', zIndex: '2147483647', pointerEvents: 'none', ...style });
    element.ariaHidden = 'true';
    return element;
  };
  const pointer = place({ left: '0', top: '0', width: '22px', height: '22px' });
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  drawing.setAttribute('viewBox', '0 0 22 22');
  const arrow = document.createElementNS(namespace, 'path');
  arrow.setAttribute('d', 'M2 1v16l4.2-3.6 2.7 6.2 3-1.3-2.7-6.1 5.6-.5z');
  arrow.setAttribute('fill', '#FFFFFF');
  arrow.setAttribute('stroke', '#17191A');
  arrow.setAttribute('stroke-width', '1.4');
  arrow.setAttribute('stroke-linejoin', 'round');
  drawing.append(arrow);
  pointer.append(drawing);
  const keys = place({
    right: '16px',
    top: '58px',
    padding: '6px 12px',
    border: '1px solid #667177',
    borderRadius: '4px',
    background: '#ECEEEC',
    color: '#17191A',
    font: '600 16px "JetBrains Mono Variable", monospace',
    opacity: '0',
  });
  const put = () => document.documentElement.append(pointer, keys);
  if (document.documentElement === null) {
    document.addEventListener('DOMContentLoaded', put, { once: true });
  } else {
    put();
  }
  addEventListener(
    'mousemove',
    ({ clientX, clientY }) => {
      pointer.style.translate = `${clientX - 2}px ${clientY - 1}px`;
    },
    true,
  );
  addEventListener(
    'mousedown',
    ({ clientX, clientY }) => {
      const ring = place({
        left: `${clientX - 18}px`,
        top: `${clientY - 18}px`,
        width: '36px',
        height: '36px',
        border: '3px solid #FFB224',
        borderRadius: '50%',
      });
      document.documentElement.append(ring);
      const grow = [
        { opacity: 1, scale: 0.3 },
        { opacity: 0, scale: 1 },
      ];
      ring.animate(grow, { duration: 500, easing: 'ease-out' }).onfinish = () => ring.remove();
    },
    true,
  );
  window.showKeys = (text) => {
    keys.textContent = text;
    keys.animate([{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], { duration: 1_600 });
  };
}
