/** Says that a flasher has the board of a port, and leads there. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Zap } from 'lucide-react';
import { type ButtonSize, buttonClass } from '../../shared/ui/button-class.ts';
import { type FlasherBoard, useFlasherBoard } from '../../workbench/flasher-boards.ts';
import strip from '../../workbench/strip.module.css';
import { portName, useTerminalSettings } from './settings/settings-store.ts';

/** Lines above the log, one for each port that a flasher has. */
export function InFlasherStrips() {
  return portNumbers.map((port) => <InFlasherStrip key={port} port={port} />);
}

function InFlasherStrip({ port }: { readonly port: PortNumber }) {
  const board = useFlasherBoard(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  return board === null ? null : (
    <div className={`row ${strip['strip']}`} data-port={port}>
      <Zap />
      <span>
        <b>{name} is in the flasher:</b> {board.state}.{' '}
        {board.busy ? 'It opens here again when the flasher has finished.' : null}
      </span>
      <span className={strip['end']}>
        <ToFlasher port={port} board={board} />
      </span>
    </div>
  );
}

interface ToFlasherProps {
  readonly port: PortNumber;
  readonly board: FlasherBoard;
  readonly size?: ButtonSize | undefined;
}

/** Link to the flasher that has the port. */
export function ToFlasher({ port, board, size = 'sm' }: ToFlasherProps) {
  return (
    <a href={board.page} className={buttonClass({ size })} aria-label={`Go to the flasher, which has port ${port}`}>
      Go to the flasher
    </a>
  );
}
