/** What a host is given, and what it says of itself. */
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
  /** From `makeSecret`; it belongs into the fragment of the link and nowhere else. */
  readonly secret: string;
  /** Who shares, as guests see it. */
  readonly name: string;
  readonly bench: BenchAccess;
  /** Milliseconds after which sharing ends by itself; as long as may be, eight hours, without it. */
  readonly lasts?: number;
  /** True: new guests see the newest lines from before they came. Left out: they do not. */
  readonly showsEarlier?: boolean;
  /** Something of `status` has changed. */
  readonly onChange: () => void;
  readonly crypto?: SealingCrypto;
  readonly limits?: Limits;
}

export interface GuestStatus {
  readonly id: string;
  readonly name: string;
  /** The same on each page of one browser; null or left out as long as the guest has not said. */
  readonly person?: string | null;
  readonly isConnected: boolean;
  /**
   * Since when it has not been heard of, although it has not left: its connection is lost, or it is silent. Milliseconds since the Unix epoch;
   * null while it is there.
   */
  readonly awaySince: number | null;
  /** When it came first: milliseconds since the Unix epoch. */
  readonly since: number;
  /** By port: what it may do, what it asks for, and whether it uses the port now. */
  readonly ports: readonly {
    readonly port: number;
    readonly right: Right;
    readonly asked: Right | null;
    readonly isUsing: boolean;
  }[];
}

export interface HostStatus {
  /** `away`: it was sharing before, and the connection is being made again. */
  readonly state: 'connecting' | 'sharing' | 'away' | 'ended';
  /** Since when it is `away`: milliseconds since the Unix epoch, else null. */
  readonly awaySince: number | null;
  /** Null while sharing goes on, and when it was stopped here. */
  readonly why: RemoteFailure | 'expired' | 'empty' | null;
  /** When sharing ends by itself: milliseconds since the Unix epoch. */
  readonly endsAt: number;
  readonly guests: readonly GuestStatus[];
}
