import type { NordicFailure } from '@wirebench/flasher/nordic';
import { Trash2 } from 'lucide-react';
import { FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import { removeAllFiles } from '../../../store/file-actions.ts';

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
} as const satisfies Partial<Record<NordicFailure, { readonly badge: string; readonly how: string }>>;

/** Shown if the bootloader checked the package and refused it, before it erased anything. */
export function RefusedPackage(props: FailureProps) {
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
