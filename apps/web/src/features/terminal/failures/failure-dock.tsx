/** Dock above the log with the remedies for all failures of the ports: one component for each failure code. */

import { type ReadyDecoder, readyDecoders } from '@wirebench/frames/ready-decoders';
import { describePortSettings } from '@wirebench/port';
import { type PortNumber, portNumbers, reconnectPeriod } from '@wirebench/serial';
import { Rows3 } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import {
  type ConnectFailureCode,
  setConnectFailure,
  useConnectFailure,
} from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked, connectSource } from '../../../workbench/port-picker/connect-port.ts';
import {
  askingPort,
  changeDecoder,
  changeSettings,
  portName,
  useTerminalSettings,
} from '../settings/settings-store.ts';
import { bufferSizes } from '../settings/terminal-settings.ts';
import { FailureStrip } from './failure-strip.tsx';
import { PortBusy, type PortFailureProps } from './port-busy.tsx';
import { answerPortRequest, getTabPorts, usePortRequest } from './terminal-tab-ports.ts';
import { WrongRate } from './wrong-rate.tsx';

const loadNothingPicked = async () => (await import('./nothing-picked.tsx')).NothingPicked;

/** Loads the longest remedy when it is needed. */
function NothingPicked(props: PortFailureProps) {
  const Remedy = useLoaded(true, loadNothingPicked, () => setConnectFailure(props.port, null));
  return Remedy && <Remedy {...props} />;
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

/** Remedy: the board is unplugged, or appears as another USB device now. */
export function DeviceGone({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      topic="device-not-found"
      title="The board is gone."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick the board again
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Plug it in and pick it again. The browser sees a different device each time a board switches between its program
        and its bootloader, and forgets a USB bridge without a serial number when it is unplugged.
      </p>
    </FailureStrip>
  );
}

/** Remedy: the board is already open on another port of this page. */
function OpenHere({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      level="warning"
      title="This board is already open on another port of this page."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick another board
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Pick another board for port {port}, or disconnect the other port first. Identical boards have the same name in
        the list.
      </p>
    </FailureStrip>
  );
}

/** Remedy: the browser denied access, by a site setting or by a policy of its administrator. */
export function PermissionDenied({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      topic="permission-denied"
      title="This browser does not let the page open serial ports."
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Try again
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <p>
        Open the site settings from the icon left of the address and set Serial ports to Ask. In a browser managed by an
        organisation, only its administrators may be able to allow it.
      </p>
    </FailureStrip>
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

const remedies = {
  busy: PortBusy,
  'permission-denied': PermissionDenied,
  'device-gone': DeviceGone,
  'bad-settings': BadSettings,
  'no-memory': NoMemory,
  'open-here': OpenHere,
  'nothing-picked': NothingPicked,
} satisfies Record<ConnectFailureCode, ComponentType<PortFailureProps>>;

export function FailureDock() {
  useEffect(() => {
    // Starts answering requests of other tabs.
    getTabPorts();
  }, []);
  return (
    <div>
      {portNumbers.map((port) => (
        <PortFailures key={port} port={port} />
      ))}
    </div>
  );
}

/** Question to the user: another tab requests a board that this tab records. */
function PortRequest({ port }: { readonly port: PortNumber }) {
  const open = usePortRequest(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  if (!open) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level="warning"
      title={`Another Wirebench tab wants the board on ${name}, which is being recorded here.`}
      actions={
        <>
          <Button size="sm" onClick={() => answerPortRequest(port, 'released')}>
            Release it
          </Button>
          <Button size="sm" onClick={() => answerPortRequest(port, 'kept')}>
            Keep it
          </Button>
        </>
      }
      onDismiss={() => answerPortRequest(port, 'kept')}
    >
      <p>If you release it, it disconnects here; what was recorded stays in its file.</p>
    </FailureStrip>
  );
}

/** Remedy: a board disconnected and did not return in time. It is not reconnected automatically any more. */
function NotBack({ port }: { readonly port: PortNumber }) {
  const { state, notBack, connectedAt } = useBenchStatus(({ status }) => status.ports[port]);
  const isDemo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const { settings } = useTerminalSettings(({ ports }) => ports[port]);
  const name = useTerminalSettings((all) => portName(all, port));
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  if (state !== 'disconnected' || !notBack || dismissedAt === connectedAt) {
    return null;
  }
  const again = async () => {
    if (isDemo) {
      await getBench().call('plugDemo', port, true);
    }
    await connectSource(port, { kind: 'same' }, settings);
  };
  return (
    <FailureStrip
      port={port}
      topic="brown-out-reset"
      level="warning"
      title={`The board on ${name} did not come back within ${reconnectPeriod / 1_000} s.`}
      actions={
        <>
          <Button size="sm" onClick={() => void again()}>
            {isDemo ? 'Plug in and connect' : 'Connect again'}
          </Button>
          {isDemo ? null : (
            <Button size="sm" onClick={() => void connectPicked(port, settings)}>
              Pick the board again
            </Button>
          )}
        </>
      }
      onDismiss={() => setDismissedAt(connectedAt)}
    >
      <p>
        Plug it in, then connect it again. A board that came back as a different device, such as its bootloader, has to
        be picked again. If it keeps disappearing, check its cable and power supply.
      </p>
    </FailureStrip>
  );
}

/** Offers to show a port's bytes as frames, as soon as they are known to be some. */
function FramesOffer({ port }: { readonly port: PortNumber }) {
  const found = useBenchStatus(({ advice }) => advice[port].frames);
  const state = useBenchStatus(({ status }) => status.ports[port].state);
  // A port that answers another one is read by the decoder of that one.
  const hasFrames = useTerminalSettings(
    ({ ports }) => ports[port].decoder !== null || askingPort(ports, port) !== null,
  );
  const name = useTerminalSettings((settings) => portName(settings, port));
  const [declined, setDeclined] = useState<ReadyDecoder | null>(null);
  const title = readyDecoders.find((one) => one.name === found)?.title;
  if (found === null || title === undefined || state !== 'connected' || hasFrames || declined === found) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level="info"
      title={`${name} receives frames of ${title}.`}
      actions={
        <Button size="sm" variant="primary" icon={<Rows3 />} onClick={() => changeDecoder(port, found)}>
          Show frames
        </Button>
      }
      onDismiss={() => setDeclined(found)}
    >
      {null}
    </FailureStrip>
  );
}

const loadDecoderStrip = () => import('../tools/decoders/decoder-strip.tsx');
const nothing = () => undefined;

function DecoderPlace({ port }: { readonly port: PortNumber }) {
  const isOwn = useTerminalSettings(({ ports }) => isOwnDecoder(ports[port].decoder));
  const loaded = useLoaded(isOwn, loadDecoderStrip, nothing);
  return loaded !== null && isOwn ? <loaded.DecoderStrip port={port} /> : null;
}

function PortFailures({ port }: { readonly port: PortNumber }) {
  const failure = useConnectFailure(port);
  const idle = useBenchStatus(({ status }) => ['disconnected', 'reconnecting'].includes(status.ports[port].state));
  const Remedy = failure && remedies[failure.code];
  return (
    <>
      {Remedy && idle ? <Remedy port={port} failure={failure} /> : null}
      <NotBack port={port} />
      <WrongRate port={port} />
      <FramesOffer port={port} />
      <DecoderPlace port={port} />
      <PortRequest port={port} />
    </>
  );
}
