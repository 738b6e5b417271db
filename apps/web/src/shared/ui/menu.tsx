import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useLoaded } from './use-loaded.ts';

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly disabled?: boolean | undefined;
  /** Makes it a switch that is on or off. */
  readonly checked?: boolean | undefined;
  /** Keys joined by `+`, such as `Shift+H`. */
  readonly shortcut?: string | undefined;
  /** Stays open when chosen, so that its label can say what runs. */
  readonly keepsOpen?: boolean | undefined;
  /** Puts the focus somewhere itself, into a field that it opens: it does not go back to the button then. */
  readonly movesFocus?: boolean | undefined;
}

/** Spread these on the button that opens the menu. */
interface MenuTriggerProps {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface MenuProps {
  readonly trigger: (props: MenuTriggerProps) => ReactNode;
  /** Actions in order; `'separator'` draws a line. */
  readonly items: readonly (MenuAction | 'separator')[];
  /** Stands above the actions and is no action itself. */
  readonly header?: ReactNode;
  readonly align?: 'start' | 'center' | 'end' | undefined;
}

const loadPopup = () => import('./menu-popup.tsx');

/** A button that opens a list of actions: arrow keys move, Enter chooses, Escape closes and gives the focus back. */
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
