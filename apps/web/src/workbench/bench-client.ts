/** The page's end of the bench. */
import type { BenchApi, BenchTick } from './bench-protocol.ts';
import { CallClient, CallError } from './calls/call-client.ts';

/** What the bench refused or could not do; the message is for people, the code a `SessionFailure` where there is one. */
export { CallError as BenchCallError };

export class BenchClient extends CallClient<BenchApi, BenchTick> {}
