import type { StmFailure } from '@wirebench/flasher/stm32';
import { BoardButton, FailureCard } from '../../../../../workbench/failure-card.tsx';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from '../../../failures/failure-parts.tsx';
import type { FailureProps } from '../../../failures/failure-props.ts';
import { BootPins } from '../board/boot-pins.tsx';
import { EntryField } from '../board/entry-field.tsx';

const meanings = {
  'no-answer': 'The port opened, but no bootloader answered: the part runs its program, or the wires do not reach it.',
  'in-application': 'The board sends something, but that is its own program, not its bootloader.',
} as const satisfies Partial<Record<StmFailure, string>>;

/**
 * Shown if BOOT0 was not high when the part came out of reset. BOOT0 is set by hand, or the lines are wired
 * differently.
 */
export function BootZero(props: FailureProps) {
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
