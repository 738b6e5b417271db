/** Options of the simulated Improv service: the networks around it, its address afterwards, and faults of the wire. */

/** A Wi-Fi network in reach of the board. */
export interface WifiNetwork {
  /** 1 to 32 bytes. */
  readonly ssid: string;
  /** Signal strength in dBm. */
  readonly rssi: number;
  /** Accepted password. Null: the network is open, and any password is accepted. */
  readonly password: string | null;
}

/**
 * Faults of a packet. `drop`: it is lost. `bad-checksum`: its last byte is wrong. `split`: it arrives in two
 * parts, 60 ms apart. `text-before`: a complete log line precedes it. `text-joined`: it follows a log text on the same
 * line. `text-inside`: a log line interrupts it, so that it is lost.
 */
type ImprovFaultKind = 'drop' | 'bad-checksum' | 'split' | 'text-before' | 'text-joined' | 'text-inside';

export interface ImprovFault {
  /** Direction of the packet. A packet to the board can only be dropped. */
  readonly to: 'host' | 'board';
  /** Number of the packet in its direction, counted from 1 since the device was created. Default: every packet. */
  readonly nth?: number;
  readonly kind: ImprovFaultKind;
}

export interface ImprovOptions {
  /** Default: `defaultNetworks`. */
  readonly networks?: readonly WifiNetwork[];
  /** Address of the device's page in a result. Null: the device has none. Default `http://192.0.2.23/`. */
  readonly url?: string | null;
  /** Name in the device information. Default: `Wirebench demo`. */
  readonly deviceName?: string;
  readonly faults?: readonly ImprovFault[];
}

/** The networks around a demo board. The last one is too weak to answer, whatever the password. */
export const defaultNetworks: readonly WifiNetwork[] = [
  { ssid: 'Workbench', rssi: -47, password: 'solder-and-flux' },
  { ssid: 'Café Gäste', rssi: -66, password: null },
  { ssid: 'Workbench', rssi: -71, password: 'solder-and-flux' },
  { ssid: 'Across the street', rssi: -89, password: 'out-of-reach-9f2c' },
];

/** An address that no network routes (RFC 5737, TEST-NET-1). */
export const defaultUrl = 'http://192.0.2.23/';
