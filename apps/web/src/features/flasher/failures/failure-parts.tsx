/** Parts that the components of failures share: the state of the board, and the buttons. */
import { boardStateText } from '@wirebench/flasher/core';
import { Plug, RotateCcw, Usb, X } from 'lucide-react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { hasWebUsb } from '../../../hardware/web-usb.ts';
import type { ConnectTry } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { connectPicked, connectPickedUsb, disconnect } from '../store/flash-actions.ts';
import { pageFamily, useFlash } from '../store/flasher-store.ts';
import { type FailureProps, tryAgain } from './failure-props.ts';

/** Shows the state of the board, and the exact cause if it is known. */
export function BoardIsLeft({ failure }: Pick<FailureProps, 'failure'>) {
  return (
    <>
      <p>{boardStateText[failure.state]}</p>
      {failure.detail === null ? null : (
        <p>
          <code>{failure.detail}</code>
        </p>
      )}
    </>
  );
}

/**
 * Returns the family's title and remedy for a failure. For an unknown failure the title is its message, and the
 * remedy is null.
 */
export function wordsOf({ code, message }: FailureProps['failure']): { title: string; remedy: string | null } {
  const text = code === null ? undefined : pageFamily().failures[code];
  return { title: (text?.what ?? message).replace(/\.$/, ''), remedy: text?.remedy ?? null };
}

export interface TryAgainProps extends Pick<FailureProps, 'port' | 'failure'> {
  /** Label of the button. Missing: `Write the rest` for an interrupted write, else `Try again`. */
  readonly words?: string;
  readonly attempt?: ConnectTry;
  /** True: another button is more likely to help. */
  readonly secondary?: boolean;
}

export function TryAgain({ words, attempt, secondary = false, ...props }: TryAgainProps) {
  return (
    <Button variant={secondary ? 'default' : 'primary'} icon={<RotateCcw />} onClick={() => tryAgain(props, attempt)}>
      {words ?? (props.failure.interrupted ? 'Write the rest' : 'Try again')}
    </Button>
  );
}

/** Opens the dialog that the board was picked in: the browser has one for serial ports and one for USB devices. */
export function AnotherPort({ port }: Pick<FailureProps, 'port'>) {
  const usb = useFlash((flash) => flash.usb);
  const { usbDevices } = pageFamily();
  if (usb && usbDevices !== undefined) {
    return hasWebUsb() ? (
      <Button icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
        Choose another device
      </Button>
    ) : null;
  }
  return serialSupport() === 'ready' ? (
    <Button icon={<Plug />} onClick={() => void connectPicked(port)}>
      Choose another port
    </Button>
  ) : null;
}

export function Dismiss({ port }: Pick<FailureProps, 'port'>) {
  return (
    <Button variant="quiet" icon={<X />} onClick={() => void disconnect(port)}>
      Dismiss
    </Button>
  );
}

/**
 * Buttons that most failures offer.
 * @property secondary See `TryAgain`.
 */
export function UsualActions({ secondary = false, ...props }: FailureProps & { readonly secondary?: boolean }) {
  return (
    <>
      <TryAgain {...props} secondary={secondary} />
      <AnotherPort port={props.port} />
      <Dismiss port={props.port} />
    </>
  );
}
