/** Signs of a wrong rate, and their words. The page shows them without the code that finds them. */
import { describePortSettings, type PortSettings } from '@wirebench/port';

export type RateSign =
  /** @property share Share of the bytes that is text, 0 to 1. */
  | { readonly kind: 'rate'; readonly share: number }
  /**
   * The bytes are text with 7 data bits.
   *
   * @property sample The text.
   */
  | {
      readonly kind: 'bits';
      readonly settings: Pick<PortSettings, 'dataBits' | 'parity' | 'stopBits'>;
      readonly sample: string;
    };

/** Returns the sentence for people about a sign. */
export function rateSignText(sign: RateSign, settings: PortSettings): string {
  return sign.kind === 'rate'
    ? `Only ${Math.round(sign.share * 100)} % of this is readable. The baud rate is probably wrong.`
    : `With ${describePortSettings({ ...settings, ...sign.settings })} this is text.`;
}
