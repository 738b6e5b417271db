/**
 * Acts on an opened frame in the log: selects its bytes by a drag or by a press on the box of a field, copies them, and plots the
 * values of a field. Loaded with the first opened frame.
 */
import type { PortNumber } from '@wirebench/serial';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { columnAt } from './column-at.ts';

/** Bytes of a frame as it came, up to `to` without. */
interface SelectedBytes {
  readonly from: number;
  readonly to: number;
}

/** An opened frame, and the bytes that are selected in it; null: none. */
export interface DescribedFrame {
  readonly port: PortNumber;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly selected: SelectedBytes | null;
}

/** Box of a field, with the offset of its first byte. */
const boxOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-from]') : null;

/** Returns the byte under a pointer; null: there is none. */
function byteAt({ clientX, clientY }: MouseEvent): number | null {
  const box = boxOf(document.elementFromPoint(clientX, clientY));
  const digits = box?.querySelector('b');
  // A byte is two digits and a space.
  return box === null || digits == null
    ? null
    : Number(box.dataset['from']) + Math.floor(columnAt(digits, digits.textContent ?? '', clientX, clientY).at / 3);
}

function bytesOfBox(box: HTMLElement | null): SelectedBytes | null {
  const from = Number(box?.dataset['from']);
  const digits = box?.querySelector('b')?.textContent ?? '';
  return box === null ? null : { from, to: from + (digits.length + 1) / 3 };
}

/** Marks the boxes that have selected bytes. */
function markBoxes(boxes: Element, selected: SelectedBytes | null): void {
  for (const box of boxes.querySelectorAll<HTMLElement>('[data-from]')) {
    const own = bytesOfBox(box);
    const isMarked = own !== null && selected !== null && own.from < selected.to && own.to > selected.from;
    box.toggleAttribute('data-marked', isMarked);
  }
}

/** A curve of a field. */
export interface AskedCurve {
  readonly port: PortNumber;
  /** Name of the series. */
  readonly name: string;
}

export interface ByteSelectingParts {
  readonly scroller: HTMLElement;
  readonly rowOf: (element: Element) => PaintedRow | undefined;
  /** Called with a frame whose bytes are to be named. */
  readonly onDescribe: (frame: DescribedFrame) => void;
  /** Called with a curve that is to be shown. */
  readonly onPlot: (curve: AskedCurve) => void;
  readonly signal: AbortSignal;
}

export function addByteSelecting({ scroller, rowOf, onDescribe, onPlot, signal }: ByteSelectingParts): void {
  let drag: { readonly boxes: Element; readonly row: PaintedRow; readonly from: number; to: number } | null = null;
  /** True: the next click ends a drag. */
  let wasDragged = false;
  const range = ({ from, to }: SelectedBytes) => ({ from: Math.min(from, to), to: Math.max(from, to) + 1 });
  const digitsOf = ({ frame }: PaintedRow) => frame?.detail?.boxes.map(({ bytes }) => bytes).join(' ');
  const describe = (row: PaintedRow, selected: SelectedBytes | null) => {
    const { port, at } = row;
    const digits = digitsOf(row);
    if (port !== null && digits !== undefined) {
      onDescribe({
        port,
        at,
        bytes: Uint8Array.from(digits.split(' '), (pair) => Number.parseInt(pair, 16)),
        selected,
      });
    }
  };
  scroller.addEventListener(
    'mousedown',
    (event) => {
      const boxes = event.target instanceof Element ? event.target.closest('[data-frame-bytes]') : null;
      wasDragged = false;
      if (boxes !== null && event.button === 0) {
        // The log would select rows.
        event.preventDefault();
        event.stopPropagation();
        const row = rowOf(boxes);
        const byte = byteAt(event);
        drag = row === undefined || byte === null ? null : { boxes, row, from: byte, to: byte };
      }
    },
    { signal, capture: true },
  );
  window.addEventListener(
    'mousemove',
    (event) => {
      const byte = drag === null ? null : byteAt(event);
      if (drag !== null && byte !== null && byte !== drag.to) {
        drag.to = byte;
        wasDragged = true;
        markBoxes(drag.boxes, range(drag));
      }
    },
    { signal },
  );
  window.addEventListener(
    'mouseup',
    () => {
      if (drag !== null && wasDragged) {
        markBoxes(drag.boxes, null);
        describe(drag.row, range(drag));
      }
      drag = null;
    },
    { signal },
  );
  scroller.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) {
        return;
      }
      const asked = target.closest<HTMLElement>('[data-copy-frame], [data-plot-field]');
      const askedRow = asked === null ? undefined : rowOf(asked);
      if (asked !== null && askedRow !== undefined) {
        const { plotField } = asked.dataset;
        if (plotField === undefined) {
          void copyText(digitsOf(askedRow) ?? '', 'Bytes of the frame copied');
        } else if (askedRow.port !== null) {
          onPlot({ port: askedRow.port, name: plotField });
        }
        return;
      }
      const button = target.closest('[data-describe-frame]');
      const box = wasDragged ? null : boxOf(target);
      const pressed = button ?? box;
      const row = pressed === null ? undefined : rowOf(pressed);
      if (row !== undefined) {
        describe(row, bytesOfBox(box));
      }
    },
    { signal },
  );
}
