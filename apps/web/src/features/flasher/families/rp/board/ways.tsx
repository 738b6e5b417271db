/** Ways to a board besides the port of its program: over USB in BOOTSEL, and how a person starts BOOTSEL. */
import { Usb } from 'lucide-react';
import { hasWebUsb } from '../../../../../hardware/serial-support.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { connectPickedUsb } from '../../../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../../../store/flasher-store.ts';
import { BootselDrawing } from './bootsel-drawing.tsx';
import styles from './ways.module.css';

export function RpWays() {
  const port = useFlasher(({ selected }) => selected);
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  const { usbDevices } = pageFamily();
  return (
    <div className="stack apart">
      {failed ? <BootselDrawing /> : null}
      {hasWebUsb() && usbDevices !== undefined ? (
        <div className={styles['way']}>
          <Button icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
            Choose USB device
          </Button>
          <p className="small">
            For a board in BOOTSEL: hold its button while you plug it in, then pick “RP2 Boot” or “RP2350 Boot”. Linux
            needs a udev rule, Windows WinUSB for interface 1 of an RP2040.
          </p>
        </div>
      ) : (
        <p className="small">The boot ROM needs a browser with WebUSB, such as Chrome or Edge.</p>
      )}
    </div>
  );
}
