/** Ways to an STM32 besides a plain serial port: other wiring of its reset, by hand, and over USB. */
import { Usb } from 'lucide-react';
import { hasWebSerial, hasWebUsb } from '../../../../../hardware/serial-support.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { connectPickedUsb } from '../../../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../../../store/flasher-store.ts';
import { BootPins } from './boot-pins.tsx';
import { EntryField } from './entry-field.tsx';
import styles from './ways.module.css';

export function StmWays() {
  const port = useFlasher(({ selected }) => selected);
  const byHand = useFlasher(({ settings: { own } }) => own.family === 'stm' && own.entry === 'manual');
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  const { usbDevices } = pageFamily();
  return (
    <div className="stack apart">
      {failed && hasWebSerial() ? <EntryField /> : null}
      {byHand && hasWebSerial() ? <BootPins /> : null}
      {hasWebUsb() && usbDevices !== undefined ? (
        <div className={styles['usb']}>
          <Button icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
            Choose USB device
          </Button>
          <p className="small">
            For boards with their own USB: set BOOT0 high, reset, and pick “STM32 BOOTLOADER”. Windows needs the WinUSB
            driver for it, Linux a udev rule.
          </p>
        </div>
      ) : (
        <p className="small">The USB bootloader needs a browser with WebUSB, such as Chrome or Edge.</p>
      )}
    </div>
  );
}
