/** Options of a host, and the status that it reports. */
import type { Clock } from '@wirebench/clock';
import type { Right } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';
import type { Dial } from '../message-link.ts';
import type { RemoteFailure } from '../remote-failure.ts';
import type { SealingCrypto } from '../sealing/sealing-crypto.ts';
import type { BenchAccess } from './bench-access.ts';

export interface RemoteHostOptions {
  readonly clock: Clock;
  /** Connects as the host of the room. */
  readonly dial: Dial;
  /** Secret from `makeSecret`. It must appear only in the fragment of the link. */
  readonly secret: string;
  /** Name of the host that guests see. */
  readonly name: string;
  readonly bench: BenchAccess;
  /** Time after which sharing ends by itself, in milliseconds. Default and maximum: `limits.room`, eight hours. */
  readonly lasts?: number;
  /** True: new guests see the newest lines from before they joined. Default: false. */
  readonly showsEarlier?: boolean;
  /** Called after each change of `status`. */
  readonly onChange: () => void;
  readonly crypto?: SealingCrypto;
  readonly limits?: Limits;
}

export interface GuestStatus {
  readonly id: string;
  readonly name: string;
  /** The same for all pages of one browser; null or omitted until the guest has sent it. */
  readonly person?: string | null;
  readonly isConnected: boolean;
  /**
   * Time from which a guest that has not left was not heard, because its connection is lost or it is silent.
   * Milliseconds since the Unix epoch; null while it is present.
   */
  readonly awaySince: number | null;
  /** Time of the guest's arrival, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** For each shared port: the guest's right, its pending request, and whether it uses the port now. */
  readonly ports: readonly {
    readonly port: number;
    readonly right: Right;
    readonly asked: Right | null;
    readonly isUsing: boolean;
  }[];
}

export interface HostStatus {
  /** `away`: the host was sharing before and is reconnecting. */
  readonly state: 'connecting' | 'sharing' | 'away' | 'ended';
  /** Time from which the state is `away`, in milliseconds since the Unix epoch, else null. */
  readonly awaySince: number | null;
  /** Reason of the end; null while sharing, and after `stop()`. */
  readonly why: RemoteFailure | 'expired' | 'empty' | null;
  /** Time at which sharing ends by itself, in milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly guests: readonly GuestStatus[];
}
