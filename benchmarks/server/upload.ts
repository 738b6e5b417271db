/** An upload of four large files, compared with writing the same bytes to the same disk, and its memory use. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { firmwarePaths, releaseLimits } from '@wirebench/contract';
import { quantile, type Result } from '../serial/measure.ts';
import { orShortest } from '../shortest.ts';
import type { Place } from './places.ts';
import { type MeasuredServer, microsecondsEach, startProduct } from './processes.ts';
import { call, createProject, type Maker, signInAsMaker } from './releases.ts';

const MIB = 1_024 * 1_024;
const CHUNK = 65_536;
const WARM_UP = orShortest(2, 0);
const ROUNDS = orShortest(5, 1);
const FILE_BYTES = orShortest(releaseLimits.fileSize, 65_536);
const RATIO = 0.6;
/** Bytes. */
const GROWTH = 20_000_000;

const files = Array.from({ length: releaseLimits.files }, () => {
  const bytes = randomBytes(FILE_BYTES);
  // Prevents the bytes from starting like an image, which the server would parse and refuse.
  bytes[0] = 0x01;
  return bytes;
});
const bytes = files.length * FILE_BYTES;
const sizeText = (size: number) => (size < MIB ? `${size / 1_024} KiB` : `${size / MIB} MiB`);
/** Size of one upload, for the tables. */
export const uploadText = sizeText(bytes);

export async function measureUpload(place: Place): Promise<readonly Result[]> {
  await using product = await startProduct(place.folder, place.environment);
  const maker = await signInAsMaker(product.address);
  const projectId = await createProject(maker, 'Large');
  for (let round = 0; round < WARM_UP; round++) {
    await uploadLargeFiles(product, maker, projectId, `warm-up ${round}`);
    await write(place.folder);
  }
  const before = product.residentBytes();
  const memory = watchMemory(product);
  const ratios: number[] = [];
  const rates: number[] = [];
  const processor = product.processorSeconds();
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await write(place.folder);
    const took = await uploadLargeFiles(product, maker, projectId, `1.0.${round}`);
    ratios.push(bare / took);
    rates.push(bytes / MIB / (took / 1_000));
  }
  const each = microsecondsEach(processor, product.processorSeconds(), ROUNDS);
  const most = memory.stop();
  const ratio = quantile(ratios, 0.5);
  const growth = before === undefined || most === undefined ? undefined : most - before;
  return [
    {
      what: `upload of ${files.length} × ${sizeText(FILE_BYTES)}, ${place.name}`,
      measured: `${quantile(rates, 0.5).toFixed(0)} MiB/s: ${ratio.toFixed(2)} of createWriteStream + fsync; ${each === undefined ? '–' : (each / 1_000).toFixed(0)} ms of processor time each`,
      target: `≥ ${RATIO}`,
      reached: ratio >= RATIO,
    },
    {
      what: `resident memory during ${ROUNDS} uploads, ${place.name}`,
      measured: growth === undefined ? 'not available on this system' : `grows by ${(growth / 1e6).toFixed(1)} MB`,
      target: `< ${GROWTH / 1e6} MB`,
      reached: growth === undefined ? null : growth < GROWTH,
    },
  ];
}

/** Returns the milliseconds to write the files one by one, each through to the disk. */
async function write(folder: string): Promise<number> {
  const root = join(folder, 'bare');
  await mkdir(root);
  const start = performance.now();
  for (const [index, content] of files.entries()) {
    // `flush` calls fsync before the file is closed.
    await pipeline(Readable.from(chunksOf(content)), createWriteStream(join(root, String(index)), { flush: true }));
  }
  const took = performance.now() - start;
  await rm(root, { recursive: true });
  return took;
}

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += CHUNK) {
    yield content.subarray(start, start + CHUNK);
  }
}

/** Returns the milliseconds from the first sent byte to the answer. Deletes the version afterwards. */
export async function uploadLargeFiles(
  server: MeasuredServer,
  maker: Maker,
  projectId: string,
  version: string,
): Promise<number> {
  const { parts, length, boundary } = formOf(projectId, version);
  const start = performance.now();
  const sending = request({
    port: server.port,
    host: '127.0.0.1',
    method: 'POST',
    path: firmwarePaths.newVersion,
    headers: {
      authorization: `Bearer ${maker.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': length,
    },
  });
  const answered = once(sending, 'response');
  await pipeline(Readable.from(parts.flatMap((part) => [...chunksOf(part)])), sending);
  const [answer] = await answered;
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
  }
  const took = performance.now() - start;
  if (answer.statusCode !== 201) {
    throw new Error(`An upload was answered ${answer.statusCode}: ${text}`);
  }
  await call(maker, firmwarePaths.version(JSON.parse(text).version._id), { method: 'DELETE' });
  return took;
}

function formOf(projectId: string, version: string) {
  const boundary = 'boundary-of-the-benchmark';
  const head = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`;
  const offsets = JSON.stringify(files.map((_file, index) => `0x${(index * FILE_BYTES).toString(16)}`));
  const fields = Object.entries({ projectId, version, description: 'Measured', offsets });
  const parts: Buffer[] = [
    Buffer.from(fields.map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`).join('')),
  ];
  for (const [index, content] of files.entries()) {
    parts.push(Buffer.from(head(`name="files"; filename="part-${index}.bin"`)), content, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { parts, boundary, length: parts.reduce((sum, part) => sum + part.length, 0) };
}

/** Samples the server's memory until stopped; `stop` returns the maximum. */
function watchMemory(server: MeasuredServer): { stop(): number | undefined } {
  let most = server.residentBytes();
  const timer = setInterval(() => {
    most = Math.max(most ?? 0, server.residentBytes() ?? 0) || undefined;
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}
