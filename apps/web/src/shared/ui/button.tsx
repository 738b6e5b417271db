import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useState } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
  readonly icon?: ReactNode;
  /** True: shows the spinner in place of the icon and ignores clicks, says so to screen readers, but keeps the focus. */
  readonly busy?: boolean | undefined;
  /** Makes it a toggle button. True: on. */
  readonly pressed?: boolean | undefined;
}

/**
 * A button. With `aria-disabled` in place of `disabled` it ignores clicks but can be focused, so that a tooltip can
 * state the reason. A button that becomes `disabled` while focused, mostly by its own press, uses `aria-disabled`
 * until it loses the focus. The browser would drop the focus of a disabled element.
 */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  pressed,
  className,
  type = 'button',
  onClick,
  onFocus,
  onBlur,
  disabled = false,
  children,
  ...rest
}: ButtonProps) {
  const [focused, setFocused] = useState(false);
  const held = disabled && focused;
  const inert = busy || held || rest['aria-disabled'] === true || rest['aria-disabled'] === 'true';
  const square = children === undefined || children === null;
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !focused}
      aria-disabled={held || busy || rest['aria-disabled']}
      className={classNames(buttonClass({ variant, size, square }), className)}
      aria-pressed={pressed ?? rest['aria-pressed']}
      aria-busy={busy || undefined}
      onClick={inert ? swallow : onClick}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** Also prevents a busy submit button from submitting its form. */
function swallow(event: MouseEvent) {
  event.preventDefault();
}
