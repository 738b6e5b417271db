/** The sectors of a boot ROM's drive, read and written by an operating system's mass storage driver. */
import { address } from '../rom/boot-device.ts';
import type { FullSpeedHost } from '../usb/full-speed-host.ts';

export const sectorBytes = 512;
const commandSize = 31;
const statusSize = 13;
/** Sectors of a command at most, as operating systems have it for full speed: 64 KiB. */
const maxSectors = 128;
const scsi = { read10: 0x28, write10: 0x2a, readCapacity: 0x25, testUnitReady: 0x00 } as const;

/** The drive left the bus, or answers nothing that a drive answers. */
export class DriveFailure extends Error {
  override readonly name = 'DriveFailure';
  /** True: the device is gone. False: it answered with an error. */
  readonly isGone: boolean;

  constructor(isGone: boolean) {
    super(isGone ? 'The drive is gone.' : 'The drive reports an error.');
    this.isGone = isGone;
  }
}

export class DriveBlocks {
  readonly #host: FullSpeedHost;
  #tag = 0;
  /** Commands run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: FullSpeedHost) {
    this.#host = host;
  }

  /** Returns the number of sectors. @throws DriveFailure */
  async count(): Promise<number> {
    const answer = await this.#command([scsi.readCapacity, ...new Array<number>(9).fill(0)], { receive: 8 });
    return new DataView(answer.buffer).getUint32(0) + 1;
  }

  /** True if the medium is present. */
  async isReady(): Promise<boolean> {
    return this.#command([scsi.testUnitReady, 0, 0, 0, 0, 0], {}).then(
      () => true,
      () => false,
    );
  }

  /** @throws DriveFailure */
  async read(sector: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
    const result = new Uint8Array(count * sectorBytes);
    for (let done = 0; done < count; done += maxSectors) {
      const part = Math.min(maxSectors, count - done);
      const command = readOrWrite(scsi.read10, sector + done, part);
      result.set(await this.#command(command, { receive: part * sectorBytes }), done * sectorBytes);
    }
    return result;
  }

  /** Writes whole sectors. @throws DriveFailure */
  async write(sector: number, data: Uint8Array): Promise<void> {
    for (let done = 0; done * sectorBytes < data.length; done += maxSectors) {
      const part = data.subarray(done * sectorBytes, (done + maxSectors) * sectorBytes);
      await this.#command(readOrWrite(scsi.write10, sector + done, part.length / sectorBytes), { send: part });
    }
  }

  #command(
    command: readonly number[],
    data: { readonly send?: Uint8Array; readonly receive?: number },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const run = () => this.#run(command, data);
    const answer = this.#last.then(run, run);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #run(
    command: readonly number[],
    { send, receive = 0 }: { readonly send?: Uint8Array; readonly receive?: number },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const block = new Uint8Array(commandSize);
    const view = new DataView(block.buffer);
    this.#tag++;
    view.setUint32(0, 0x4342_5355, true);
    view.setUint32(4, this.#tag, true);
    view.setUint32(8, send?.length ?? receive, true);
    block[12] = receive > 0 ? 0x80 : 0;
    block[14] = command.length;
    block.set(command, 15);
    await this.#ok(this.#host.send(address.storageOut, block));
    let data: Uint8Array<ArrayBuffer> = new Uint8Array();
    if (send !== undefined) {
      const sent = await this.#host.send(address.storageOut, send);
      if (sent.result === 'stall') {
        await this.#clear(address.storageOut);
      } else if (sent.result !== 'ok') {
        throw new DriveFailure(true);
      }
    } else if (receive > 0) {
      const answer = await this.#host.receive(address.storageIn, receive);
      if (answer.result === 'stall') {
        await this.#clear(address.storageIn);
      } else if (answer.result !== 'ok') {
        throw new DriveFailure(answer.result === 'gone');
      }
      data = answer.data;
    }
    const status = await this.#status();
    if (status[12] !== 0 || (receive > 0 && data.length !== receive)) {
      throw new DriveFailure(false);
    }
    return data;
  }

  /** Receives the status, after clearing a halt in front of it. */
  async #status(): Promise<Uint8Array> {
    const first = await this.#host.receive(address.storageIn, statusSize);
    if (first.result !== 'stall') {
      return this.#ok(Promise.resolve(first));
    }
    await this.#clear(address.storageIn);
    return this.#ok(this.#host.receive(address.storageIn, statusSize));
  }

  async #ok(transfer: ReturnType<FullSpeedHost['receive']>): Promise<Uint8Array> {
    const { result, data } = await transfer;
    if (result !== 'ok') {
      throw new DriveFailure(result === 'gone');
    }
    return data;
  }

  async #clear(endpoint: number): Promise<void> {
    await this.#host.control({ type: 2, request: 1, value: 0, index: endpoint, length: 0 });
  }
}

function readOrWrite(code: number, sector: number, count: number): number[] {
  const bytes = new Uint8Array(10);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, code);
  view.setUint32(2, sector);
  view.setUint16(7, count);
  return [...bytes];
}
