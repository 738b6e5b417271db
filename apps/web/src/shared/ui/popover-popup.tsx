/** The part of `Popover` that needs Base UI. Loaded when a popover first opens. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover } from '@base-ui/react/popover';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { useEscapeAt } from './escape-at.ts';
import { focusIsElsewhere } from './focus-return.ts';
import styles from './popover.module.css';

export interface PopoverProps {
  readonly open: boolean;
  /** Called by Escape, by a press outside and by the close button. */
  readonly onClose: () => void;
  /** The button that opens it. It receives the focus on closing, unless another element on the page has taken it. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** True: placed beside the section of the button, which stays readable. False: beside the button itself. */
  readonly besideSection?: boolean;
  /** Preferred side, if there is room. */
  readonly side?: 'left' | 'right' | 'bottom' | 'top';
  /** True: 320 px wide. */
  readonly isNarrow?: boolean;
  readonly title: ReactNode;
  /** Subject of the popover, shown beside the title. */
  readonly subtitle?: ReactNode;
  readonly children: ReactNode;
}

/** Distance to the edges of the window, in px. Keeps header, send bar and status line visible. */
const margins = { top: 56, right: 8, bottom: 120, left: 8 };

export function PopoverPopup({
  open,
  onClose,
  anchor,
  besideSection = false,
  side = 'left',
  isNarrow = false,
  title,
  subtitle,
  children,
}: PopoverProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEscapeAt(() => anchor.current, open, onClose);
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root
        open={open}
        modal={false}
        onOpenChange={(next, { reason, event }) => {
          // Ignores a press on the popover's own button, and the focus change that comes with it. The button's click
          // closes the popover, and would reopen it if it were closed already.
          const at = reason === 'focus-out' && 'relatedTarget' in event ? event.relatedTarget : event.target;
          const onAnchor = at instanceof Node && anchor.current?.contains(at) === true;
          if (!(next || ((reason === 'outside-press' || reason === 'focus-out') && onAnchor))) {
            onClose();
          }
        }}
      >
        <Popover.Portal>
          <Popover.Backdrop className={styles['scrim']} />
          <Popover.Positioner
            anchor={() => (besideSection ? anchor.current?.closest('section') : null) ?? anchor.current}
            side={side}
            align={side === 'bottom' || side === 'top' ? 'end' : 'start'}
            sideOffset={10}
            collisionPadding={margins}
            className={styles['positioner']}
          >
            <Popover.Popup
              ref={popup}
              className={classNames(styles['popover'], isNarrow && styles['small'])}
              finalFocus={() => (focusIsElsewhere(popup.current) ? false : anchor.current)}
            >
              <div className={`row ${styles['head']}`}>
                <Popover.Title className={styles['title']}>{title}</Popover.Title>
                {subtitle === undefined ? null : <span className={`ellipsis ${styles['subtitle']}`}>{subtitle}</span>}
                <Popover.Close render={<Button variant="quiet" size="sm" aria-label="Close" icon={<X />} />} />
              </div>
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  );
}
