/** Bytes of a partition in rows, with buttons that read or erase a part of it. */
import { sectorSize } from '@wirebench/flasher/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { addressText, hexDigits } from '../../../../../../shared/format/hex.ts';
import { count } from '../../../../../../shared/format/numbers.ts';
import { media } from '../../../../../../shared/styles/media.ts';
import { useMediaQuery } from '../../../../../../shared/ui/use-media-query.ts';
import { RangeForm } from '../../../../board/range-form.tsx';
import { useFlash } from '../../../../store/flasher-store.ts';
import type { PartitionViewProps } from '../partition-view.ts';
import { planErase } from '../whole-changes.ts';
import styles from './raw-view.module.css';

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 20;
/** Rows that are painted above and below the view. */
const MARGIN = 10;
const PADDING = 8;

interface HexRowsProps {
  readonly bytes: Uint8Array;
  /** Address of the first byte. */
  readonly start: number;
  readonly label: string;
}

/** Bytes as hexadecimal rows with their characters. Only the rows in view exist, because flash has up to 16 MB. */
function HexRows({ bytes, start, label }: HexRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 420 });
  const width = useMediaQuery(media.phone) ? 8 : 16;
  useEffect(() => {
    const { current } = box;
    if (current !== null) {
      setView({ top: current.scrollTop, height: current.clientHeight });
    }
  }, []);
  const rows = Math.ceil(bytes.length / width);
  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(rows, Math.ceil((view.top + view.height) / ROW_HEIGHT) + MARGIN);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <section
      ref={box}
      className={`ring-inside ${styles['rows']}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the rows.
      tabIndex={0}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <div style={{ height: rows * ROW_HEIGHT + 2 * PADDING }}>
        {shown.map((row) => (
          <div key={row} className={styles['row']} style={{ top: row * ROW_HEIGHT + PADDING }}>
            <HexRow bytes={bytes.subarray(row * width, (row + 1) * width)} at={start + row * width} width={width} />
          </div>
        ))}
      </div>
    </section>
  );
}

function HexRow({ bytes, at, width }: { readonly bytes: Uint8Array; readonly at: number; readonly width: number }) {
  const isEmpty = bytes.every((byte) => byte === 0xff);
  const digits = Array.from(bytes, (byte, index) => `${index === 8 ? ' ' : ''}${hexDigits(byte)}`).join(' ');
  const text = Array.from(bytes, (byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
  const room = width * 3 - 1 + (width > 8 ? 1 : 0);
  return (
    <>
      <span className={styles['address']}>{addressText(at).padEnd(10)}</span>
      <span className={isEmpty ? styles['empty'] : undefined}>
        {digits.padEnd(room + 2)}
        {text}
      </span>
    </>
  );
}

export function RawView({ port, partition, contents, locked }: PartitionViewProps<never>) {
  const canErase = useFlash(({ board }) => board?.family === 'esp' && board.canErase);
  const used = useMemo(() => contents.reduce((sum, byte) => sum + (byte === 0xff ? 0 : 1), 0), [contents]);
  const { name, offset, size } = partition;
  return (
    <>
      <div className={styles['bar']}>
        <RangeForm
          port={port}
          locked={locked}
          limits={{ start: offset, size, multipleOf: sectorSize }}
          onErase={canErase ? ({ name: at, range }) => range !== null && planErase(port, `${name} ${at}`, range) : null}
        />
        <span className={styles['used']}>Bytes that are not FF: {count(used)}</span>
      </div>
      <HexRows bytes={contents} start={offset} label={`Bytes of ${name}`} />
    </>
  );
}
