import type { EspFailure } from '@wirebench/flasher/espressif';
import { BoardButton, FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BootTiming } from '../../../boot-timing.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';

const meanings = {
  'normal-boot':
    'Wirebench pulsed DTR and RTS, and the chip started its own program each time. Put it in download mode by hand, then try again.',
  'boot-loop':
    'The board keeps restarting. Its bootloader still works: put it in download mode by hand, then try again.',
  'empty-flash':
    'The chip looks for a bootloader at the start of its flash and finds it erased, again and again. Put the chip in download mode by hand, try again, and write the complete firmware, bootloader included.',
  'nothing-to-start':
    'The chip finds nothing in its flash that it can start: the bootloader, the partition table or the app is missing or damaged. Put it in download mode by hand, try again, and write the complete firmware.',
  'no-answer': 'The board printed something, but never answered. Put it in download mode by hand, then try again.',
} as const satisfies Partial<Record<EspFailure, string>>;

/** Shown if the board runs, but not its bootloader. Most often its circuit cannot be reset from here. */
export function BootMode(props: FailureProps) {
  const { failure } = props;
  const meaning = meanings[failure.code as keyof typeof meanings] ?? meanings['no-answer'];
  return (
    <FailureCard
      topic={props.topic}
      title="The board did not enter download mode"
      badge="Boot mode required"
      steps={[
        {
          title: (
            <>
              Hold <BoardButton>BOOT</BoardButton>
            </>
          ),
          text: 'Often marked IO0, 0 or FLASH. It pulls GPIO0 low (GPIO9 on C3, C6 and H2).',
        },
        {
          title: (
            <>
              Tap <BoardButton>EN</BoardButton> once while you hold BOOT
            </>
          ),
          text: 'Often marked RST or RESET. No EN button? Unplug and replug the USB cable instead.',
        },
        {
          title: (
            <>
              Wait half a second, release <BoardButton>BOOT</BoardButton>
            </>
          ),
          text: 'The board’s screen stays dark. That is expected.',
        },
        {
          title: 'Press Try again',
          text: 'DTR and RTS are left alone this time, so the chip stays in download mode.',
        },
      ]}
      drawing={<BootTiming />}
      actions={
        <>
          <TryAgain {...props} attempt={{ byHand: true }} />
          <TryAgain {...props} words="Reset again" secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <p>{meaning}</p>
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
