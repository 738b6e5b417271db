/** Texts from outside: boards, adapters, programs and people name themselves, and their controls must not reach a terminal. */

/** Replaces characters that move a terminal's cursor or hide text by `?`. */
export const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
