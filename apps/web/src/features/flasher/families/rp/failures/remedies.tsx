/** Components for the failures that only RP2040 and RP2350 boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { RpFailure } from '@wirebench/flasher/rp';
import { operatingSystem } from '@wirebench/port/browser-support';
import { HardDrive } from 'lucide-react';
import { canPickDrive, pickDrive } from '../../../../../hardware/drive-picker.ts';
import { useBenchStatus } from '../../../../../workbench/bench-status.ts';
import { BoardButton, FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { connect, connectPickedDrive } from '../../../store/flash-actions.ts';
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
    title: 'Or install WinUSB for interface 1 of “RP2 Boot”',
    text: 'Zadig installs it. Never choose interface 0: that is the drive. If the drive is gone, remove the driver of interface 0 in the Device Manager, with its files, and plug the board in again.',
  },
  linux: {
    title: 'Or allow this account to use the device',
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

/** Button for the drive: a folder that the person picks; of a demo board the drive itself. */
function ChooseDrive({ port, words }: Pick<FailureProps, 'port'> & { readonly words: string }) {
  const isDemo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  if (!isDemo && !canPickDrive()) {
    return null;
  }
  const press = () =>
    void (isDemo ? connect(port, { kind: 'drive', folder: null }) : connectPickedDrive(port, pickDrive));
  return (
    <MainWayButton icon={<HardDrive />} onPress={press}>
      {words}
    </MainWayButton>
  );
}

/** Shown if the operating system, or another program, keeps the PICOBOOT interface from the browser. */
function UsbDriver(props: FailureProps) {
  const { failure, port, topic } = props;
  const system = allowance[operatingSystem()];
  return (
    <FailureCard
      topic={topic}
      title={wordsOf(failure).title}
      badge="USB driver"
      steps={[
        {
          title: 'Press Copy to its drive, and choose RPI-RP2 or RP2350',
          text: 'That needs no driver. Nothing can be compared or read back there.',
        },
        ...(system === null ? [] : [system]),
        { title: 'Or close other programs that use it', text: 'picotool, a debugger, a virtual machine.' },
      ]}
      actions={
        <>
          <ChooseDrive port={port} words="Copy to its drive" />
          <TryAgain {...props} secondary />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown if a copy to the drive failed, or cannot begin. The drive is picked again. */
function DriveFailed(props: FailureProps) {
  const { failure, port, topic } = props;
  // The message names the folder that was chosen.
  const { remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={failure.message.replace(/\.$/, '')}
      badge="Drive"
      steps={remedy === null ? [] : [{ title: remedy }]}
      actions={
        <>
          <ChooseDrive port={port} words="Choose the drive again" />
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
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
  'not-the-drive': DriveFailed,
  'drive-permission': DriveFailed,
  'drive-copy-failed': DriveFailed,
  'drive-cannot': PlainFailure,
  'drive-not-taken': DriveFailed,
};
