/** Message about the lines that a decoder has taken apart. */
import type { DecoderAnswer } from '../../protocol/bench/frame-part.ts';
import { count } from '../../shared/format/numbers.ts';
import { toast } from '../../shared/ui/toast.ts';

/** Says in the tail from where on the lines of a port are frames now. */
export function sayTakenApart(answer: DecoderAnswer): void {
  if (answer.kind === 'applied' && answer.from !== undefined) {
    toast(`Taken apart from ${answer.from === 1 ? 'the first byte' : `line ${count(answer.from)}`}`);
  }
}
