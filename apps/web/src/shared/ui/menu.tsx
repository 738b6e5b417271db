import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import type { MenuContent } from './menu-popup.tsx';
import { useLoaded } from './use-loaded.ts';

export type { MenuAction } from './menu-popup.tsx';

/** Props for the button that opens the menu. */
interface MenuTriggerProps {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface MenuProps extends MenuContent {
  readonly trigger: (props: MenuTriggerProps) => ReactNode;
}

const loadPopup = () => import('./menu-popup.tsx');

/** A button that opens a list of actions. Arrow keys move, Enter chooses, and Escape closes and returns the focus. */
export function Menu({ trigger, items, header, align = 'start' }: MenuProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const loaded = useLoaded(open, loadPopup, () => setOpen(false));
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
        onKeyDown: (event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setOpen(true);
          } else if (event.key === 'Escape' && loaded === null) {
            // Its code is still on the way.
            setOpen(false);
          }
        },
      })}
      {loaded === null ? null : (
        <loaded.MenuPopup
          open={open}
          onOpenChange={setOpen}
          anchor={anchor}
          items={items}
          header={header}
          align={align}
        />
      )}
    </>
  );
}
