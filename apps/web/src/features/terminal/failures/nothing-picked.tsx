import { Button } from '../../../shared/ui/button.tsx';
import { setConnectFailure } from '../../../workbench/port-picker/connect-failures.ts';
import { connectPicked } from '../../../workbench/port-picker/connect-port.ts';
import { operatingSystem } from '../../../workbench/remedies/operating-system.ts';
import { FailureStrip } from './failure-strip.tsx';
import type { PortFailureProps } from './port-busy.tsx';

/** Remedy: the browser's dialog was closed without a choice, often because the board was not listed. */
export function NothingPicked({ port, failure }: PortFailureProps) {
  return (
    <FailureStrip
      port={port}
      topic="device-not-found"
      level="info"
      title="No port was picked. Was your board missing from the list?"
      actions={
        <Button size="sm" onClick={() => void connectPicked(port, failure.settings)}>
          Pick a port
        </Button>
      }
      onDismiss={() => setConnectFailure(port, null)}
    >
      <ul>
        <li>Try another USB cable first: many carry power only, without data lines.</li>
        <li>
          Install the driver for the USB bridge if the system has none: CP210x from Silicon Labs, CH340 from WCH, FT232
          from FTDI. Boards with native USB need none.
        </li>
        {operatingSystem() === 'linux' ? (
          <li>
            On Linux, <code>brltty</code> can mistake CH340 and CP210x bridges for a braille display. Run{' '}
            <code>sudo apt remove brltty</code> if you do not use one. Chromium installed as a snap needs{' '}
            <code>sudo snap connect chromium:raw-usb</code>.
          </li>
        ) : null}
      </ul>
    </FailureStrip>
  );
}
