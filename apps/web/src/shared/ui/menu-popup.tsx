/** The part of `Menu` that needs Base UI. Loaded when a menu first opens. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { useEscapeAt } from './escape-at.ts';
import { focusIsElsewhere, noteButton } from './focus-return.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export interface MenuAction {
  readonly label: string;
  /** Second line: the purpose of the action. */
  readonly detail?: string | undefined;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly disabled?: boolean | undefined;
  /** Makes the item a switch. True: on. */
  readonly checked?: boolean | undefined;
  /** Keys joined by `+`, such as `Shift+H`. */
  readonly shortcut?: string | undefined;
  /** True: the menu stays open after the choice, so that the item's label can show the progress. */
  readonly keepsOpen?: boolean | undefined;
  /**
   * True: the action moves the focus into a field of the page, so it does not return to the button. Not for dialogs.
   */
  readonly movesFocus?: boolean | undefined;
}

export interface MenuContent {
  /** Actions in order; `'separator'` draws a line. */
  readonly items: readonly (MenuAction | 'separator')[];
  /** Content above the actions. */
  readonly header?: ReactNode;
  readonly align?: 'start' | 'center' | 'end' | undefined;
}

export interface MenuPopupProps extends MenuContent {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly anchor: RefObject<HTMLButtonElement | null>;
}

interface MenuShellProps extends Omit<MenuPopupProps, 'items' | 'header'> {
  /** Classes of the popup and of its place. Without: those of a list of actions. */
  readonly className?: string | undefined;
  readonly placeClassName?: string | undefined;
  readonly label?: string | undefined;
  /** Returns true if the chosen action moves the focus, so that it does not return to the button. */
  readonly focusMoves: RefObject<boolean>;
  readonly children: ReactNode;
}

/** The popup of a menu: its place at the button, its keys, and the focus when it closes. */
export function MenuShell({
  open,
  onOpenChange,
  anchor,
  align,
  className,
  placeClassName,
  label,
  focusMoves,
  children,
}: MenuShellProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) {
      return;
    }
    // The guards exist after the popup has been rendered.
    const frame = requestAnimationFrame(() => passGuards(popup.current, anchor.current));
    return () => cancelAnimationFrame(frame);
  }, [open, anchor]);
  useEscapeAt(
    () => anchor.current,
    open,
    () => onOpenChange(false),
  );
  return (
    <CSPProvider disableStyleElements>
      <Menu.Root
        open={open}
        modal={false}
        onOpenChange={(next, { reason, event }) => {
          // Ignores a press on the menu's own button. The button's click closes the menu, and would reopen it if it
          // were closed already.
          const onAnchor = event.target instanceof Node && anchor.current?.contains(event.target) === true;
          if (!(reason === 'outside-press' && onAnchor)) {
            focusMoves.current &&= !next;
            onOpenChange(next);
          }
        }}
      >
        {/* In the landmark of its button, because all content must be inside a landmark. */}
        <Menu.Portal
          container={anchor.current?.closest<HTMLElement>('main, header') ?? document.body}
          className={styles['portal']}
        >
          <Menu.Positioner
            anchor={anchor}
            align={align}
            sideOffset={6}
            className={classNames(styles['positioner'], placeClassName)}
          >
            <Menu.Popup
              ref={(element) => {
                popup.current = element;
                if (element !== null && anchor.current !== null) {
                  noteButton(element, anchor.current);
                }
              }}
              aria-label={label}
              className={className ?? styles['menu']}
              finalFocus={() => (focusMoves.current || focusIsElsewhere(popup.current) ? false : anchor.current)}
              onKeyDown={(event) => {
                if (event.key === 'Tab') {
                  event.preventDefault();
                  onOpenChange(false);
                }
              }}
            >
              {children}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </CSPProvider>
  );
}

export function MenuPopup({ items, header, ...shell }: MenuPopupProps) {
  const focusMoves = useRef(false);
  return (
    <MenuShell {...shell} focusMoves={focusMoves}>
      {header === undefined ? null : <div className={styles['header']}>{header}</div>}
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else that tells them apart.
          <Menu.Separator key={`separator-${index}`} className={styles['separator']} />
        ) : (
          <Fragment key={item.label}>
            <Action
              action={item}
              onChoose={() => {
                focusMoves.current = item.movesFocus ?? false;
              }}
            />
          </Fragment>
        ),
      )}
    </MenuShell>
  );
}

/**
 * Removes Base UI's focus guards from the tab order. They are at both ends of the popup and beside the button. Tab
 * closes this menu, so the hidden guards would only be extra stops.
 */
function passGuards(popup: HTMLElement | null, anchor: HTMLElement | null): void {
  const guards = '[data-base-ui-focus-guard]';
  const places = [popup?.closest('[data-base-ui-portal]'), anchor?.parentElement, anchor?.parentElement?.parentElement];
  for (const guard of places.flatMap((place) => [...(place?.querySelectorAll<HTMLElement>(guards) ?? [])])) {
    guard.tabIndex = -1;
  }
}

interface ActionProps {
  readonly action: MenuAction;
  readonly onChoose: () => void;
}

function Action({ action, onChoose }: ActionProps) {
  const { label, detail, icon, onSelect, disabled = false, checked, shortcut, keepsOpen = false } = action;
  const choose = () => {
    onChoose();
    onSelect();
  };
  const content: ReactNode = (
    <>
      {icon}
      <span className={styles['label']}>
        {label}
        {detail === undefined ? null : <small className={styles['detail']}> {detail}</small>}
      </span>
      {shortcut?.split('+').map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </>
  );
  if (checked === undefined) {
    return (
      <Menu.Item className={styles['item']} disabled={disabled} closeOnClick={!keepsOpen} onClick={choose}>
        {content}
      </Menu.Item>
    );
  }
  return (
    <Menu.CheckboxItem
      className={styles['item']}
      disabled={disabled}
      closeOnClick={!keepsOpen}
      checked={checked}
      onCheckedChange={choose}
    >
      <span className={styles['check']}>{checked ? <Check /> : null}</span>
      {content}
    </Menu.CheckboxItem>
  );
}
