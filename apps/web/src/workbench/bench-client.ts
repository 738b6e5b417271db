/** The page's end of the bench. */
import type { BenchApi, BenchTick } from '../protocol/bench/bench-tick.ts';
import { CallClient, CallError } from '../protocol/calls/call-client.ts';

/**
 * A call that the bench refused or could not complete. The message is for people; the code is a `SessionFailure` or
 * null.
 */
export { CallError };

export class BenchClient extends CallClient<BenchApi, BenchTick> {}
