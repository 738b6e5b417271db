/** Answer to "Will this image start here?". Plain values, which can be posted to a worker. */

type StartResult = 'yes' | 'no' | 'unknown';

export interface StartCheck {
  readonly result: StartResult;
  /** One sentence without a full stop. */
  readonly text: string;
  /** Fact that decided: `SECURE_BOOT_EN 1`. */
  readonly fact: string;
}

export interface StartAnswer {
  /** `no` if one check says so, otherwise `unknown` if one cannot be decided. */
  readonly result: StartResult;
  /** One sentence, with its remedy if the answer is no. */
  readonly why: string;
  readonly checks: readonly StartCheck[];
}
