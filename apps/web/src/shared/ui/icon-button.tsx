import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label'> {
  /** Accessible name and text of the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Keys joined by `+`, such as `Shift+H`. Shown in the tooltip. */
  readonly shortcut?: string | undefined;
}

/** A button with an icon only. Its name is in a tooltip. */
export function IconButton({ label, shortcut, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut?.split('+')} repeatsName>
      {() => <Button {...rest} aria-label={label} aria-keyshortcuts={shortcut} />}
    </Tooltip>
  );
}
