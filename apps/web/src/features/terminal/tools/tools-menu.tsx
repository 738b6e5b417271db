/** The button of the list of tools. The list is loaded when it is opened. */
import { ChevronDown, Wrench } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import styles from '../console/toolbar.module.css';
import { toolsMenuId } from './dock-ids.ts';

const loadList = () => import('./tools-list.tsx');

export function ToolsMenu() {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const loaded = useLoaded(open, loadList, () => setOpen(false));
  return (
    <>
      <Button
        ref={anchor}
        id={toolsMenuId}
        size="sm"
        variant="quiet"
        icon={<Wrench />}
        aria-label="Tools"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setOpen(true);
          } else if (event.key === 'Escape' && loaded === null) {
            // Its code is still on the way.
            setOpen(false);
          }
        }}
      >
        <span className={styles['word']}>Tools</span>
        <ChevronDown className={styles['word']} />
      </Button>
      {loaded === null ? null : <loaded.ToolsList open={open} onOpenChange={setOpen} anchor={anchor} />}
    </>
  );
}
