/** The button that says how the typed text is sent. Its popover is `send-options.tsx`. */
import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { changePort } from '../settings/settings-store.ts';
import { endingNames, modeNames } from '../settings/terminal-settings.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import styles from './how-to-send.module.css';
import type { TypedAs } from './send-message.ts';
import type { HowToSendProps } from './send-options.tsx';
import { chooseTyping } from './typed-ending.ts';

const loadOptions = () => import('./send-options.tsx');

export function HowToSend({ onChange, ...props }: HowToSendProps) {
  const { how, port } = props;
  const { mode, lineEnding } = how;
  const hasEnding = mode !== 'hex' && mode !== 'frame';
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const options = useLoaded(open, loadOptions, close);
  const choose = (chosen: Partial<TypedAs>) => {
    // A change of the kind chooses no ending, which may follow the board.
    if (chosen.lineEnding === undefined) {
      changePort(port, { inputMode: chosen.mode ?? mode });
    } else {
      chooseTyping(port, { ...how, ...chosen });
    }
    changeTerminalSession({ draftAs: null });
    onChange();
  };
  return (
    <>
      <Button
        ref={anchor}
        className={styles['kind']}
        aria-label={`Send options: ${modeNames[mode]}${hasEnding ? ` · ${endingNames[lineEnding]}` : ''}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles['words']}>
          {modeNames[mode]}
          {hasEnding ? <span className={styles['ending']}> · {endingNames[lineEnding]}</span> : null}
        </span>
        <ChevronDown className={styles['chevron']} />
        <SlidersHorizontal className={styles['sliders']} />
      </Button>
      <Popover open={open && options !== null} onClose={close} anchor={anchor} side="top" title="How to send">
        {options === null ? null : <options.SendOptions {...props} onChoose={choose} onClose={close} />}
      </Popover>
    </>
  );
}
