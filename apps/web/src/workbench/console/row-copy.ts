/** Button that copies a row. Each log has one, shown in place of the direction mark of the row under the pointer. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import styles from './row-copy.module.css';

export interface RowCopyOptions {
  readonly scroller: HTMLElement;
  readonly icon: Element;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  readonly onCopy: (text: string) => void;
  readonly signal: AbortSignal;
}

export function addRowCopy({ scroller, icon, rowOf, onCopy, signal }: RowCopyOptions): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.tabIndex = -1;
  button.className = styles['copy'] ?? '';
  button.setAttribute('aria-label', 'Copy line');
  button.append(icon.cloneNode(true));
  scroller.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      const row =
        pointerType === 'mouse' && target instanceof Element
          ? target.closest('[data-direction]:not([data-dump])')
          : null;
      if (row !== null && button.parentElement !== row) {
        row.append(button);
      }
    },
    { signal },
  );
  scroller.addEventListener('pointerleave', () => button.remove(), { signal });
  // Text at pointerdown. At the click, the row may show another line.
  let text = '';
  button.addEventListener('pointerdown', () => {
    text = rowOf(button)?.text ?? '';
  });
  button.addEventListener('click', () => onCopy(text));
}
