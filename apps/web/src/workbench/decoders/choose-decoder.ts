/** Gives a port its decoder. Code for decoders of a person's own is loaded when one is chosen. */
import type { PortNumber } from '@wirebench/serial';
import { toast } from '../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../shared/ui/use-loaded.ts';
import { getBench } from '../bench.ts';
import { type DecoderId, isOwnDecoder } from './decoder-id.ts';
import { sayTakenApart } from './taken-apart.ts';

/**
 * Gives `decoder` to a port, for as long as the port has it.
 *
 * @param answersOn Port on which the answers come; null: the same port.
 * @returns Function that ends that.
 */
export function chooseDecoder(
  port: PortNumber,
  decoder: DecoderId | null,
  answersOn: PortNumber | null = null,
): () => void {
  if (!isOwnDecoder(decoder)) {
    getBench()
      .call('setDecoder', port, decoder, answersOn)
      .then((answer) => (decoder === null ? undefined : sayTakenApart(answer)))
      .catch((error: Error) => (decoder === null ? undefined : toast(error.message, { level: 'error' })));
    return () => undefined;
  }
  let isOver = false;
  let stop: (() => void) | null = null;
  import('./own-decoders.ts').then(
    ({ followDecoder }) => {
      if (!isOver) {
        stop = followDecoder(port, decoder, answersOn);
      }
    },
    () => toast(LOAD_FAILED, { level: 'error' }),
  );
  return () => {
    isOver = true;
    stop?.();
  };
}
