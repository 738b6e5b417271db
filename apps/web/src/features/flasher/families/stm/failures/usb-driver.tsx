import { FailureCard } from '../../../../../workbench/failure-card.tsx';
import { operatingSystem } from '../../../../../workbench/remedies/operating-system.ts';
import { BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

const allowance = {
  windows: {
    title: 'Install the WinUSB driver for the device',
    text: 'On Windows, browsers reach USB devices only through WinUSB. Zadig installs it: pick “STM32 BOOTLOADER” there.',
  },
  linux: {
    title: 'Allow this account to use the device',
    text: (
      <>
        As root, write{' '}
        <code>{'SUBSYSTEM=="usb", ATTR{idVendor}=="0483", ATTR{idProduct}=="df11", TAG+="uaccess"'}</code> to{' '}
        <code>/etc/udev/rules.d/70-stm32-dfu.rules</code>, then plug the board in again.
      </>
    ),
  },
  mac: null,
  other: null,
} as const;

/** Shown if the operating system, or another program, keeps the USB device from the browser. */
export function UsbDriver(props: FailureProps) {
  const system = allowance[operatingSystem()];
  return (
    <FailureCard
      topic={props.topic}
      title="The operating system does not let the browser use this USB device"
      badge="USB driver"
      steps={[
        ...(system === null ? [] : [system]),
        { title: 'Close other programs that use it', text: 'STM32CubeProgrammer, dfu-util, a virtual machine.' },
        { title: 'Press Try again' },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
