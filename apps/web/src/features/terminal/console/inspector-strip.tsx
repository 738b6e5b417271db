import { X } from 'lucide-react';
import { hexNumber } from '../../../shared/format/hex.ts';
import { count } from '../../../shared/format/numbers.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { InspectedBytes } from '../../../workbench/console/inspected-bytes.ts';
import styles from './inspector-strip.module.css';
import type { LogName } from './log-lines.ts';
import type { ConsoleLogs } from './use-console-logs.ts';

export interface InspectorStripProps {
  readonly logs: ConsoleLogs;
  readonly name: LogName;
}

/** Rows of the inspector: selected bytes read as text and as numbers. */

/** Shown if too few bytes are selected. */
const nothing = '–';
/** Longest text shown, in characters. */
const longestText = 16;

/** Returns label and value of each row, in display order. Numbers start at the first selected byte. */
export function inspectorValues({
  offset,
  bytes,
}: InspectedBytes): readonly (readonly [label: string, value: string])[] {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  const read = (length: number, value: () => string) => (bytes.length < length ? nothing : value());
  const whole = (length: number, value: () => number) => read(length, () => signed(value()));
  return [
    ['Selection', `${count(bytes.length)} B at ${hexNumber(offset, 4)}`],
    ['ASCII', textOf(bytes)],
    ['u8', whole(1, () => view.getUint8(0))],
    ['i8', whole(1, () => view.getInt8(0))],
    ['u16 LE', whole(2, () => view.getUint16(0, true))],
    ['u16 BE', whole(2, () => view.getUint16(0))],
    ['u32 LE', whole(4, () => view.getUint32(0, true))],
    ['u32 BE', whole(4, () => view.getUint32(0))],
    ['f32 LE', read(4, () => String(Number(view.getFloat32(0, true).toPrecision(6))))],
    ['Bits', read(1, () => bitsOf(view.getUint8(0)))],
  ];
}

const signed = (value: number) => (value < 0 ? `−${count(-value)}` : count(value));

function textOf(bytes: readonly number[]): string {
  const shown = bytes
    .slice(0, longestText)
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'));
  return shown.join('') + (bytes.length > longestText ? '…' : '');
}

/** Formats a byte as `0011 0000`. */
function bitsOf(byte: number): string {
  const bits = byte.toString(2).padStart(8, '0');
  return `${bits.slice(0, 4)} ${bits.slice(4)}`;
}

/** Shows the bytes selected in the hex display as text and as numbers. */
export function InspectorStrip({ logs, name }: InspectorStripProps) {
  const inspected = logs.inspected(name);
  if (inspected === null) {
    return null;
  }
  const close = () => {
    document.getSelection()?.removeAllRanges();
    logs.clearSelected(name);
  };
  return (
    <section className={styles['strip']} aria-label="Inspector">
      {/* Focusable, so that the keyboard can scroll it. */}
      <dl className={styles['values']} tabIndex={0}>
        {inspectorValues(inspected).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <IconButton label="Close the inspector" variant="quiet" size="sm" icon={<X />} onClick={close} />
    </section>
  );
}
