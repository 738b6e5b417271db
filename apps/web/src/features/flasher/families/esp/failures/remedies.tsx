/** Components for the failures that only Espressif boards have. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { EspFailure } from '@wirebench/flasher/esp';
import { BoardButton, FailureCard } from '../../../../../workbench/failure-card.tsx';
import { BootTiming } from '../../../boot-timing.tsx';
import {
  AnotherPort,
  BoardIsLeft,
  Dismiss,
  TryAgain,
  UsualActions,
  wordsOf,
} from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { LowerBaud } from '../../../failures/lower-baud.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { Wiring } from '../../../failures/wiring.tsx';

/** Shown if the chip reports that it is in its bootloader, but receives nothing. */
function DeafBoard(props: FailureProps) {
  return <Wiring {...props} deaf />;
}

/** Shown if the stub, which speeds up flashing, did not start. The chip's ROM can flash without it. */
function StubFailed(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The flashing program did not start on the board"
      badge="Stub"
      steps={[
        { title: 'Try again', text: 'The usual cause is noise on the line.' },
        { title: 'If it fails every time, continue without it', text: 'Slower, and without reading or erasing flash.' },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <TryAgain {...props} words="Continue without it" attempt={{ stub: false }} secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

/** Shown if the chip's brown-out detector has seen too low a voltage and restarted the chip. */
function BrownOut(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="The board’s supply voltage dropped too low"
      badge="Brown-out"
      steps={[
        {
          title: 'Use a shorter cable and another USB port',
          text: 'A port on the computer itself, or a powered hub.',
        },
        {
          title: 'Disconnect anything that draws current',
          text: 'Motors, LED strips, a modem: flashing does not need them.',
        },
        { title: 'Try again', text: 'What is already written is kept.' },
      ]}
      actions={<UsualActions {...props} />}
    >
      <p>Erasing and writing flash draw more current than usual. The chip detected the drop and restarted.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

/**
 * Shown for flash encryption, Secure Boot and Secure Download Mode: the maker of the board has locked it permanently.
 */
function LockedChip({ port, failure, topic }: FailureProps) {
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="Locked"
      steps={[
        { title: remedy ?? 'Ask the board’s maker how to update it.' },
        { title: 'These locks are fuses', text: 'They cannot be undone, and Wirebench never burns any.' },
      ]}
      actions={
        <>
          <AnotherPort port={port} main />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown if not one byte came: the wrong port, a cable for charging only, or a board without power. */
function NoSignal(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="Nothing was received from this port"
      badge="No answer"
      steps={[
        { title: 'Check the port', text: 'Unplug the board: the port that vanishes from the list is the right one.' },
        { title: 'Check the cable', text: 'Many cables only charge. Use one that you have copied data with.' },
        { title: 'Check the power', text: 'A light on the board should be on.' },
        {
          title: 'Hold BOOT, tap EN, release BOOT, and try again',
          text: 'For boards without a reset circuit. DTR or RTS holds some boards in reset: try without them.',
        },
      ]}
      drawing={<BootTiming />}
      actions={
        <>
          <TryAgain {...props} />
          <TryAgain {...props} words="Try without DTR and RTS" attempt={{ byHand: true }} secondary />
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <p>The port opened, but the board sent nothing, not even a boot log.</p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

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
function BootMode(props: FailureProps) {
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

export const espRemedies: Remedies<Exclude<EspFailure, CommonFailure>> = {
  'no-answer': BootMode,
  'nothing-at-all': NoSignal,
  'normal-boot': BootMode,
  'boot-loop': BootMode,
  'empty-flash': BootMode,
  'nothing-to-start': BootMode,
  'no-sync-reply': DeafBoard,
  'unknown-chip': PlainFailure,
  'brown-out': BrownOut,
  'baud-refused': LowerBaud,
  'stub-failed': StubFailed,
  'flash-not-found': PlainFailure,
  'flash-too-small': PlainFailure,
  'flash-encryption': LockedChip,
  'secure-boot': LockedChip,
  'secure-download': LockedChip,
  'not-in-rom': PlainFailure,
  'md5-mismatch': LowerBaud,
  'neighbour-changed': PlainFailure,
};
