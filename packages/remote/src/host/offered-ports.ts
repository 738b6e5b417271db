/** The shared ports of the bench, and the messages that describe them to each guest. */
import { nameWithin, type SharedPortFields } from '../frames/messages.ts';
import type { OpenSettings, SharedPort } from './bench-access.ts';
import type { GuestStatus } from './host-status.ts';
import type { PortUses } from './port-uses.ts';
import type { Visit } from './visit.ts';

interface OfferedPort extends SharedPort {
  /** Number of times that a board was plugged in. */
  readonly visit: number;
}

export class OfferedPorts {
  readonly #ports = new Map<number, OfferedPort>();
  /** Number of times that a board was plugged in, by port. Kept for ports that are no longer shared. */
  readonly #visits = new Map<number, number>();

  has(port: number): boolean {
    return this.#ports.has(port);
  }

  set(port: number, shared: SharedPort | null): void {
    const came = shared?.present === true && this.#ports.get(port)?.present !== true;
    const visit = (this.#visits.get(port) ?? 0) + (came ? 1 : 0);
    this.#visits.set(port, visit);
    if (shared === null) {
      this.#ports.delete(port);
    } else {
      this.#ports.set(port, { ...shared, visit });
    }
  }

  get numbers(): readonly number[] {
    return [...this.#ports.keys()];
  }

  /** @param endsIn Milliseconds until sharing ends. */
  send(visit: Visit, uses: PortUses, endsIn: number): void {
    if (visit.knowsMore) {
      // Sent first, so that the guest knows all facts of a port when it learns of it.
      const boards = [...this.#ports].map(([port, { isSimulated = false }]) => ({ port, isSimulated }));
      visit.send({ kind: 'boards', boards });
    }
    visit.send({ kind: 'ports', endsIn, ports: this.#describe(visit, uses) });
  }

  statusOf(visit: Visit, uses: PortUses): GuestStatus {
    const { id, name, person, since, number, presence } = visit;
    const ports = this.numbers.map((port) => ({
      port,
      right: visit.rightTo(port),
      asked: visit.asks.shown(port),
      isUsing: uses.userOf(port) === visit,
    }));
    return { id, name, person, since, isConnected: number !== null, awaySince: presence.awaySince, ports };
  }

  #describe(visit: Visit, uses: PortUses): readonly SharedPortFields[] {
    return [...this.#ports].map(([port, { name, info, present, settings, visit: count }]) => {
      const user = uses.userOf(port);
      return {
        port,
        present,
        visit: count,
        name: nameWithin(name),
        usbVendorId: info.usbVendorId ?? null,
        usbProductId: info.usbProductId ?? null,
        settings: settingsFields(user === null ? settings : uses.settingsOf(port)),
        user: user === null ? null : nameWithin(user.name),
        isYours: user === visit,
        right: visit.rightTo(port),
        asked: visit.asks.of(port),
      };
    });
  }
}

function settingsFields(settings: OpenSettings | null): SharedPortFields['settings'] {
  return settings === null
    ? null
    : {
        baudRate: settings.baudRate,
        dataBits: settings.dataBits === 7 ? '7' : '8',
        stopBits: settings.stopBits === 2 ? '2' : '1',
        parity: settings.parity,
        flowControl: settings.flowControl,
      };
}
