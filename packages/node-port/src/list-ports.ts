/**
 * The ports of the system. On Linux they are read from sysfs, which takes a few milliseconds and needs no other
 * program; elsewhere the binding lists them.
 */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A port as the system names it. */
export interface ListedPort {
  /** Path that is opened: `/dev/ttyUSB0`, `COM3`, or the path that a person gave. */
  readonly path: string;
  /** Name that survives replugging: the hole of its USB connector, the path that a person gave, else `path`. */
  readonly name: string;
  /** Path by the hole that the adapter is plugged into; null where the system has none. */
  readonly byPath: string | null;
  /** Path by vendor, product and serial number of the adapter; null where the system has none. */
  readonly byId: string | null;
  /** USB IDs; null for a port that is not on USB. */
  readonly vendorId: number | null;
  readonly productId: number | null;
  readonly serialNumber: string | null;
  readonly manufacturer: string | null;
  /** Name of the product, as the adapter gives it. */
  readonly product: string | null;
}

/** Folders of Linux, which tests replace. */
export interface SystemFolders {
  readonly ttys: string;
  readonly devices: string;
}

const linux: SystemFolders = { ttys: '/sys/class/tty', devices: '/dev' };

/** Completes the last part of a path: `ttyUSB0` is `/dev/ttyUSB0`. */
export function portPath(name: string, system: NodeJS.Platform = process.platform): string {
  return system === 'win32' || name.includes('/') ? name : `/dev/${name}`;
}

/**
 * Returns the ports that have a name which is no path: the last part of a link in `/dev/serial`, the serial number of
 * the USB device, or its USB IDs as in `10c4:ea60`.
 */
export function portsNamed(name: string, ports: readonly ListedPort[]): readonly ListedPort[] {
  const own = ports.filter(
    ({ byId, byPath, serialNumber }) =>
      serialNumber === name || [byId, byPath].some((link) => link !== null && basename(link) === name),
  );
  return own.length > 0 ? own : ports.filter((port) => usbIdsText(port) === name.toLowerCase());
}

/** Returns the USB IDs as `lsusb` prints them: `10c4:ea60`; null for a port that is not on USB. */
export function usbIdsText({ vendorId, productId }: ListedPort): string | null {
  const hex = (id: number) => id.toString(16).padStart(4, '0');
  return vendorId === null ? null : `${hex(vendorId)}:${hex(productId ?? 0)}`;
}

/** Returns a port of which only the path is known: a pseudo-terminal, or a link that a person made. */
export function bareListing(path: string): ListedPort {
  const unknown = { byPath: null, byId: null, vendorId: null, productId: null };
  return { path, name: path, ...unknown, serialNumber: null, manufacturer: null, product: null };
}

/** Returns the ports that have hardware behind them, in the order of their paths. */
export async function listPorts(
  folders: SystemFolders | null = process.platform === 'linux' ? linux : null,
): Promise<readonly ListedPort[]> {
  const ports = folders === null ? await listByBinding() : await listBySysfs(folders);
  return ports.toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
}

async function listBySysfs({ ttys, devices }: SystemFolders): Promise<ListedPort[]> {
  const [byPath, byId, names] = await Promise.all([
    linksIn(join(devices, 'serial', 'by-path')),
    linksIn(join(devices, 'serial', 'by-id')),
    readdir(ttys).catch(() => []),
  ]);
  const ports = await Promise.all(
    names.map(async (name): Promise<ListedPort | null> => {
      const device = await realpath(join(ttys, name, 'device')).catch(() => null);
      if (device === null || !(await hasHardware(ttys, name))) {
        return null;
      }
      const usb = await usbFacts(device);
      const path = join(devices, name);
      const hole = byPath.get(name) ?? null;
      return { path, name: hole ?? path, byPath: hole, byId: byId.get(name) ?? null, ...usb };
    }),
  );
  return ports.filter((port) => port !== null);
}

/** Returns false for one of the ports of a PC that only exist on paper: type 0, `PORT_UNKNOWN` (linux/serial_core.h). */
async function hasHardware(ttys: string, name: string): Promise<boolean> {
  const type = await readText(join(ttys, name, 'type'));
  return type !== '0';
}

/** Returns paths of links by the name of the device that they lead to. */
async function linksIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(
    names.map(
      async (name) => [basename(await readlink(join(folder, name)).catch(() => '')), join(folder, name)] as const,
    ),
  );
  return new Map(links);
}

type UsbFacts = Pick<ListedPort, 'vendorId' | 'productId' | 'serialNumber' | 'manufacturer' | 'product'>;

async function usbFacts(device: string): Promise<UsbFacts> {
  const usb = await usbDevice(device);
  if (usb === null) {
    return { vendorId: null, productId: null, serialNumber: null, manufacturer: null, product: null };
  }
  const read = (name: string) => readText(join(usb.folder, name));
  return {
    vendorId: Number.parseInt(usb.vendor, 16),
    productId: Number.parseInt((await read('idProduct')) ?? '0', 16),
    serialNumber: await read('serial'),
    manufacturer: await read('manufacturer'),
    product: await read('product'),
  };
}

/** Finds the USB device among the folders above a tty: interface, device, hub. Null for a port that is not on USB. */
async function usbDevice(device: string): Promise<{ readonly folder: string; readonly vendor: string } | null> {
  let folder = device;
  for (let level = 0; level < 4; level++, folder = dirname(folder)) {
    const vendor = await readText(join(folder, 'idVendor'));
    if (vendor !== null) {
      return { folder, vendor };
    }
  }
  return null;
}

/**
 * Returns the ports of the USB device that was plugged in last: several if it has several. Empty without a USB port, and
 * null where the system does not tell how long a device has been there.
 *
 * On Linux `power/connected_duration` of the device has it, in milliseconds (Documentation/ABI/testing/sysfs-bus-usb).
 */
export async function newestPorts(
  ports: readonly ListedPort[],
  { ttys }: SystemFolders = linux,
): Promise<readonly ListedPort[] | null> {
  const ofDevices = new Map<string, ListedPort[]>();
  for (const port of ports.filter(({ vendorId }) => vendorId !== null)) {
    const tty = await realpath(join(ttys, basename(port.path), 'device')).catch(() => null);
    const usb = tty === null ? null : await usbDevice(tty);
    if (usb === null) {
      return null;
    }
    ofDevices.set(usb.folder, [...(ofDevices.get(usb.folder) ?? []), port]);
  }
  let newest: readonly ListedPort[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  for (const [folder, own] of ofDevices) {
    const text = await readText(join(folder, 'power', 'connected_duration'));
    if (text === null || !/^\d+$/.test(text)) {
      return null;
    }
    if (Number(text) < shortest) {
      shortest = Number(text);
      newest = own;
    }
  }
  return newest;
}

async function readText(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : text.trim();
}

async function listByBinding(): Promise<ListedPort[]> {
  const { autoDetect } = await import('@serialport/bindings-cpp');
  const hex = (text: string | undefined) => (text === undefined ? null : Number.parseInt(text, 16));
  return (await autoDetect().list()).map(({ path, vendorId, productId, serialNumber, manufacturer }) => ({
    ...bareListing(path),
    vendorId: hex(vendorId),
    productId: hex(productId),
    serialNumber: serialNumber ?? null,
    manufacturer: manufacturer ?? null,
  }));
}

/** Returns true if there is a device at the path. Windows keeps its ports under other names, and answers for none. */
export async function isPresent(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isCharacterDevice() ?? false;
}
