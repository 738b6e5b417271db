/** What the components of the failures have in common: the state the board is in, and the buttons that lead on. */
import { boardStateText } from '@wirebench/flasher';
import { Plug, RotateCcw, X } from 'lucide-react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { ConnectTry } from '../flash-protocol.ts';
import { connectPicked, disconnect } from '../store/flash-actions.ts';
import { type FailureProps, tryAgain } from './failure-props.ts';

/** In what state the board is, and what exactly was seen. */
export function BoardIsLeft({ failure }: Pick<FailureProps, 'failure'>) {
  return (
    <>
      <p>{boardStateText[failure.state]}</p>
      {failure.detail === null ? null : (
        <p>
          <code>{failure.detail}</code>
        </p>
      )}
    </>
  );
}

export interface TryAgainProps extends Pick<FailureProps, 'port' | 'failure'> {
  /** What stands on it; what fits unless told. */
  readonly words?: string;
  readonly attempt?: ConnectTry;
}

export function TryAgain({ words, attempt, ...props }: TryAgainProps) {
  return (
    <Button variant="primary" icon={<RotateCcw />} onClick={() => tryAgain(props, attempt)}>
      {words ?? (props.failure.interrupted ? 'Write the rest' : 'Try again')}
    </Button>
  );
}

export function AnotherPort({ port }: Pick<FailureProps, 'port'>) {
  return serialSupport() === 'ready' ? (
    <Button icon={<Plug />} onClick={() => void connectPicked(port)}>
      Choose another port
    </Button>
  ) : null;
}

export function Dismiss({ port }: Pick<FailureProps, 'port'>) {
  return (
    <Button variant="quiet" icon={<X />} onClick={() => void disconnect(port)}>
      Dismiss
    </Button>
  );
}

/** What most failures offer. */
export function UsualActions(props: FailureProps) {
  return (
    <>
      <TryAgain {...props} />
      <AnotherPort port={props.port} />
      <Dismiss port={props.port} />
    </>
  );
}
