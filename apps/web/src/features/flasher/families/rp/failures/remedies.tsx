/** Components for the failures that only RP2040 and RP2350 boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { RpFailure } from '@wirebench/flasher/rp';
import { operatingSystem } from '@wirebench/port/browser-support';
import { BoardButton, FailureCard } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { BootselDrawing } from '../board/bootsel-drawing.tsx';

/** Shown if no way led into BOOTSEL, and wherever a person has to start it. */
function PressBootsel(props: FailureProps) {
  const { failure, port, topic } = props;
  return (
    <FailureCard
      topic={topic}
      title={wordsOf(failure).title}
      badge="BOOTSEL"
      steps={[
        { title: 'Unplug the board' },
        {
          title: (
            <>
              Hold <BoardButton>BOOTSEL</BoardButton> while you plug it in
            </>
          ),
          text: 'A board with a reset button: hold BOOTSEL while you press reset. Release it after a second.',
        },
        { title: 'Press Try again with the button held', text: 'The program is left alone this time.' },
      ]}
      drawing={<BootselDrawing />}
      actions={
        <>
          <TryAgain {...props} words="Try again with the button held" attempt={{ byHand: true }} />
          <TryAgain {...props} words="Ask the program again" secondary />
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

const allowance = {
  windows: {
    title: 'Install WinUSB for interface 1 of “RP2 Boot”',
    text: 'Zadig installs it. Never choose interface 0: that is the drive. If the drive is gone, remove the driver of interface 0 in the Device Manager, with its files, and plug the board in again.',
  },
  linux: {
    title: 'Allow this account to use the device',
    text: (
      <>
        As root, write <code>{'SUBSYSTEM=="usb", ATTR{idVendor}=="2e8a", TAG+="uaccess"'}</code> to{' '}
        <code>/etc/udev/rules.d/70-rp-boot.rules</code>, then plug the board in again.
      </>
    ),
  },
  mac: null,
  other: null,
} as const;

/** Shown if the operating system, or another program, keeps the PICOBOOT interface from the browser. */
function UsbDriver(props: FailureProps) {
  const system = allowance[operatingSystem()];
  return (
    <FailureCard
      topic={props.topic}
      title={wordsOf(props.failure).title}
      badge="USB driver"
      steps={[
        ...(system === null ? [] : [system]),
        { title: 'Close other programs that use it', text: 'picotool, a debugger, a virtual machine.' },
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

export const rpRemedies: Remedies<Exclude<RpFailure, CommonFailure>> = {
  'not-in-bootsel': PressBootsel,
  'button-not-pressed': PressBootsel,
  'several-boards': PlainFailure,
  'usb-not-picoboot': PressBootsel,
  'usb-driver': UsbDriver,
  'unknown-chip': PlainFailure,
  refused: PlainFailure,
  'out-of-step': PlainFailure,
  stuck: PlainFailure,
  'outside-flash': PlainFailure,
  'too-large': PlainFailure,
  'flash-size-unknown': PlainFailure,
  'verify-mismatch': PlainFailure,
  'not-the-drive': PlainFailure,
  'drive-permission': PlainFailure,
  'drive-copy-failed': PlainFailure,
  'drive-cannot': PlainFailure,
  'drive-not-taken': PlainFailure,
};
