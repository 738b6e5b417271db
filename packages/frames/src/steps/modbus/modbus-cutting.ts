/** Finds Modbus RTU frames in a stream: length by function first, checksum second, silence last. */
import { NONE, UNDECIDED } from '../step-types.ts';
import {
  EXCEPTION,
  EXCEPTION_LENGTH,
  exceptions,
  functions,
  isChecked,
  LONGEST,
  type ModbusFunction,
  SHORTEST,
} from './modbus-shapes.ts';

/** Functions by code, for speed. */
const byCode: readonly (ModbusFunction | undefined)[] = Array.from({ length: 128 }, (_, code) => functions.get(code));

const isPossible = (length: number) => length >= SHORTEST && length <= LONGEST;

/**
 * Looks for a frame at `from`, of which neither silence nor chunks say where it ends. A frame whose counts do not fit its
 * function is taken if no other length can be right.
 */
export function measure(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
  if (from + 2 > to) {
    return isLast ? NONE : UNDECIDED;
  }
  const code = bytes[from + 1] as number;
  if (code >= EXCEPTION) {
    return measureException(bytes, from, to, isLast);
  }
  const known = byCode[code];
  if (known === undefined) {
    return NONE;
  }
  const { isRequest, isAnswer, isLongRequest = false } = known;
  const request = known.request(bytes, from, to);
  const answer = known.answer(bytes, from, to);
  let isWaiting = request === 0 || answer === 0;
  let unfit = 0;
  if (isPossible(request)) {
    const isWhole = from + request <= to;
    const fits = (isWhole || isLongRequest) && (isRequest?.(bytes, from) ?? true);
    if (isWhole && isChecked(bytes, from, from + request)) {
      if (fits) {
        return request;
      }
      unfit = request;
    }
    if (!isWhole && (fits || !isLongRequest)) {
      if (isLongRequest && !isLast) {
        return UNDECIDED;
      }
      isWaiting = true;
    }
  }
  if (isPossible(answer) && answer !== request) {
    if (from + answer > to) {
      isWaiting = true;
    } else if (isChecked(bytes, from, from + answer)) {
      if (isAnswer?.(bytes, from) ?? true) {
        return answer;
      }
      unfit = answer;
    }
  }
  return isWaiting && !isLast ? UNDECIDED : unfit > 0 ? unfit : NONE;
}

function measureException(bytes: Uint8Array, from: number, to: number, isLast: boolean): number {
  if (from + 2 < to && !exceptions.has(bytes[from + 2] as number)) {
    return NONE;
  }
  if (from + EXCEPTION_LENGTH > to) {
    return isLast ? NONE : UNDECIDED;
  }
  return isChecked(bytes, from, from + EXCEPTION_LENGTH) ? EXCEPTION_LENGTH : NONE;
}

/**
 * Decides about bytes without a frame that its function measures. Such a frame ends at a silence or where the next one
 * begins. Other bytes with the address and function of a frame are a broken one. At the start of a stream they are the
 * rest of a frame, unless their length is that of the function.
 */
export function settle(
  bytes: Uint8Array,
  from: number,
  to: number,
  boundaries: readonly number[],
  isFirst: boolean,
): number {
  const ends = [...boundaries, to].filter((end) => isPossible(end - from));
  const [nearest = 0] = ends;
  if (nearest === 0) {
    return NONE;
  }
  const code = bytes[from + 1] as number;
  const known = byCode[code & ~EXCEPTION];
  const end = ends.find((one) => isChecked(bytes, from, one));
  if (end !== undefined) {
    return end - from;
  }
  if (known === undefined || code >= EXCEPTION) {
    return known === undefined || nearest - from !== EXCEPTION_LENGTH ? NONE : -EXCEPTION_LENGTH;
  }
  const lengths = [known.request(bytes, from, to), known.answer(bytes, from, to)].filter(isPossible);
  const byLength = ends.find((end) => lengths.includes(end - from));
  if (byLength === undefined && isFirst) {
    return NONE;
  }
  return -((byLength ?? nearest) - from);
}

/** Returns true for a broken frame that has no length of its function, of which one is longer. */
export function isCut(frame: Uint8Array): boolean {
  const code = frame[1] as number;
  if (code >= EXCEPTION) {
    return frame.length < EXCEPTION_LENGTH;
  }
  const known = byCode[code];
  if (known === undefined) {
    return false;
  }
  const lengths = [known.request(frame, 0, frame.length), known.answer(frame, 0, frame.length)];
  const isLonger = (length: number) => length === 0 || (isPossible(length) && length > frame.length);
  return !lengths.includes(frame.length) && lengths.some(isLonger);
}
