/** Buttons that grant or refuse a guest's request. */
import { Button } from '../../shared/ui/button.tsx';
import type { Asking } from './guest-texts.ts';
import { disconnectFor, refuse, setRight } from './share-actions.ts';

export function AnswerButtons({ asking }: { readonly asking: Asking }) {
  const { guest, name, port, right, isKept } = asking;
  return (
    <>
      <Button size="sm" aria-label={`Not now, ${name}`} onClick={() => refuse(guest, port)}>
        Not now
      </Button>
      {isKept ? (
        <Button
          size="sm"
          aria-label={`Disconnect port ${port} here for ${name}`}
          onClick={() => void disconnectFor(guest, port)}
        >
          Disconnect here
        </Button>
      ) : (
        <Button size="sm" aria-label={`Allow ${name}`} onClick={() => setRight(guest, port, right)}>
          Allow
        </Button>
      )}
    </>
  );
}
