/** Runs Espressif's programs for NVS, if this machine has them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

type Run = (...args: readonly string[]) => string;

function runner(program: string, first: readonly string[]): Run {
  return (...args) => {
    const { status, stdout, stderr } = spawnSync(program, [...first, ...args], {
      encoding: 'utf8',
      maxBuffer: 0x1000_0000,
    });
    if (status !== 0) {
      throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`);
    }
    return stdout;
  };
}

/**
 * Returns a function that builds partitions with the Python package `esp-idf-nvs-partition-gen`: of the Python that the
 * variable `NVS_PYTHON` names, or of `python3`. Null if it has no such package.
 *
 * The function gets paths of CSV files and of the partitions to write, a size, and the version of the partitions.
 */
export function findPartitionGenerator():
  | ((pairs: readonly (readonly [string, string])[], size: number, version?: 1 | 2) => void)
  | null {
  const python = process.env.NVS_PYTHON ?? 'python3';
  const found = spawnSync(python, ['-c', 'import esp_idf_nvs_partition_gen.nvs_partition_gen']).status === 0;
  const run = runner(python, ['-c', generateAll]);
  return found ? (pairs, size, version = 2) => void run(`${size}`, `${version}`, ...pairs.flat()) : null;
}

/** Runs the generator for many files in one process: its start takes longer than its work. */
const generateAll = `
import sys
from types import SimpleNamespace
from esp_idf_nvs_partition_gen import nvs_partition_gen as gen
size, version, rest = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
for source, target in zip(rest[::2], rest[1::2]):
    gen.generate(SimpleNamespace(input=source, output=target, size=size, version=version, outdir='.'))
`;

/** Entry as Espressif's parser prints it. */
export interface ParsedEntry {
  readonly page: string;
  readonly state: string;
  readonly namespace: number;
  readonly type: string;
  readonly key: string | null;
  readonly span: number;
  readonly chunk: number;
  readonly crc: boolean;
  readonly dataCrc: boolean;
  /** Number, or sizes of a string, a chunk or an index. Null for other entries. */
  readonly value: unknown;
  /** Data of a string or a chunk, in hexadecimal. */
  readonly data: string;
}

/**
 * Returns the parser of ESP-IDF (`nvs_partition_tool`), which the variable `IDF_PATH` finds. Null if it does not. Integers
 * are texts, because 64 bits do not fit into JavaScript's numbers.
 */
export function findPartitionParser(): ((paths: readonly string[]) => ParsedEntry[][]) | null {
  const { IDF_PATH, NVS_PYTHON = 'python3' } = process.env;
  const folder = join(IDF_PATH ?? '', 'components', 'nvs_flash', 'nvs_partition_tool');
  const run = runner(NVS_PYTHON, ['-c', parseAll, folder]);
  return IDF_PATH !== undefined && existsSync(join(folder, 'nvs_parser.py'))
    ? (paths) => JSON.parse(run(...paths)) as ParsedEntry[][]
    : null;
}

const parseAll = `
import json, sys
sys.path.insert(0, sys.argv[1])
import nvs_parser
def entry(page, one):
    meta = one.metadata
    value = one.data and one.data['value']
    data = b''.join(bytes(child.raw) for child in one.children)
    size = one.data.get('size', 0) if one.data and one.children else 0
    return dict(page=page.header['status'], state=one.state, namespace=meta['namespace'], type=meta['type'], key=one.key,
      span=meta['span'], chunk=meta['chunk_index'], crc=meta['crc']['original'] == meta['crc']['computed'],
      dataCrc=meta['crc']['data_original'] == meta['crc']['data_computed'],
      value=str(value) if isinstance(value, int) else value, data=data[:size].hex())
stores = []
for path in sys.argv[2:]:
    with open(path, 'rb') as file:
        pages = nvs_parser.NVS_Partition(path, bytearray(file.read())).pages
    pages.sort(key=lambda page: page.header['page_index'])
    stores.append([entry(page, one) for page in pages if not page.is_empty for one in page.entries])
print(json.dumps(stores))
`;
