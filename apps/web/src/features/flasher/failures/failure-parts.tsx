/** Parts that the components of failures share: the state of the board, and the buttons. */
import { boardStateText } from '@wirebench/flasher/core';
import { Plug, RotateCcw, Usb, X, Zap } from 'lucide-react';
import { hasWebUsb, serialSupport } from '../../../hardware/serial-support.ts';
import type { ConnectTry } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { MainWayButton } from '../../../workbench/failure-card.tsx';
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
  /** True: the button waits, such as for a board that is unplugged. */
  readonly blocked?: boolean;
}

export function TryAgain({ words, attempt, secondary = false, blocked = false, ...props }: TryAgainProps) {
  const label = words ?? (props.failure.interrupted ? 'Write the rest' : 'Try again');
  const icon = props.failure.interrupted ? <Zap /> : <RotateCcw />;
  const press = () => tryAgain(props, attempt);
  return secondary ? (
    <Button icon={icon} onClick={press}>
      {label}
    </Button>
  ) : (
    <MainWayButton icon={icon} blocked={blocked} onPress={press}>
      {label}
    </MainWayButton>
  );
}

interface AnotherPortProps extends Pick<FailureProps, 'port'> {
  /** True: no other button helps as well. */
  readonly main?: boolean;
}

/** Opens the dialog that the board was picked in: the browser has one for serial ports and one for USB devices. */
export function AnotherPort({ port, main = false }: AnotherPortProps) {
  const usb = useFlash((flash) => flash.usb);
  const { usbDevices } = pageFamily();
  const byUsb = usb && usbDevices !== undefined;
  if (!(byUsb ? hasWebUsb() : serialSupport() === 'ready')) {
    return null;
  }
  const label = byUsb ? 'Choose another device' : 'Choose another port';
  const icon = byUsb ? <Usb /> : <Plug />;
  const press = () => void (byUsb ? connectPickedUsb(port, usbDevices) : connectPicked(port));
  return main ? (
    <MainWayButton icon={icon} onPress={press}>
      {label}
    </MainWayButton>
  ) : (
    <Button icon={icon} onClick={press}>
      {label}
    </Button>
  );
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
