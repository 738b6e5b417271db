/** Components for the failures that only STM32 boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { StmFailure } from '@wirebench/flasher/stm';
import { operatingSystem } from '@wirebench/port/browser-support';
import { BoardButton, FailureCard } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { BootPins } from '../board/boot-pins.tsx';
import { EntryField } from '../board/entry-field.tsx';

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
function UsbDriver(props: FailureProps) {
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

const meanings = {
  'no-answer': 'The port opened, but no bootloader answered: the part runs its program, or the wires do not reach it.',
  'in-application': 'The board sends something, but that is its own program, not its bootloader.',
} as const satisfies Partial<Record<StmFailure, string>>;

/**
 * Shown if BOOT0 was not high when the part came out of reset. BOOT0 is set by hand, or the lines are wired
 * differently.
 */
function BootZero(props: FailureProps) {
  const { failure, port, topic } = props;
  const meaning = meanings[failure.code as keyof typeof meanings] ?? meanings['no-answer'];
  return (
    <FailureCard
      topic={topic}
      title="The board did not enter its bootloader"
      badge="Boot mode required"
      steps={[
        {
          title: (
            <>
              Set <BoardButton>BOOT0</BoardButton> high
            </>
          ),
          text: 'Put its jumper to 1 or 3V3, or hold its button. If there is a BOOT1, keep it low.',
        },
        {
          title: (
            <>
              Press <BoardButton>RESET</BoardButton> once
            </>
          ),
          text: 'Often marked NRST or RST. No button? Disconnect the power and connect it again.',
        },
        {
          title: 'Check the wires',
          text: 'TX of the adapter to RX of the board (PA10 on most parts), RX to TX (PA9), ground to ground.',
        },
        {
          title: 'Press Try without DTR and RTS',
          text: 'DTR and RTS are left alone this time, so the part stays in its bootloader.',
        },
      ]}
      drawing={<BootPins />}
      actions={
        <>
          <TryAgain {...props} words="Try without DTR and RTS" attempt={{ byHand: true }} />
          <TryAgain {...props} words="Reset again" secondary />
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <p>{meaning}</p>
      <BoardIsLeft failure={failure} />
      <EntryField />
    </FailureCard>
  );
}

export const stmRemedies: Remedies<Exclude<StmFailure, CommonFailure>> = {
  'no-answer': BootZero,
  'in-application': BootZero,
  'unknown-part': PlainFailure,
  'read-protected': PlainFailure,
  'write-protected': PlainFailure,
  refused: PlainFailure,
  'too-large': PlainFailure,
  'outside-flash': PlainFailure,
  'verify-mismatch': LowerBaud,
  'usb-not-dfu': PlainFailure,
  'usb-driver': UsbDriver,
};
