/** Components for the failures that only boards with an AVR have. */
import type { AvrFailure } from '@wirebench/flasher/avr';
import type { CommonFailure } from '@wirebench/flasher/core';
import { Trash2 } from 'lucide-react';
import { BoardButton, FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain, wordsOf } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import type { Remedies } from '../../../failures/failure-view.tsx';
import { PlainFailure } from '../../../failures/plain-failure.tsx';
import { removeAllFiles } from '../../../store/file-actions.ts';
import { useFlasher } from '../../../store/flasher-store.ts';
import { ResetDrawing } from '../board/reset-drawing.tsx';

/** Shown if the files are not for this board: refused before anything was erased. */
function RefusedFile(props: FailureProps) {
  const { port, failure, topic } = props;
  const { title, remedy } = wordsOf(failure);
  return (
    <FailureCard
      topic={topic}
      title={title}
      badge="File"
      steps={remedy === null ? [] : [{ title: remedy }]}
      actions={
        <>
          <MainWayButton icon={<Trash2 />} onPress={() => void removeAllFiles()}>
            Remove the files
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

type Cause = Extract<AvrFailure, 'no-answer' | 'no-auto-reset' | 'no-bootloader' | 'sketch-floods' | 'touch-ignored'>;

/** Meaning of each code, in a sentence or two. */
const meanings = {
  'no-answer':
    'The port opened, but no bootloader answered. The board may not have been reset, or this is the port of another device.',
  'no-auto-reset': 'The board did not reset when the port opened, and its reset button was not pressed in time.',
  'no-bootloader': 'The board was reset, but its sketch started at once: no bootloader answered in between.',
  'touch-ignored':
    'The sketch does not react to the touch at 1200 baud, so it does not start the bootloader. It may have crashed.',
  'sketch-floods': 'The sketch sends so much that the answers of the bootloader cannot be told apart from it.',
} as const satisfies Record<Cause, string>;

/** Shown if the bootloader did not get the time to answer: it waits for about one second after a reset. */
function NoReset(props: FailureProps) {
  const { failure, port, topic } = props;
  const rate = useFlasher(({ settings: { own } }) => (own.family === 'avr' ? own.rate : null));
  const cause = (Object.keys(meanings) as Cause[]).find((code) => code === failure.code) ?? 'no-answer';
  return (
    <FailureCard
      topic={topic}
      title={wordsOf(failure).title}
      badge="Reset"
      steps={[
        ...(rate === null
          ? []
          : [{ title: 'Set Baud to Automatic', text: `${rate} baud is the only rate that was tried.` }]),
        {
          title: 'Press Connect with reset by hand',
          text: 'DTR and RTS are left alone this time. The page says when to press reset.',
        },
        {
          title: (
            <>
              Press <BoardButton>RESET</BoardButton> once
            </>
          ),
          text:
            cause === 'sketch-floods'
              ? 'Hold it first, press Connect with reset by hand, and release it when the page asks.'
              : 'A Leonardo, Micro or Pro Micro needs it twice within half a second.',
        },
        {
          title: 'Check what is wired to pins 0 and 1',
          text: 'A module at RX and TX keeps the bootloader from hearing the computer. A Pro Mini needs DTR at its reset pin.',
        },
        ...(cause === 'no-bootloader' || cause === 'no-answer'
          ? [
              {
                title: 'No bootloader?',
                text: 'A new chip has none until an ISP programmer has written one. A Nano Every is programmed through UPDI, which this page does not speak.',
              },
            ]
          : []),
      ]}
      drawing={<ResetDrawing />}
      actions={
        <>
          <TryAgain {...props} words="Connect with reset by hand" attempt={{ byHand: true }} />
          <TryAgain {...props} words="Reset by DTR again" secondary />
          {cause === 'no-answer' ? (
            <TryAgain {...props} words="Try only 57600 baud" attempt={{ baudRate: 57_600 }} secondary />
          ) : null}
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <p>{meanings[cause]}</p>
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

export const avrRemedies: Remedies<Exclude<AvrFailure, CommonFailure>> = {
  'no-answer': NoReset,
  'no-auto-reset': NoReset,
  'sketch-floods': NoReset,
  'no-bootloader': NoReset,
  'touch-ignored': NoReset,
  programmer: PlainFailure,
  'unknown-part': PlainFailure,
  refused: PlainFailure,
  'too-large': RefusedFile,
  'reaches-bootloader': RefusedFile,
  'eeprom-unsupported': RefusedFile,
  'eeprom-too-large': RefusedFile,
  'verify-mismatch': PlainFailure,
};
