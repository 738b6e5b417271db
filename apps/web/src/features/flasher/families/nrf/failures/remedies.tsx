/** Components for the failures that only Nordic boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { NrfFailure } from '@wirebench/flasher/nrf';
import { Trash2, Usb } from 'lucide-react';
import { FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain, UsualActions, wordsOf } from '../../../failures/failure-parts.tsx';
import { type FailureProps, tryAgain } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { removeAllFiles } from '../../../store/file-actions.ts';
import { plugDemo } from '../../../store/flash-actions.ts';
import { useFlash } from '../../../store/flasher-store.ts';
import { EntryDrawing } from '../board/entry-drawing.tsx';

/** Shown if the bootloader took every byte, but does not start this image. */
function NotAccepted(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The bootloader does not accept the image"
      badge="Not started"
      steps={[
        { title: 'Check the key', text: 'The image has to be signed with the key that the bootloader was built with.' },
        { title: 'Check the board', text: 'It also rejects an image for another flash layout.' },
        { title: 'Write a matching image', text: 'The board waits for it in its bootloader. Nothing is broken.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>Everything was sent, but the bootloader does not list this image as bootable.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

/**
 * Shown if the bootloader's answers violate its protocol. It may still hold state of an earlier transfer, or be an
 * old version.
 */
function BootloaderStuck(props: FailureProps) {
  const { failure } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={props.topic}
      title={title}
      badge="Bootloader"
      steps={[
        { title: remedy ?? 'Try again.' },
        { title: 'Restart the bootloader', text: 'Unplug the board, then start its bootloader again.' },
        {
          title: 'If it fails every time',
          text: 'Use the board maker’s own tool. The log shows what the bootloader answered.',
        },
      ]}
      actions={<UsualActions {...props} />}
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown if the package is not signed with the key that the bootloader was built with. */
function SignatureRefused(props: FailureProps) {
  const { port, failure, topic } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="Signature"
      steps={[
        { title: remedy ?? 'Sign the package with the key of this board.' },
        {
          title: 'Who has the key',
          text: 'Whoever built the bootloader: the maker of a finished product, or you, on your own kit. It cannot be bypassed from here.',
        },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Explains by code why a bootloader refuses a package, and how to make a correct one. */
const reasons = {
  'wrong-bootloader': {
    badge: 'Package',
    how: 'nrfutil packages are for secure DFU, packages from adafruit-nrfutil and Arduino for Adafruit’s bootloader, and dfu_application.zip for MCUboot.',
  },
  'type-unsupported': {
    badge: 'Package',
    how: 'Some bootloaders accept only applications, not a SoftDevice or a bootloader.',
  },
  'init-packet-invalid': {
    badge: 'Package',
    how: 'nrfutil pkg generate with --hw-version, --application-version and --sd-req creates a complete package.',
  },
  'version-too-low': {
    badge: 'Version',
    how: 'The number is --application-version of nrfutil, or CONFIG_MCUBOOT_IMGTOOL_SIGN_VERSION of a build.',
  },
  'wrong-hardware': {
    badge: 'Hardware',
    how: 'The number is --hw-version of nrfutil: 52 for most nRF52 boards, unless their maker chose another.',
  },
  'wrong-softdevice': {
    badge: 'SoftDevice',
    how: 'A package may contain the SoftDevice too. Both are then written in order.',
  },
  'hash-type': { badge: 'Package', how: 'nrfutil uses SHA-256 by default.' },
  'no-room': {
    badge: 'Size',
    how: 'With two slots, an image must fit into one of them: less than half of the flash.',
  },
} as const satisfies Partial<Record<NrfFailure, { readonly badge: string; readonly how: string }>>;

/** Shown if the bootloader checked the package and refused it, before it erased anything. */
function RefusedPackage(props: FailureProps) {
  const { port, failure, topic } = props;
  const { title, remedy } = wordsOf(failure);
  const reason = reasons[failure.code as keyof typeof reasons];
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge={reason?.badge ?? 'Refused'}
      steps={[
        { title: remedy ?? 'Choose another package.' },
        ...(reason === undefined ? [] : [{ title: 'Why it was refused', text: reason.how }]),
      ]}
      actions={
        <>
          <MainWayButton icon={<Trash2 />} onPress={() => void removeAllFiles()}>
            Remove this package
          </MainWayButton>
          <TryAgain {...props} words="Try again" secondary />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown if the board runs its program, or is silent: its bootloader has to be started by hand. */
function NoBootloader(props: FailureProps) {
  const { failure } = props;
  const isDemo = useFlash(({ source, board }) => source?.kind === 'demo' || board?.demo === true);
  const silent = failure.code === 'nothing-at-all';
  return (
    <FailureCard
      topic={props.topic}
      title={silent ? 'Nothing was received from this port' : 'No bootloader answered'}
      badge="Bootloader"
      steps={[
        ...(isDemo
          ? [
              {
                title: 'Unplug the demo board and plug it in again',
                text: 'It starts in its bootloader, as if its button were held.',
              },
            ]
          : []),
        { title: 'Adafruit, Seeed and other UF2 boards', text: 'Press reset twice within half a second.' },
        { title: 'Nordic dongle, nRF5 SDK', text: 'Hold the button while you plug it in or press reset.' },
        { title: 'MCUboot', text: 'Hold the recovery button, Button 1 on most kits, while you press reset.' },
        {
          title: 'Choose the port again',
          text: 'On the chip’s own USB, the bootloader has a different port from the program.',
        },
      ]}
      drawing={
        <>
          <EntryDrawing way="double-tap" />
          <EntryDrawing way="hold" />
        </>
      }
      actions={
        <>
          {isDemo ? <ReplugDemo {...props} /> : null}
          <UsualActions {...props} secondary={isDemo} />
        </>
      }
    >
      <p>
        {silent
          ? 'The port opened, but the board sent nothing. Check that the cable carries data and that the board has power.'
          : 'The board sends something, but none of the three bootloaders answers: its own program is probably running.'}
      </p>
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Replugs a simulated board with its button held. A real board needs two hands for that. */
function ReplugDemo(props: FailureProps) {
  const replug = async () => {
    await plugDemo(props.port, false);
    await plugDemo(props.port, true);
    tryAgain(props);
  };
  return (
    <MainWayButton icon={<Usb />} onPress={() => void replug()}>
      Replug it with its button held
    </MainWayButton>
  );
}

export const nrfRemedies: Remedies<Exclude<NrfFailure, CommonFailure>> = {
  'nothing-at-all': NoBootloader,
  'no-bootloader': NoBootloader,
  'wrong-bootloader': RefusedPackage,
  'type-unsupported': RefusedPackage,
  'init-packet-invalid': RefusedPackage,
  'version-too-low': RefusedPackage,
  'wrong-hardware': RefusedPackage,
  'wrong-softdevice': RefusedPackage,
  'hash-type': RefusedPackage,
  'no-room': RefusedPackage,
  'wrong-key': SignatureRefused,
  'signature-missing': SignatureRefused,
  'signature-type': SignatureRefused,
  'image-not-accepted': NotAccepted,
  'image-damaged': LowerBaud,
  'request-unknown': BootloaderStuck,
  'request-invalid': BootloaderStuck,
  'object-invalid': BootloaderStuck,
  'not-permitted': BootloaderStuck,
  'operation-failed': BootloaderStuck,
  'command-format': BootloaderStuck,
  'command-unknown': BootloaderStuck,
  'hash-failed': BootloaderStuck,
  refused: BootloaderStuck,
  'already-there': PlainFailure,
  'cannot-activate': PlainFailure,
  'cannot-restart': PlainFailure,
};
