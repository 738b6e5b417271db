import type { ComponentType } from 'react';
import { useLoaded } from './use-loaded.ts';

interface DialogState {
  readonly open: boolean;
  readonly onClose: () => void;
}

/**
 * Returns a dialog whose code is fetched when it is opened first. If that fails, a toast says so and the dialog counts
 * as closed.
 */
export function loadedDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LoadedDialog(props: Props) {
    const Dialog = useLoaded(props.open, load, props.onClose);
    return Dialog === null ? null : <Dialog {...props} />;
  };
}
