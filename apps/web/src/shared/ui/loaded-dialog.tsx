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

const nothing = () => undefined;

/**
 * Returns a part of a page whose code is fetched when `useWanted` first returns true. It is kept from then on. A toast says
 * that a fetch has failed.
 *
 * @param useWanted Hook.
 */
export function loadedPlace<Props extends object>(
  useWanted: () => boolean,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LoadedPlace(props: Props) {
    const Part = useLoaded(useWanted(), load, nothing);
    return Part === null ? null : <Part {...props} />;
  };
}
