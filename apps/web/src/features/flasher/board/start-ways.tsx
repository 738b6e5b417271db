/** The two ways to a board before one is connected, and what can be done with it besides flashing. */
import { FlaskConical, Usb } from 'lucide-react';
import { hasWebUsb } from '../../../hardware/serial-support.ts';
import { Button, type ButtonProps } from '../../../shared/ui/button.tsx';
import { connect, connectPickedUsb } from '../store/flash-actions.ts';
import { pageFamily, useFlasher } from '../store/flasher-store.ts';
import styles from './start-ways.module.css';

/** Returns true if one of the two ways is a USB device. */
export const hasUsbStart = (): boolean => pageFamily().starts.some(({ by }) => by === 'usb');

/** Titles and steps of the two ways. The answer places their buttons below them. */
export function StartSteps() {
  return pageFamily().starts.map(({ by, title, step }) => (
    <div key={by} className={styles['step']}>
      <h3>{title}</h3>
      <p>{step}</p>
    </div>
  ));
}

/** Asks the browser for the USB device of a board in its bootloader. */
export function UsbButton({ size }: Pick<ButtonProps, 'size'>) {
  const port = useFlasher(({ selected }) => selected);
  const { usbDevices } = pageFamily();
  return hasWebUsb() && usbDevices !== undefined ? (
    <Button size={size} icon={<Usb />} onClick={() => void connectPickedUsb(port, usbDevices)}>
      Choose USB device
    </Button>
  ) : (
    <p className="small">This way needs a browser with WebUSB, such as Chrome or Edge.</p>
  );
}

/** The USB device as a further way, once files are chosen. */
export function UsbWay() {
  const start = pageFamily().starts.find(({ by }) => by === 'usb');
  return start === undefined ? null : (
    <div className={styles['usb']}>
      <UsbButton />
      <p className="small">{start.step}</p>
    </div>
  );
}

/** The first demo board, where both ways are those of real boards. */
export function FirstDemo() {
  const port = useFlasher(({ selected }) => selected);
  const { demos, starts } = pageFamily();
  const [{ label, source }] = demos;
  return starts.some(({ by }) => by === 'demo') ? null : (
    <p className={styles['demo']}>
      No board yet?{' '}
      <Button size="sm" icon={<FlaskConical />} onClick={() => void connect(port, source)}>
        Try the {label}
      </Button>
    </p>
  );
}
