/** The two answers to what a guest asks for. */
import { Button } from '../../shared/ui/button.tsx';
import type { Asking } from './guest-texts.ts';
import { refuse, setRight } from './share-actions.ts';

export function AnswerButtons({ asking: { guest, name, port, right } }: { readonly asking: Asking }) {
  return (
    <>
      <Button size="sm" aria-label={`Not now, ${name}`} onClick={() => refuse(guest, port)}>
        Not now
      </Button>
      <Button size="sm" aria-label={`Allow ${name}`} onClick={() => setRight(guest, port, right)}>
        Allow
      </Button>
    </>
  );
}
