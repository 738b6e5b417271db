import { ChevronDown, Eye } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import styles from './toolbar.module.css';
import { ViewOptions } from './view-options.tsx';

/** Opens the display options. They stay open while they are tried. */
export function ViewButton() {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={anchor}
        size="sm"
        variant="quiet"
        icon={<Eye />}
        aria-label="View"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles['word']}>View</span>
        <ChevronDown className={styles['word']} />
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="bottom" title="View">
        <ViewOptions />
      </Popover>
    </>
  );
}
