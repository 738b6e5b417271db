/** The remedies for failures of an opening, one component for each code. Loaded with the first failure. */
import { describePortSettings } from '@wirebench/port';
import { operatingSystem, phoneKind } from '@wirebench/port/browser-support';
import { heldByPhone } from '@wirebench/port/missing-board';
import type { PortNumber } from '@wirebench/serial';
import type { ComponentType } from 'react';
import { useDismissedList } from '../../../hardware/dismissed-list.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import {
  type ConnectFailure,
  type ConnectFailureCode,
  setConnectFailure,
} from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import { MissingBoard } from '../../../workbench/port-picker/missing-board.tsx';
import { LinuxAllowance, SerialPrograms } from '../../../workbench/remedies/port-holders.tsx';
import { type Asking, useAsking, useHolders } from '../../../workbench/remedies/use-holders.ts';
import { changeSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { FailureStrip, type FailureStripProps } from './failure-strip.tsx';
import { getTabPorts } from './terminal-tab-ports.ts';

interface PortFailureProps {
  readonly port: PortNumber;
  readonly failure: ConnectFailure;
}

/** Remedy: another Wirebench tab, which can be asked, or another program holds the board. */
export function PortBusy({ port, failure }: PortFailureProps) {
  const name = useTerminalSettings((settings) => portName(settings, port));
  const holders = useHolders(getTabPorts, failure.source?.kind === 'serial' ? failure.source.place.info : null);
  const again = () => {
    if (failure.source !== null) {
      void connectSource(port, failure.source, failure.settings);
    }
  };
  const dismiss = () => setConnectFailure(port, null);
  const asking = useAsking(getTabPorts, holders?.[0], again);
  if (asking !== null) {
    return <HeldByTab port={port} asking={asking} onDismiss={dismiss} />;
  }
  return (
    <FailureStrip
      port={port}
      topic="port-access-denied"
      title={
        holders === null
          ? `The board on ${name} could not be opened. Asking the other tabs…`
          : `The board on ${name} could not be opened. No other Wirebench tab is using it.`
      }
      actions={
        <Button size="sm" onClick={again}>
          Try again
        </Button>
      }
      onDismiss={dismiss}
    >
      {phoneKind() === null ? (
        <p>
          Another program may be using it. Close that program, then try again. Common ones: <SerialPrograms />.
        </p>
      ) : (
        <p>
          {heldByPhone.title}. {heldByPhone.text}
        </p>
      )}
      {operatingSystem() === 'linux' ? (
        <p>
          Your account may also lack access to serial ports. <LinuxAllowance />
        </p>
      ) : null}
    </FailureStrip>
  );
}

interface HeldByTabProps {
  readonly port: PortNumber;
  readonly asking: Asking;
  readonly onDismiss: () => void;
}

function HeldByTab({ port, asking, onDismiss }: HeldByTabProps) {
  const { title, text, busy, ask } = asking;
  return (
    <FailureStrip
      port={port}
      title={`${title}.`}
      actions={
        <Button size="sm" busy={busy} onClick={() => void ask()}>
          Ask the other tab to release it
        </Button>
      }
      onDismiss={onDismiss}
    >
      <p role="status">{text}</p>
    </FailureStrip>
  );
}

/** Remedy: the browser's dialog was closed without a choice, often because the board was not listed. */
export function NothingPicked({ port, failure }: PortFailureProps) {
  const list = useDismissedList() ?? 'serial';
  return (
    <MissingBoard
      list={list}
      docked
      again={(wanted) => void connectPicked(port, failure.settings, wanted)}
      onDismiss={() => setConnectFailure(port, null)}
    />
  );
}

/** Remedy: the USB bridge, its driver or the browser does not support the port's settings. */
function BadSettings({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      title={`This port does not support ${describePortSettings(failure.settings)}.`}
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Try a rate from the list first, with 8 data bits, 1 stop bit, no parity and no flow control: every USB bridge
        supports that. Many go no higher than 921600 or 2000000 baud.
      </p>
    </FailureStrip>
  );
}

interface PickAgainProps extends PortFailureProps, Pick<FailureStripProps, 'level' | 'topic' | 'title' | 'children'> {
  /** Label of the button. */
  readonly label: string;
}

/** A remedy that ends with the browser's list of ports. */
function PickAgain({ port, failure, label, ...strip }: PickAgainProps) {
  return (
    <FailureStrip
      {...strip}
      port={port}
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          {label}
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    />
  );
}

/** Remedy: the board is unplugged, or appears as another USB device now. */
export function DeviceGone(props: PortFailureProps) {
  return (
    <PickAgain {...props} topic="device-not-found" title="The board is gone." label="Pick the board again">
      <p>
        Plug it in and pick it again. The browser sees a different device each time a board switches between its program
        and its bootloader, and forgets a USB bridge without a serial number when it is unplugged.
      </p>
    </PickAgain>
  );
}

/** Remedy: the board is already open on another port of this page. */
function OpenHere(props: PortFailureProps) {
  return (
    <PickAgain
      {...props}
      level="warning"
      title="This board is already open on another port of this page."
      label="Pick another board"
    >
      <p>
        Pick another board for port {props.port}, or disconnect the other port first. Identical boards have the same
        name in the list.
      </p>
    </PickAgain>
  );
}

/** Remedy: the browser denied access, by a site setting or by a policy of its administrator. */
export function PermissionDenied(props: PortFailureProps) {
  return (
    <PickAgain
      {...props}
      topic="permission-denied"
      title="This browser does not let the page open serial ports."
      label="Try again"
    >
      <p>
        Open the site settings from the icon left of the address and set Serial ports to Ask. In a browser managed by an
        organisation, only its administrators may be able to allow it.
      </p>
    </PickAgain>
  );
}

/** Remedy: the receive buffer could not be allocated. */
export function NoMemory({ port }: PortFailureProps) {
  const size = useTerminalSettings(({ bufferSize }) => bufferSize);
  const [smallest] = bufferSizes;
  const dismiss = () => setConnectFailure(port, null);
  return (
    <FailureStrip
      port={port}
      topic="memory-errors"
      title={`Not enough memory for a buffer of ${memoryText(size << 20)}.`}
      actions={
        size === smallest ? null : (
          <Button
            size="sm"
            onClick={() => {
              changeSettings({ bufferSize: smallest });
              dismiss();
            }}
          >
            Use {memoryText(smallest << 20)}
          </Button>
        )
      }
      onDismiss={dismiss}
    >
      <p>
        Close other tabs and programs, or use a smaller buffer, then connect again. A recording keeps what the buffer
        drops.
      </p>
    </FailureStrip>
  );
}

export const remedies = {
  busy: PortBusy,
  'permission-denied': PermissionDenied,
  'device-gone': DeviceGone,
  'bad-settings': BadSettings,
  'no-memory': NoMemory,
  'open-here': OpenHere,
  'nothing-picked': NothingPicked,
} satisfies Record<ConnectFailureCode, ComponentType<PortFailureProps>>;
