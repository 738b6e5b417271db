import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useState } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
  readonly icon?: ReactNode;
  /** Shows the spinner in the icon's place and takes no clicks, but keeps the focus. */
  readonly busy?: boolean | undefined;
  /** Makes it a toggle: on or off. */
  readonly pressed?: boolean | undefined;
}

/**
 * A button. With `aria-disabled` instead of `disabled` it takes no clicks either, but can be reached, so that a tooltip
 * can say why.
 *
 * A button that becomes `disabled` while it has the focus, mostly by its own press, keeps the focus: it is `aria-disabled` until the
 * focus leaves it. The browser would drop the focus of a disabled element.
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
      aria-disabled={held || rest['aria-disabled']}
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

/** Also keeps a busy submit button from sending its form. */
function swallow(event: MouseEvent) {
  event.preventDefault();
}
