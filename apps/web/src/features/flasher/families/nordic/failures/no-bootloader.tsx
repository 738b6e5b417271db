import { Usb } from 'lucide-react';
import { FailureCard, MainWayButton } from '../../../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions } from '../../../failures/failure-parts.tsx';
import { type FailureProps, tryAgain } from '../../../failures/failure-props.ts';
import { plugDemo } from '../../../store/flash-actions.ts';
import { useFlash } from '../../../store/flasher-store.ts';
import { EntryDrawing } from '../board/entry-drawing.tsx';

/** Shown if the board runs its program, or is silent: its bootloader has to be started by hand. */
export function NoBootloader(props: FailureProps) {
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
