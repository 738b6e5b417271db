/**
 * A short text beside a control. Shown on hover, on keyboard focus, and when a disabled control is pressed; hidden by
 * Escape. It is in the browser's top layer, positioned by CSS anchors, so that no scrolling pane cuts it off. If a
 * browser lacks these, the control's accessible name still contains all information.
 */
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

/** Milliseconds that a pointer must rest before the text appears. Keyboard focus shows it at once. */
const HOVER_DELAY = 450;

interface TooltipAnchorProps {
  readonly 'aria-describedby'?: string;
}

export interface TooltipProps {
  readonly text: string;
  /** Key names in the order in which they are pressed, such as `['Shift', 'H']`. */
  readonly shortcut?: readonly string[] | undefined;
  /** True: the text repeats the control's name, so a screen reader must not read it again. */
  readonly repeatsName?: boolean | undefined;
  readonly children: (anchor: TooltipAnchorProps) => ReactNode;
}

export function Tooltip({ text, shortcut, repeatsName = false, children }: TooltipProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const wrapper = useRef<HTMLSpanElement>(null);
  useTooltipTriggers(wrapper, setShown);
  return (
    <span ref={wrapper} className={styles['anchor']}>
      {children(repeatsName ? {} : { 'aria-describedby': id })}
      <TooltipText id={id} shown={shown} hidden={repeatsName}>
        {text}
        {shortcut?.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </TooltipText>
    </span>
  );
}

interface TooltipTextProps {
  readonly id: string;
  readonly shown: boolean;
  readonly hidden: boolean;
  readonly children: ReactNode;
}

function TooltipText({ id, shown, hidden, children }: TooltipTextProps) {
  const popover = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = popover.current;
    if (element?.showPopover === undefined) {
      return;
    }
    if (shown) {
      element.showPopover();
    } else {
      element.hidePopover();
    }
  }, [shown]);
  return (
    <span ref={popover} id={id} role="tooltip" popover="manual" aria-hidden={hidden} className={styles['tooltip']}>
      {children}
    </span>
  );
}

/** Listens on the wrapper, so that the control needs no handlers. */
function useTooltipTriggers(wrapper: RefObject<HTMLSpanElement | null>, setShown: (shown: boolean) => void) {
  useEffect(() => {
    const element = wrapper.current;
    if (element === null) {
      return;
    }
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setShown(false);
    };
    element.addEventListener(
      'pointerenter',
      (event) => {
        if (event.pointerType === 'mouse') {
          timer = setTimeout(() => setShown(true), HOVER_DELAY);
        }
      },
      { signal },
    );
    element.addEventListener('pointerleave', hide, { signal });
    element.addEventListener('pointerdown', hide, { signal });
    element.addEventListener('focusout', hide, { signal });
    element.addEventListener(
      'focusin',
      (event) => {
        if (event.target instanceof Element && event.target.matches(':focus-visible')) {
          setShown(true);
        }
      },
      { signal },
    );
    // A press on a disabled control shows the reason at once. A touch cannot hover.
    element.addEventListener(
      'click',
      (event) => {
        if (event.target instanceof Element && event.target.closest('[aria-disabled="true"]') !== null) {
          setShown(true);
        }
      },
      { signal },
    );
    document.addEventListener('keydown', (event) => event.key === 'Escape' && hide(), { signal });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [wrapper, setShown]);
}
