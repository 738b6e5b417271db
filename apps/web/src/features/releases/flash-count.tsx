import type { Version } from '@wirebench/contract';
import { useState } from 'react';
import styles from './flash-count.module.css';
import { FlashesDialog } from './flashes-dialog.tsx';
import { countText } from './model/count-text.ts';

/** How often a version was flashed; pressed, on which chips, and what failed. */
export function FlashCount({ version }: { readonly version: Version }) {
  const [open, setOpen] = useState(false);
  const { writeCount, version: number } = version;
  return (
    <>
      <button type="button" className={styles['count']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <b className="num">{countText(writeCount)}</b> <span>{writeCount === 1 ? 'flash' : 'flashes'}</span>{' '}
        <span className="visually-hidden">of version {number}: show by chip</span>
      </button>
      <FlashesDialog version={version} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
